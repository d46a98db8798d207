//! Predictions of counts on mapped files.

use drills_results::{Measurement, Param, Status};

use crate::measure::mapping::page_bytes;
use crate::memory::{FileMap, GIB, count_differs};

/// Bytes that the kernel maps around a fault on a file's page, unless it was told otherwise.
const FAULT_AROUND: u64 = 64 << 10;

/// The window around a fault: 64 KiB, or one page where that is larger. Root can read the setting.
pub(crate) fn fault_around_bytes(page: u64) -> u64 {
    let told = std::fs::read_to_string("/sys/kernel/debug/fault_around_bytes").ok();
    told.and_then(|text| text.trim().parse().ok()).unwrap_or(FAULT_AROUND).max(page)
}

/// Windows that a mapping touches: each is one fault when its pages are in the cache. They are counted
/// from address 0, so a mapping that begins inside one touches one more.
pub(crate) fn windows(start: u64, len: u64, window: u64) -> u64 {
    if len == 0 { 0 } else { (start + len - 1) / window - start / window + 1 }
}

/// Windows that a touch of all of `map` faults in.
pub(crate) fn windows_of(map: &FileMap) -> u64 {
    windows(map.as_ptr() as u64, map.len() as u64, fault_around_bytes(page_bytes() as u64))
}

/// What is known about a count beside the prediction from windows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beside {
    /// Faults of a pass over pages that were brought into the cache one by one, and their prediction.
    pub(crate) single: Option<(u64, u64)>,
    /// Prediction from the folios behind the pages, scaled to 1 GiB.
    pub(crate) by_folios: Option<f64>,
}

/// Judges a count whose `expected` is that from windows: the most that can come. Fewer are larger folios,
/// if those are seen to explain it, or if single pages behave as predicted.
pub(crate) fn judge_windows(measurement: Measurement, beside: Beside) -> Measurement {
    let expected = match measurement.params.get("expected") {
        Some(Param::Number(expected)) => *expected,
        _ => return measurement,
    };
    let Some(value) = measurement.value else { return measurement };
    let mut m = match beside.single {
        Some((counted, predicted)) => {
            measurement.param("single_pages_faults", counted).param("single_pages_expected", predicted)
        }
        None => measurement,
    };
    let explained = beside.by_folios.filter(|by_folios| (by_folios - value).abs() < 0.5);
    if value < expected {
        m = m.param("expected_by_windows", expected);
        // With fresh memory among the pages, the quotient is not that of the file.
        let bytes = (GIB as f64 / value).round();
        if bytes >= FAULT_AROUND as f64 {
            m = m.param("bytes_per_fault", bytes);
        }
        m = match explained {
            Some(by_folios) => m.param("expected", by_folios).param("state", "by the cache's folios"),
            None => m.param("state", "at most; folios take fewer"),
        };
    }
    match beside.single {
        Some((counted, predicted)) if counted != predicted => {
            m.status = Status::Unstable;
            m.reason = Some(count_differs(counted, predicted));
        }
        _ if value <= expected => (m.status, m.reason) = (Status::Ok, None),
        _ => {}
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_aligned() {
        const KIB: u64 = 1 << 10;
        assert_eq!(windows(0, 1 << 30, 64 * KIB), 16_384);
        assert_eq!(windows(4 * KIB, 1 << 30, 64 * KIB), 16_385, "it begins inside a window");
        assert_eq!(windows(60 * KIB, 8 * KIB, 64 * KIB), 2);
        assert_eq!(windows(0, 1, 64 * KIB), 1);
        assert_eq!(windows(0, 0, 64 * KIB), 0);
    }

    #[test]
    fn a_page_is_the_smallest_window() {
        assert!(fault_around_bytes(4 * 1024) >= 4 * 1024);
        assert!(fault_around_bytes(128 << 10) >= 128 << 10);
    }

    fn of(value: f64, single: Option<(u64, u64)>, by_folios: Option<f64>) -> Measurement {
        let unit = drills_results::Unit::Count;
        let m = Measurement::ok("fault.file_map.count", unit, value, "fault.counted");
        let mut m = m.param("expected", 16_384.0);
        if value != 16_384.0 {
            m.status = Status::Unstable;
            m.reason = Some(count_differs(value as u64, 16_384));
        }
        judge_windows(m, Beside { single, by_folios })
    }

    #[test]
    fn fewer_faults_are_folios_and_more_are_not_explained() {
        let good = Some((128, 128));
        assert_eq!(of(16_384.0, good, None).status, Status::Ok);
        let fewer = of(1_024.0, good, None);
        assert_eq!((fewer.status, fewer.params.get("expected")), (Status::Ok, Some(&16_384.0.into())));
        let seen = of(1_024.0, good, Some(1_024.0));
        assert_eq!(seen.params.get("expected"), Some(&1_024.0.into()), "exact where folios are seen");
        assert_eq!(seen.params.get("bytes_per_fault"), Some(&1_048_576.0.into()));
        assert_eq!(of(1_024.0, good, Some(900.0)).params.get("expected"), Some(&16_384.0.into()));
        assert_eq!(of(20_000.0, good, None).status, Status::Unstable);
        let broken = of(1_024.0, Some((130, 128)), None);
        assert_eq!(broken.reason.map(|r| r.code), Some("count-differs".into()));
    }
}
