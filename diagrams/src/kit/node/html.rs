//! A tree as text.

use super::{Element, Kind, Node, Value};

impl Node {
    /// The tree as HTML.
    pub fn to_html(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, false);
        out
    }

    fn write(&self, out: &mut String, in_svg: bool) {
        match &*self.0 {
            Kind::Element(element) => element.write(out, in_svg || element.tag == "svg"),
            Kind::Text(text) => escape(text, out),
            Kind::Row(parts) => parts.iter().for_each(|part| part.write(out, in_svg)),
        }
    }
}

impl Element {
    fn write(&self, out: &mut String, in_svg: bool) {
        out.push('<');
        out.push_str(self.tag);
        for (name, value) in &self.attributes {
            if *value == Value::Flag(false) {
                continue;
            }
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            let mut text = String::new();
            value.write(&mut text);
            escape(&text, out);
            out.push('"');
        }
        // Elements of SVG may close themselves, those of HTML may not, and inputs never hold anything.
        if self.children.is_empty() && in_svg {
            return out.push_str("/>");
        }
        out.push('>');
        if self.tag == "input" {
            return;
        }
        self.children.iter().for_each(|child| child.write(out, in_svg));
        out.push_str("</");
        out.push_str(self.tag);
        out.push('>');
    }
}

/// Appends a text so that no character of it can begin an element or end an attribute.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::el;
    use crate::kit::svg::{g, text};

    #[test]
    fn nothing_in_a_text_or_an_attribute_ends_it() {
        let node = g("a\"><script>").with(text("", (0.0, 0.333_333), "1 < 2 & \"3\""));
        let expected = concat!(
            r#"<g class="a&quot;&gt;&lt;script&gt;">"#,
            r#"<text x="0" y="0.33">1 &lt; 2 &amp; &quot;3&quot;</text></g>"#
        );
        assert_eq!(node.to_html(), expected);
    }

    #[test]
    fn only_svg_elements_close_themselves() {
        let node = el("p").with(el("input").flag("checked", true).flag("disabled", false)).with(el("b"));
        let node = node.with(el("svg").with(g("x")));
        assert_eq!(node.to_html(), r#"<p><input checked=""><b></b><svg><g class="x"/></svg></p>"#);
    }
}
