//! A JSON document as a tree. The rest of the importer is plain functions over it: a deserialiser made
//! for each type would cost readers of the course ten times the bytes.
//!
//! Unlike in `serde_json::Value`, a field that comes twice is there twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::import::{ImportError, shorten};
use crate::trail::Trail;

/// A value. Numbers are told apart as they were written: only a whole one can be a count.
#[derive(Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Flag(bool),
    Whole(u64),
    /// A whole number below 0.
    Negative(i64),
    Fraction(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// For messages: kind and, of what is short, the value.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Flag(value) => write!(f, "boolean `{value}`"),
            Self::Whole(value) => write!(f, "integer `{value}`"),
            Self::Negative(value) => write!(f, "integer `{value}`"),
            Self::Fraction(value) => write!(f, "floating point `{value:?}`"),
            Self::Text(value) => write!(f, "string {value:?}"),
            Self::List(_) => f.write_str("list"),
            Self::Object(_) => f.write_str("object"),
        }
    }
}

impl From<Json> for serde_json::Value {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Flag(value) => value.into(),
            Json::Whole(value) => value.into(),
            Json::Negative(value) => value.into(),
            Json::Fraction(value) => value.into(),
            Json::Text(value) => value.into(),
            Json::List(entries) => entries.into_iter().map(Self::from).collect(),
            Json::Object(fields) => {
                fields.into_iter().map(|(name, value)| (name, Self::from(value))).collect()
            }
        }
    }
}

/// Reads the tree. The caller has bounded the depth.
///
/// # Errors
/// `Syntax` for what is not JSON; `Field` for JSON that Rust cannot hold: numbers beyond an f64, halves of
/// UTF-16 pairs.
pub(crate) fn tree(text: &str) -> Result<Json, ImportError> {
    let mut trail = Trail::default();
    let mut source = serde_json::Deserializer::from_str(text);
    let read = Tree(&mut trail).deserialize(&mut source);
    let error = match read.and_then(|tree| source.end().map(|()| tree)) {
        Ok(tree) => return Ok(tree),
        Err(error) => error,
    };
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return Err(ImportError::Syntax {
            line: error.line(),
            column: error.column(),
            message: shorten(&error.to_string()),
        });
    }
    let message = error.to_string();
    // The path says where, so the position is cut off.
    let position = format!(" at line {} column {}", error.line(), error.column());
    trail.refuse(format_args!("{}", message.strip_suffix(&position).unwrap_or(&message)));
    trail.so_far().map(|()| Json::Null)
}

/// Reads one value. The trail stays where an error struck.
struct Tree<'t>(&'t mut Trail);

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Json, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Flag(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Negative(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Fraction(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut source: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        loop {
            let before = self.0.enter_index(list.len());
            let entry = source.next_element_seed(Tree(self.0))?;
            self.0.leave(before);
            match entry {
                Some(entry) => list.push(entry),
                None => return Ok(Json::List(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(name) = source.next_key::<String>()? {
            let before = self.0.enter(&name);
            let value = source.next_value_seed(Tree(self.0))?;
            self.0.leave(before);
            fields.push((name, value));
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, tree};

    #[test]
    fn numbers_keep_their_kind_and_fields_their_number() {
        let object = Json::Object(vec![
            ("a".into(), Json::List(vec![Json::Whole(1), Json::Negative(-1), Json::Fraction(1.0)])),
            ("a".into(), Json::Null),
        ]);
        assert_eq!(tree(r#"{"a": [1, -1, 1.0], "a": null}"#), Ok(object));
    }

    #[test]
    fn what_rust_cannot_hold_has_a_path_and_no_position() {
        let found = tree("[1, 1e999]").map_err(|e| e.to_string());
        assert_eq!(found, Err("[1]: number out of range".into()));
        for (text, message) in [
            (r#"{"a": 1, "b": [{"c": "x,{\"y"}, {"c": 1e999}]}"#, "b[1].c: number out of range"),
            (r#"{"a": {}, "b": "\ud800"}"#, "b: "),
            (r#"{"a": [0, [], "\udfff"]}"#, "a[2]: "),
            (r#"{"a": {"\ud800": 1}}"#, "a: "),
            ("1e999", "the file: number out of range"),
        ] {
            let found = tree(text).map_err(|e| e.to_string());
            assert!(found.as_ref().is_err_and(|found| found.starts_with(message)), "{text}: {found:?}");
        }
    }

    #[test]
    fn syntax_comes_before_everything_else() {
        let found = tree(r#"{"a": 1e999} x"#).map_err(|e| e.to_string());
        assert!(found.as_ref().is_err_and(|found| found.starts_with("not JSON (line 1")), "{found:?}");
    }
}
