//! HTML as text, safe by construction: whatever goes in as text or as an attribute's value is escaped.
//!
//! Large tables are built this way: they have no behaviour, and views would cost the browser's
//! download more than they are worth.

/// A piece of HTML being written.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Opens an element.
    pub fn open(&mut self, tag: &'static str, attributes: &[(&'static str, &str)]) -> &mut Self {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.escape(value);
            self.0.push('"');
        }
        self.0.push('>');
        self
    }

    /// Closes an element.
    pub fn close(&mut self, tag: &'static str) -> &mut Self {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self
    }

    /// Writes text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.escape(text);
        self
    }

    /// An element that holds text only.
    pub fn leaf(&mut self, tag: &'static str, attributes: &[(&'static str, &str)], text: &str) -> &mut Self {
        self.open(tag, attributes).text(text).close(tag)
    }

    /// Takes in HTML that another `Html` has finished.
    pub fn finished(&mut self, html: &str) -> &mut Self {
        self.0.push_str(html);
        self
    }

    /// The HTML written so far.
    pub fn finish(self) -> String {
        self.0
    }

    fn escape(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                other => self.0.push(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_and_attributes_cannot_become_elements() {
        let mut html = Html::default();
        html.leaf("td", &[("title", "\"><script>")], "<img src=x onerror=a&b>");
        let expected = "<td title=\"&quot;&gt;&lt;script&gt;\">&lt;img src=x onerror=a&amp;b&gt;</td>";
        assert_eq!(html.finish(), expected);
    }
}
