//! The odd one out among machines of one class: far from the median, measured in the spread of the
//! fleet itself.

use std::collections::BTreeMap;

use diagrams::kit::ascending;
use drills_results::keys::{self, Better};

use super::{Column, Origin};
use crate::units;

/// Fewest machines of a class among which one can be odd.
pub const MIN_MACHINES: usize = 4;
/// Distance from the median in robust standard deviations from which a value is odd (Iglewicz and
/// Hoaglin's 3.5).
const ODD_FROM: f64 = 3.5;
/// Relative distance below which nothing is odd, however narrow the fleet is.
const LEAST_RELATIVE: f64 = 0.03;
/// Standard deviations of a normal distribution in one median absolute deviation.
const MAD_TO_SIGMA: f64 = 1.4826;

/// A value far from those of its fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct Odd {
    /// Index of the column.
    pub column: usize,
    /// Result key.
    pub key: String,
    /// Label of the key.
    pub label: String,
    /// The value, formatted.
    pub value: String,
    /// The fleet's median, formatted.
    pub median: String,
    /// Value over median.
    pub ratio: f64,
    /// Distance in robust standard deviations.
    pub distance: f64,
    /// Machines compared.
    pub among: usize,
    /// Whether it is on the bad side; `None` where neither side is bad.
    pub worse: Option<bool>,
}

/// Every odd value among the reader's files, the oddest machine first.
pub fn odd_ones(columns: &[Column]) -> Vec<Odd> {
    let mut fleets: BTreeMap<(&str, &str), Vec<(usize, f64)>> = BTreeMap::new();
    for (i, column) in columns.iter().enumerate().filter(|(_, c)| c.origin == Origin::File) {
        for m in &column.report.measurements {
            if let Some(value) = m.value.filter(|_| m.status.has_value()) {
                fleets
                    .entry((column.report.machine.class.as_str(), m.key.as_str()))
                    .or_default()
                    .push((i, value));
            }
        }
    }
    let found: Vec<Odd> =
        fleets.iter().flat_map(|((_, key), values)| odd_in_fleet(columns, key, values)).collect();
    let ranks: Vec<f64> = found.iter().map(|odd| -odd.distance).collect();
    ascending(&ranks).into_iter().map(|i| found[i].clone()).collect()
}

fn odd_in_fleet(columns: &[Column], key: &str, values: &[(usize, f64)]) -> Vec<Odd> {
    if values.len() < MIN_MACHINES {
        return Vec::new();
    }
    let median = median(&values.iter().map(|(_, v)| *v).collect::<Vec<_>>());
    let mad = self::median(&values.iter().map(|(_, v)| (v - median).abs()).collect::<Vec<_>>());
    // A fleet of equal values has no spread; a hundredth of the median stands in for it.
    let sigma = (mad * MAD_TO_SIGMA).max(median.abs() * 0.01);
    let far = |value: f64| {
        let distance = (value - median).abs();
        if sigma > 0.0 && distance > median.abs() * LEAST_RELATIVE { distance / sigma } else { 0.0 }
    };
    values
        .iter()
        .filter(|(_, value)| far(*value) > ODD_FROM)
        .filter_map(|&(column, value)| {
            let unit = columns.get(column)?.report.find(key)?.unit;
            let info = keys::find(key);
            let worse = match info.map_or(Better::Neither, |i| i.better) {
                Better::Higher => Some(value < median),
                Better::Lower => Some(value > median),
                Better::Neither => None,
            };
            Some(Odd {
                column,
                key: key.to_owned(),
                label: info.map_or_else(|| key.to_owned(), |i| i.label.to_owned()),
                value: units::quantity(value, unit),
                median: units::quantity(median, unit),
                ratio: if median == 0.0 { f64::INFINITY } else { value / median },
                distance: far(value),
                among: values.len(),
                worse,
            })
        })
        .collect()
}

fn median(values: &[f64]) -> f64 {
    let order = ascending(values);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[order[middle]],
        _ => f64::midpoint(values[order[middle - 1]], values[order[middle]]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::{Measurement, Report, Tool, Unit};

    fn fleet(values: &[f64]) -> Vec<Column> {
        let report = |v: f64| Report {
            schema: Default::default(),
            tool: Tool { name: "drills".into(), version: "0.1.0".into() },
            taken_at: "2026-11-29T00:00:00Z".into(),
            label: String::new(),
            provenance: Default::default(),
            source: None,
            machine: Default::default(),
            environment: Default::default(),
            measurements: vec![Measurement::ok("copy.h2d.pinned", Unit::BytesPerS, v, "test")],
            unknown: Default::default(),
        };
        values
            .iter()
            .enumerate()
            .map(|(i, v)| Column::file(i.to_string(), String::new(), report(*v)))
            .collect()
    }

    #[test]
    fn one_slow_link_among_many_is_found() {
        let mut values = vec![54.5e9; 200];
        for (i, v) in values.iter_mut().enumerate() {
            *v += (i % 7) as f64 * 0.05e9;
        }
        values[137] = 27.4e9;
        let odd = odd_ones(&fleet(&values));
        assert_eq!(odd.len(), 1);
        assert_eq!((odd[0].column, odd[0].worse, odd[0].among), (137, Some(true), 200));
    }

    #[test]
    fn ordinary_spread_is_not_odd() {
        let values: Vec<f64> = (0..50).map(|i| 50e9 + f64::from(i % 10) * 0.4e9).collect();
        assert_eq!(odd_ones(&fleet(&values)), []);
    }

    #[test]
    fn equal_values_with_a_tiny_difference_are_not_odd() {
        assert_eq!(odd_ones(&fleet(&[50e9, 50e9, 50e9, 50e9, 51e9])), []);
        assert_eq!(odd_ones(&fleet(&[50e9, 50e9, 50e9, 50e9, 40e9])).len(), 1);
    }

    #[test]
    fn three_machines_are_too_few() {
        assert_eq!(odd_ones(&fleet(&[50e9, 50e9, 10e9])), []);
    }

    #[test]
    fn classes_are_fleets_of_their_own() {
        let mut columns = fleet(&[50e9, 50e9, 50e9, 50e9, 20e9]);
        std::sync::Arc::make_mut(&mut columns[4].report).machine.class = "another kind".into();
        assert_eq!(odd_ones(&columns), []);
    }
}
