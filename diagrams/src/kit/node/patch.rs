//! Changes a figure in the page from one tree to the next.
//!
//! Children are matched by their place, or where their number has changed by their looks. Where the elements
//! are of one kind only what differs is changed: the focus stays, and what glides by a CSS transition glides.

use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlInputElement, SvgElement};

use super::align::{Change, align};
use super::{Element, Kind, Node, Value};

const SVG: &str = "http://www.w3.org/2000/svg";
const HTML: &str = "http://www.w3.org/1999/xhtml";

/// Makes the children of `parent`, which show `old`, show `new`. What is equal at both ends stays as it is, so
/// that one element more or less in the middle moves nothing.
pub(crate) fn children(document: &Document, parent: &web_sys::Node, old: &[Node], new: &[Node]) {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    if old.is_empty() && new.is_empty() {
        return;
    }
    let mut at = parent.first_child();
    for _ in 0..head {
        at = at.as_ref().and_then(web_sys::Node::next_sibling);
    }
    // A page that something else has changed is mended as well as it can be; it never stops the figure.
    for change in align(old, new) {
        let _ = match (change, at.clone()) {
            (Change::Keep(old, new), Some(here)) => {
                at = here.next_sibling();
                replace(document, parent, &here, old, new)
            }
            (Change::Remove, Some(here)) => {
                at = here.next_sibling();
                parent.remove_child(&here).map(drop)
            }
            (Change::Remove, None) => Ok(()),
            (Change::Keep(_, new) | Change::Insert(new), here) => {
                parent.insert_before(&create(document, parent, new), here.as_ref()).map(drop)
            }
        };
    }
}

fn replace(
    document: &Document,
    parent: &web_sys::Node,
    here: &web_sys::Node,
    old: &Node,
    new: &Node,
) -> Result<(), wasm_bindgen::JsValue> {
    if old == new {
        return Ok(());
    }
    match (&*old.0, &*new.0, here.dyn_ref::<web_sys::Element>()) {
        (Kind::Element(old), Kind::Element(new), Some(element)) if old.tag == new.tag => {
            attributes(element, old, new);
            children(document, here, &old.children, &new.children);
            Ok(())
        }
        (Kind::Text(_), Kind::Text(text), None) => {
            here.set_node_value(Some(text));
            Ok(())
        }
        _ => parent.replace_child(&create(document, parent, new), here).map(drop),
    }
}

fn attributes(element: &web_sys::Element, old: &Element, new: &Element) {
    let (old, new) = (&old.attributes, &new.attributes);
    let same_names = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.0 == new.0);
    if !same_names {
        // Set anew in their order, so that equal states are equal as text.
        for (name, _) in old {
            let _ = element.remove_attribute(name);
        }
    }
    for (i, attribute) in new.iter().enumerate() {
        if !same_names || old.get(i) != Some(attribute) {
            set(element, attribute);
        }
    }
}

fn set(element: &web_sys::Element, (name, value): &(&'static str, Value)) {
    let mut text = String::new();
    value.write(&mut text);
    let _ = match value {
        Value::Flag(false) => element.remove_attribute(name),
        _ => element.set_attribute(name, &text),
    };
    // What the reader has touched no longer follows the attribute. For other names the kind of element does not
    // matter, and asking for it is one more call out of the WebAssembly for each of them.
    if !matches!(*name, "checked" | "value") {
        return;
    }
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        match value {
            Value::Flag(on) => input.set_checked(*on),
            _ => input.set_value(&text),
        }
    }
}

fn create(document: &Document, parent: &web_sys::Node, node: &Node) -> web_sys::Node {
    match &*node.0 {
        Kind::Text(text) => document.create_text_node(text).into(),
        // Rows dissolve where they are put.
        Kind::Row(_) => document.create_document_fragment().into(),
        Kind::Element(element) => {
            let in_svg = element.tag == "svg" || parent.dyn_ref::<SvgElement>().is_some();
            let namespace = if in_svg { SVG } else { HTML };
            let Ok(made) = document.create_element_ns(Some(namespace), element.tag) else {
                return document.create_comment(element.tag).into();
            };
            element.attributes.iter().for_each(|attribute| set(&made, attribute));
            children(document, &made, &[], &element.children);
            made.into()
        }
    }
}
