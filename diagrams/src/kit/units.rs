//! Numbers with units as people write them: at most three significant digits.

use drills_results::Unit;

/// A number with three significant digits and thousands separators: `0.0123`, `54.7`, `4,320`.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "unknown".into();
    }
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let digits = (value * 10f64.powi(2 - magnitude)).round();
    // Rounding can carry into the next decade: 99.96 becomes 100.
    let (digits, magnitude) =
        if digits.abs() >= 1000.0 { (digits / 10.0, magnitude + 1) } else { (digits, magnitude) };
    match 2 - magnitude {
        decimals @ 1.. => with_decimals(digits as i64, decimals as usize),
        zeros => group_thousands(&format!("{:.0}", digits * 10f64.powi(-zeros))),
    }
}

/// `digits` with the last `decimals` of them behind the point; zeros at the end are left out.
fn with_decimals(mut digits: i64, mut decimals: usize) -> String {
    while decimals > 0 && digits % 10 == 0 {
        (digits, decimals) = (digits / 10, decimals - 1);
    }
    let sign = if digits < 0 { "−" } else { "" };
    let mut text = format!("{sign}{:0width$}", digits.unsigned_abs(), width = decimals + 1);
    if decimals > 0 {
        text.insert(text.len() - decimals, '.');
    }
    text
}

/// A count: exact where it is whole and of a size that people read, else as [`number`] has it.
pub fn count(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        group_thousands(&format!("{value:.0}"))
    } else {
        number(value)
    }
}

fn group_thousands(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |r| ("−", r));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(w, f)| (w, Some(f)));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match fraction {
        Some(f) => format!("{sign}{grouped}.{f}"),
        None => format!("{sign}{grouped}"),
    }
}

/// A duration given in nanoseconds: `0.9 ns`, `4.2 µs`, `41 ms`, `2 min`, `3.2 h`, `12 days`.
pub fn duration_ns(ns: f64) -> String {
    const STEPS: [(f64, &str); 8] = [
        (31_557_600e9, "years"),
        (86_400e9, "days"),
        (3_600e9, "h"),
        (60e9, "min"),
        (1e9, "s"),
        (1e6, "ms"),
        (1e3, "µs"),
        (1.0, "ns"),
    ];
    scaled(ns, &STEPS)
}

/// A rate given in bytes per second, decimal: `54.7 GB/s`.
pub fn rate(bytes_per_s: f64) -> String {
    const STEPS: [(f64, &str); 5] =
        [(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1.0, "B/s")];
    scaled(bytes_per_s, &STEPS)
}

/// A size in bytes, binary: `256 MiB`.
pub fn bytes(bytes: f64) -> String {
    const STEPS: [(f64, &str); 5] = [
        (1_099_511_627_776.0, "TiB"),
        (1_073_741_824.0, "GiB"),
        (1_048_576.0, "MiB"),
        (1024.0, "KiB"),
        (1.0, "B"),
    ];
    scaled(bytes, &STEPS)
}

/// A size in bytes, decimal, as disks, links and checkpoints are counted: `140 GB`.
pub fn bytes_decimal(bytes: f64) -> String {
    const STEPS: [(f64, &str); 5] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")];
    scaled(bytes, &STEPS)
}

/// Round numbers over decades, six per decade: 1, 1.4, 2, 3, 5, 7, 10, 14 and so on. For sliders on a
/// log scale whose stops people can name.
pub fn round_number(step: u8) -> f64 {
    const MANTISSAS: [f64; 6] = [1.0, 1.4, 2.0, 3.0, 5.0, 7.0];
    MANTISSAS[usize::from(step % 6)] * 10f64.powi(i32::from(step / 6))
}

/// A ratio as percent: `38 %`.
pub fn percent(ratio: f64) -> String {
    format!("{}\u{a0}%", number(ratio * 100.0))
}

/// A value in the unit of a results file, scaled for people.
pub fn quantity(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Ns => duration_ns(value),
        Unit::NsPerGib => format!("{}/GiB", duration_ns(value)),
        Unit::BytesPerS => rate(value),
        Unit::Bytes => bytes(value),
        Unit::Count => count(value),
        Unit::Ratio => percent(value),
        Unit::GtPerS => format!("{}\u{a0}GT/s", number(value)),
    }
}

/// A large count in words: `97.7 million`, `2.25 billion`; below a thousand the number itself.
pub fn large(value: f64) -> String {
    const STEPS: [(f64, &str); 6] = [
        (1e18, "quintillion"),
        (1e15, "quadrillion"),
        (1e12, "trillion"),
        (1e9, "billion"),
        (1e6, "million"),
        (1e3, "thousand"),
    ];
    if value.abs() < 999.5 { number(value) } else { scaled(value, &STEPS) }
}

fn scaled(value: f64, steps: &[(f64, &str)]) -> String {
    // 0.9995 of a step already rounds to 1.00 of it.
    let fits = |&&(size, _): &&(f64, &str)| value.abs() >= size * 0.9995;
    let &(size, unit) = steps.iter().find(fits).unwrap_or(&steps[steps.len() - 1]);
    format!("{}\u{a0}{unit}", number(value / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        text.replace('\u{a0}', " ")
    }

    #[test]
    fn three_digits_and_no_more() {
        let cases = [
            (54.736, "54.7"),
            (0.012_345, "0.0123"),
            (99.96, "100"),
            (4_321.0, "4,320"),
            (1.0, "1"),
            (-2.5, "−2.5"),
            (0.0, "0"),
            (0.000_999_96, "0.001"),
            (-0.05, "−0.05"),
            (1_000.0, "1,000"),
            (-999_960.0, "−1,000,000"),
            (3.0e18, "3,000,000,000,000,000,000"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_count_is_exact() {
        assert_eq!(count(262_144.0), "262,144");
        assert_eq!(count(2.5), "2.5");
        assert_eq!(count(1e12), number(1e12));
        assert_eq!(quantity(512.0, Unit::Count), "512");
    }

    #[test]
    fn units_step_up_where_people_do() {
        assert_eq!(plain(&duration_ns(41_700_000.0)), "41.7 ms");
        assert_eq!(plain(&duration_ns(999.8)), "1 µs");
        assert_eq!(plain(&rate(54.74e9)), "54.7 GB/s");
        assert_eq!(plain(&bytes(256.0 * 1024.0 * 1024.0)), "256 MiB");
        assert_eq!(plain(&bytes_decimal(140e9)), "140 GB");
        assert_eq!(round_number(31) * 1e6, 140e9);
        assert_eq!(plain(&percent(0.384)), "38.4 %");
        assert_eq!(number(f64::NAN), "unknown");
        assert_eq!(plain(&large(97_660_000.0)), "97.7 million");
        assert_eq!(large(412.0), "412");
    }
}
