//! From the tree to the types: what each field is called and what it holds.
//!
//! The types derive `Deserialize` as well, for programs that read parts of a file. Both ways read the same
//! files; `tests/agree.rs` compares them.

mod measurement;
mod report;
mod scalar;
mod topology;

pub(crate) use report::report;

use serde_json::{Map, Value};

use crate::json::Json;
use crate::trail::Trail;

/// What can be made of a node of the tree. Where it cannot, the trail is told and the result is a
/// stand-in that nobody will see.
pub(crate) trait Read: Sized {
    /// Reads the node.
    fn read(node: Node<'_>) -> Self;
}

/// A value of the tree, and where it is.
pub(crate) struct Node<'t> {
    json: Json,
    trail: &'t mut Trail,
}

impl<'t> Node<'t> {
    /// A tree to be read from its root.
    pub(crate) fn new(json: Json, trail: &'t mut Trail) -> Self {
        Self { json, trail }
    }

    /// Tells that the node is of the wrong kind.
    fn refuse(self, expected: &str) {
        self.trail.refuse(format_args!("invalid type: {}, expected {expected}", self.json));
    }

    /// The fields of an object.
    pub(crate) fn fields(self) -> Fields<'t> {
        match self.json {
            Json::Object(fields) => Fields { fields, trail: self.trail },
            json => {
                Node { json, trail: &mut *self.trail }.refuse("an object");
                Fields { fields: Vec::new(), trail: self.trail }
            }
        }
    }

    /// Each entry of a list, up to the first that is wrong.
    fn each(self, read: &mut dyn FnMut(Node<'_>)) {
        let entries = match self.json {
            Json::List(entries) => entries,
            json => return Node { json, trail: self.trail }.refuse("a list"),
        };
        for (i, json) in entries.into_iter().enumerate() {
            if !self.trail.is_sound() {
                return;
            }
            let before = self.trail.enter_index(i);
            read(Node { json, trail: &mut *self.trail });
            self.trail.leave(before);
        }
    }

    /// What the node's word stands for; the first stands in.
    fn one_of<T: Copy>(self, words: &[(&str, T)]) -> T {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        words[self.word(&names)].1
    }

    fn word(self, words: &[&str]) -> usize {
        let text = match self.json {
            Json::Text(text) => text,
            json => {
                Node { json, trail: self.trail }.refuse("a text");
                return 0;
            }
        };
        words.iter().position(|word| *word == text).unwrap_or_else(|| {
            let known = words.join("`, `");
            self.trail.refuse(format_args!("unknown variant `{text}`, expected one of `{known}`"));
            0
        })
    }
}

/// What is left of the fields of an object.
pub(crate) struct Fields<'t> {
    fields: Vec<(String, Json)>,
    trail: &'t mut Trail,
}

impl Fields<'_> {
    /// A field that has to be there.
    fn need<T: Read>(&mut self, name: &str) -> T {
        let json = self.take_needed(name);
        self.read(name, json)
    }

    /// A field that may be absent, or `null`.
    pub(crate) fn optional<T: Read>(&mut self, name: &str) -> Option<T> {
        match self.take(name)? {
            Json::Null => None,
            json => Some(self.read(name, json)),
        }
    }

    /// A field that may be absent.
    fn or_default<T: Read + Default>(&mut self, name: &str) -> T {
        self.take(name).map(|json| self.read(name, json)).unwrap_or_default()
    }

    /// The fields that nobody asked for. Nobody does in the browser, which keeps a file's text anyway.
    fn unknown(self) -> Map<String, Value> {
        if cfg!(target_family = "wasm") {
            return Map::new();
        }
        self.fields.into_iter().map(|(name, json)| (name, json.into())).collect()
    }

    /// What was wrong up to here.
    pub(crate) fn so_far(&mut self) -> Result<(), crate::ImportError> {
        self.trail.so_far()
    }

    fn read<T: Read>(&mut self, name: &str, json: Json) -> T {
        let before = self.trail.enter(name);
        let value = T::read(Node { json, trail: &mut *self.trail });
        self.trail.leave(before);
        value
    }

    fn take_needed(&mut self, name: &str) -> Json {
        self.take(name).unwrap_or_else(|| {
            self.trail.refuse(format_args!("missing field `{name}`"));
            Json::Null
        })
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        let at = self.fields.iter().position(|(field, _)| field == name)?;
        let (_, json) = self.fields.remove(at);
        if self.fields.iter().any(|(field, _)| field == name) {
            self.trail.refuse_in(name, format_args!("duplicate field `{name}`"));
        }
        Some(json)
    }
}
