//! Values of attributes.

use std::borrow::Cow;
use std::fmt::Write;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Words.
    Text(Cow<'static, str>),
    /// A length or a position; written with two decimals at most.
    Number(f64),
    /// Whether the attribute is there at all.
    Flag(bool),
}

impl Value {
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Text(text) if text.is_empty())
    }

    /// Appends the value as text, not escaped.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::Flag(_) => {}
            Self::Number(number) => write_number(out, *number),
        }
    }
}

/// Writes a number with two decimals at most. Made of whole numbers: writing a fraction means a search for
/// its shortest digits, and a picture holds hundreds.
pub(in crate::kit) fn write_number(out: &mut String, number: f64) {
    let hundredths = (number * 100.0).round() as i64;
    let (sign, hundredths) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    // Writing to a string cannot fail.
    let _ = match (rest, rest % 10) {
        (0, _) => write!(out, "{sign}{whole}"),
        (_, 0) => write!(out, "{sign}{whole}.{}", rest / 10),
        _ => write!(out, "{sign}{whole}.{rest:02}"),
    };
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(f64::from(number))
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Number(number as f64)
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_decimals_at_most() {
        let cases = [
            (0.0, "0"),
            (-0.001, "0"),
            (12.0, "12"),
            (12.5, "12.5"),
            (12.05, "12.05"),
            (-12.345_6, "-12.35"),
            (0.999, "1"),
            (123_456.78, "123456.78"),
        ];
        for (number, expected) in cases {
            let mut out = String::new();
            Value::from(number).write(&mut out);
            assert_eq!(out, expected);
        }
    }
}
