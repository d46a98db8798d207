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
            // Writing to a string cannot fail.
            Self::Number(number) => _ = write!(out, "{}", (number * 100.0).round() / 100.0),
        }
    }
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
