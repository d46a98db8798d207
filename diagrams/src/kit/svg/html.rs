//! A tree as text.

use super::{Element, Node};

impl Node {
    /// The tree as HTML.
    pub fn to_html(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Element(element) => element.write(out),
            Self::Text(text) => escape(text, out),
            Self::Row(parts) => parts.iter().for_each(|part| part.write(out)),
        }
    }
}

impl Element {
    fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.tag);
        for (name, value) in &self.attributes {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            let mut text = String::new();
            value.write(&mut text);
            escape(&text, out);
            out.push('"');
        }
        if self.children.is_empty() {
            return out.push_str("/>");
        }
        out.push('>');
        self.children.iter().for_each(|child| child.write(out));
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
    use super::super::{g, text};

    #[test]
    fn nothing_in_a_text_or_an_attribute_ends_it() {
        let node = g("a\"><script>").with(text("", (0.0, 0.333_333), "1 < 2 & \"3\""));
        let expected = r#"<g class="a&quot;&gt;&lt;script&gt;"><text x="0" y="0.33">1 &lt; 2 &amp; &quot;3&quot;</text></g>"#;
        assert_eq!(node.to_html(), expected);
    }
}
