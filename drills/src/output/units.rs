//! Numbers with units, at three significant digits.

use drills_results::Unit;

/// A value for people: scaled, with its unit.
pub fn quantity(unit: Unit, value: f64) -> String {
    let (value, name) = scale(unit, value, value);
    format!("{} {name}", digits(value)).trim_end().to_owned()
}

/// A range in the scale of `value`: "54.1–54.9".
pub fn range(unit: Unit, value: f64, low: f64, high: f64) -> String {
    format!("{}–{}", digits(scale(unit, value, low).0), digits(scale(unit, value, high).0))
}

/// `number` in the scale that suits `value`, and that scale's name.
fn scale(unit: Unit, value: f64, number: f64) -> (f64, &'static str) {
    const TIME: [(f64, &str); 4] = [(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")];
    const TIME_PER_GIB: [(f64, &str); 4] =
        [(1.0, "ns/GiB"), (1e3, "µs/GiB"), (1e6, "ms/GiB"), (1e9, "s/GiB")];
    const RATE: [(f64, &str); 4] = [(1.0, "B/s"), (1e3, "kB/s"), (1e6, "MB/s"), (1e9, "GB/s")];
    const KIB: f64 = 1024.0;
    const SIZE: [(f64, &str); 5] = [
        (1.0, "B"),
        (KIB, "KiB"),
        (KIB * KIB, "MiB"),
        (KIB * KIB * KIB, "GiB"),
        (KIB * KIB * KIB * KIB, "TiB"),
    ];
    let steps: &[(f64, &str)] = match unit {
        Unit::Ns => &TIME,
        Unit::NsPerGib => &TIME_PER_GIB,
        Unit::BytesPerS => &RATE,
        Unit::Bytes => &SIZE,
        Unit::Count => return (number, ""),
        Unit::Ratio => return (number * 100.0, "%"),
        Unit::GtPerS => return (number, "GT/s"),
    };
    let &(factor, name) = steps.iter().rev().find(|(factor, _)| value.abs() >= *factor).unwrap_or(&steps[0]);
    (number / factor, name)
}

/// Three significant digits, whole numbers in full.
pub fn digits(value: f64) -> String {
    let size = value.abs();
    if value.fract() == 0.0 || size >= 100.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        format!("{value:.1}")
    } else if size >= 1.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_scaled_and_short() {
        assert_eq!(quantity(Unit::Ns, 0.834), "0.834 ns");
        assert_eq!(quantity(Unit::Ns, 1234.0), "1.23 µs");
        assert_eq!(quantity(Unit::BytesPerS, 54.71e9), "54.7 GB/s");
        assert_eq!(quantity(Unit::Bytes, 49152.0), "48 KiB");
        assert_eq!(quantity(Unit::Bytes, 110_100_480.0), "105 MiB");
        assert_eq!(quantity(Unit::Count, 1280.0), "1280");
        assert_eq!(quantity(Unit::Ratio, 0.3812), "38.1 %");
        assert_eq!(quantity(Unit::GtPerS, 32.0), "32 GT/s");
        assert_eq!(range(Unit::BytesPerS, 54.7e9, 54.1e9, 54.9e9), "54.1–54.9");
        assert_eq!(quantity(Unit::Ns, 0.0), "0 ns");
    }
}
