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

/// Fewer faults than windows are larger folios, if single pages behave as predicted.
pub(crate) fn judge_windows(measurement: Measurement, single: Option<(u64, u64)>) -> Measurement {
    let expected = match measurement.params.get("expected") {
        Some(Param::Number(expected)) => *expected,
        _ => return measurement,
    };
    let Some(value) = measurement.value else { return measurement };
    let mut m = match single {
        Some((counted, predicted)) => {
            measurement.param("single_pages_faults", counted).param("single_pages_expected", predicted)
        }
        None => measurement,
    };
    if value < expected {
        let bytes = (GIB as f64 / value.max(1.0)).round() as u64;
        m = m.param("bytes_per_fault", bytes);
        // With fresh memory among the pages, the quotient is not that of the file.
        m = if bytes >= FAULT_AROUND {
            m.param("state", format!("{} KiB mapped at a fault (folios)", bytes >> 10))
        } else {
            m.param("state", "larger folios in the cache")
        };
    }
    match single {
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

    fn of(value: f64, single: Option<(u64, u64)>) -> Measurement {
        let unit = drills_results::Unit::Count;
        let m = Measurement::ok("fault.file_map.count", unit, value, "fault.counted");
        let mut m = m.param("expected", 16_384.0);
        if value != 16_384.0 {
            m.status = Status::Unstable;
            m.reason = Some(count_differs(value as u64, 16_384));
        }
        judge_windows(m, single)
    }

    #[test]
    fn fewer_faults_are_folios_and_more_are_not_explained() {
        assert_eq!(of(16_384.0, Some((128, 128))).status, Status::Ok);
        let folios = of(1_024.0, Some((128, 128)));
        let per_fault = folios.params.get("bytes_per_fault");
        assert_eq!((folios.status, per_fault), (Status::Ok, Some(&(1u64 << 20).into())));
        assert_eq!(of(20_000.0, Some((128, 128))).status, Status::Unstable);
        let broken = of(1_024.0, Some((130, 128)));
        assert_eq!(broken.reason.map(|r| r.code), Some("count-differs".into()));
    }
}
