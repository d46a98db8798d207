//! Takes comments and needless space out of our own style sheets and scripts. Not a general
//! minifier: it knows how these files are written.

/// Removes comments, and space around punctuation.
pub(crate) fn css(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        out.push_str(&rest[..start]);
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    out.push_str(rest);
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut tight = words;
    for mark in ["{", "}", ";", ","] {
        tight = tight.replace(&format!(" {mark}"), mark).replace(&format!("{mark} "), mark);
    }
    tight.replace(": ", ":").replace(";}", "}")
}

/// Removes lines that are comments, indentation and empty lines.
pub(crate) fn script(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_and_values_keep_their_meaning() {
        let text = "/* a */ a:hover > b ,\n c { margin : 0 1px ; color: red; }\n@media (min-width: 1px) { a { b: calc(1px + 2px) } }";
        assert_eq!(
            css(text),
            "a:hover > b,c{margin :0 1px;color:red}@media (min-width:1px){a{b:calc(1px + 2px)}}"
        );
    }

    #[test]
    fn scripts_lose_comment_lines_only() {
        assert_eq!(
            script("// what\n  const a = 'http://x'; // kept\n\nb()"),
            "const a = 'http://x'; // kept\nb()"
        );
    }
}
