//! A figure as plain data: a tree of elements.
//!
//! The page writer writes it as text ([`Node::to_html`]); the browser reads that text once and from then
//! on changes only what differs between two trees (`patch`). So a figure costs one builder call per
//! element, and no code is compiled anew for each of them.

mod html;
mod value;

#[cfg(any(feature = "csr", test))]
mod align;
#[cfg(feature = "csr")]
pub(super) mod patch;

pub use value::Value;
pub(super) use value::write_number;

/// A part of a figure: an element, a text, or several parts in a row without an element around them. It is
/// one pointer, so that a chain of builder calls stays short when compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Node(Box<Kind>);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Element(Element),
    Text(String),
    Row(Vec<Node>),
}

/// An element. Its children hold no row, no empty text and no two texts in a row: what the browser reads from
/// the text of the tree has the same shape as the tree.
#[derive(Clone, Debug, PartialEq)]
struct Element {
    tag: &'static str,
    attributes: Vec<(&'static str, Value)>,
    children: Vec<Node>,
}

/// Attributes that most elements have at most; a list that never grows is never copied.
const USUAL: usize = 6;

/// An element without attributes and content.
pub fn el(tag: &'static str) -> Node {
    Node(Box::new(Kind::Element(Element {
        tag,
        attributes: Vec::with_capacity(USUAL),
        children: Vec::new(),
    })))
}

impl Node {
    /// Nothing at all.
    pub fn none() -> Self {
        Self(Box::new(Kind::Row(Vec::new())))
    }

    /// The same element with an attribute. An empty class is none; a part that is no element stays as it is.
    pub fn set(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.attribute(name, value.into());
        self
    }

    /// The same element with an attribute if there is a value for it.
    pub fn set_some(self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.set(name, value),
            None => self,
        }
    }

    /// The same element with an attribute that is there or not, such as `checked`.
    pub fn flag(self, name: &'static str, on: bool) -> Self {
        self.set(name, Value::Flag(on))
    }

    /// The same element with one more child, or the row with one more part.
    pub fn with(mut self, child: impl Into<Node>) -> Self {
        self.push(child.into());
        self
    }

    #[inline(never)]
    fn attribute(&mut self, name: &'static str, value: Value) {
        if let Kind::Element(element) = &mut *self.0
            && !(name == "class" && value.is_empty())
        {
            element.attributes.push((name, value));
        }
    }

    #[inline(never)]
    fn push(&mut self, child: Node) {
        let children = match &mut *self.0 {
            Kind::Element(element) => &mut element.children,
            Kind::Row(parts) => parts,
            Kind::Text(_) => return,
        };
        if let Kind::Row(parts) = *child.0 {
            children.reserve(parts.len());
            for part in parts {
                push_one(children, part);
            }
        } else {
            push_one(children, child);
        }
    }
}

fn push_one(children: &mut Vec<Node>, child: Node) {
    let before = children.last_mut().map(|node| &mut *node.0);
    match (before, &*child.0) {
        (Some(Kind::Text(before)), Kind::Text(text)) => before.push_str(text),
        (_, Kind::Text(text)) if text.is_empty() => {}
        _ => children.push(child),
    }
}

impl FromIterator<Node> for Node {
    fn from_iter<I: IntoIterator<Item = Node>>(parts: I) -> Self {
        let mut row = Self::none();
        for part in parts {
            row.push(part);
        }
        row
    }
}

impl From<Vec<Node>> for Node {
    fn from(parts: Vec<Node>) -> Self {
        parts.into_iter().collect()
    }
}

impl<const N: usize> From<[Node; N]> for Node {
    fn from(parts: [Node; N]) -> Self {
        Vec::from(parts).into()
    }
}

impl From<Option<Node>> for Node {
    fn from(part: Option<Node>) -> Self {
        part.unwrap_or_else(Self::none)
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self(Box::new(Kind::Text(text)))
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::svg::text;

    #[test]
    fn a_tree_has_the_shape_that_a_browser_reads_from_its_text() {
        let words = text("", (1.0, 2.0), "one").with(" two");
        let node = el("svg").with("").with(words).with(vec![el("g"), el("g")]);
        let Kind::Element(element) = &*node.0 else { panic!("a picture is an element") };
        assert_eq!(element.children.len(), 3);
        assert_eq!(node.to_html(), r#"<svg><text x="1" y="2">one two</text><g/><g/></svg>"#);
    }

    #[test]
    fn rows_dissolve_and_nothing_is_nothing() {
        let row: Node = [el("g"), Node::none(), None.into()].into();
        assert_eq!(el("svg").with(row).to_html(), "<svg><g/></svg>");
    }
}
