//! Where in a file an error is, as a path such as `measurements[3].value`.
//!
//! The parser tells a position only. Walking the text up to there gives the path, at a fraction of the
//! code that tracking it during parsing would add to the browser's download.

/// An object or array that is still open at the position.
enum Open<'a> {
    /// The key read last, without its quotes.
    Object { key: &'a str, expects_key: bool },
    /// Index of the element being read.
    Array { index: usize },
}

/// Path of the value that ends at, or holds, `line` and `column` as `serde_json` counts them: lines from 1,
/// columns in bytes. Empty for the document itself.
pub(crate) fn path_at(text: &str, line: usize, column: usize) -> String {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(nth) => text.match_indices('\n').nth(nth).map_or(text.len(), |(at, _)| at + 1),
    };
    path_before(text, start.saturating_add(column).min(text.len()))
}

fn path_before(text: &str, end: usize) -> String {
    let bytes = text.as_bytes();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut at = 0;
    while at < end {
        match bytes[at] {
            b'"' => {
                let close = end_of_string(bytes, at);
                if let Some(Open::Object { key, expects_key: true }) = open.last_mut() {
                    *key = text.get(at + 1..close).unwrap_or_default();
                }
                at = close;
            }
            b'{' => open.push(Open::Object { key: "", expects_key: true }),
            b'[' => open.push(Open::Array { index: 0 }),
            b'}' | b']' => {
                open.pop();
            }
            b':' => {
                if let Some(Open::Object { expects_key, .. }) = open.last_mut() {
                    *expects_key = false;
                }
            }
            b',' => match open.last_mut() {
                Some(Open::Object { expects_key, .. }) => *expects_key = true,
                Some(Open::Array { index }) => *index += 1,
                None => {}
            },
            _ => {}
        }
        at += 1;
    }
    render(&open)
}

/// Index of the quote that closes the string opened at `start`, or the end of the text.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

fn render(open: &[Open<'_>]) -> String {
    let mut path = String::new();
    for step in open {
        match step {
            // Before its first key, an object is itself what is wrong.
            Open::Object { key: "", .. } => {}
            Open::Object { key, .. } => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            Open::Array { index } => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::path_before;

    #[test]
    fn the_path_is_that_of_the_value_being_read() {
        let text = r#"{"a": 1, "b": [{"c": "x,{\"y"}, {"c": 5}], "d": {}}"#;
        for (until, path) in [
            (r#"{"a": 1"#, "a"),
            (r#"{"a": 1, "b": [{"c": "x,{\"y""#, "b[0].c"),
            (r#"{"a": 1, "b": [{"c": "x,{\"y"}, {"c": 5"#, "b[1].c"),
            (r#"{"a": 1, "b": [{"c": "x,{\"y"}, {"c": 5}"#, "b[1]"),
            (text, ""),
        ] {
            assert_eq!(path_before(text, until.len()), path, "{until}");
        }
    }
}
