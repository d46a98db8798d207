//! Highlighting at build time: classes, no colours, no script.
//!
//! Classes: `c` comment, `s` string, `n` number or constant, `k` keyword, `f` function, `v` variable;
//! in terminal sessions `prompt`, `cmd` and `out`, so that a reader copies commands and nothing else.

use std::sync::OnceLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::Code;
use super::inline::escape;

/// Languages of the course and their syntax names.
const LANGUAGES: [(&str, Option<&str>); 9] = [
    ("console", Some("sh")),
    ("bash", Some("sh")),
    ("sh", Some("sh")),
    ("python", Some("py")),
    ("c", Some("c")),
    ("cuda", Some("cpp")),
    ("rust", Some("rs")),
    ("json", Some("json")),
    ("text", None),
];

/// Highlights a block.
///
/// # Errors
/// The language is not one of the course's.
pub(crate) fn highlight(language: &str, text: &str) -> Result<Code, String> {
    let Some(&(_, syntax)) = LANGUAGES.iter().find(|(name, _)| *name == language) else {
        let names = LANGUAGES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        return Err(format!("unknown code language `{language}`; the course has: {names}"));
    };
    let copyable = !matches!(language, "text" | "json");
    let html = match (language, syntax) {
        ("console", Some(syntax)) => session(syntax, text),
        (_, Some(syntax)) => lines(syntax, text),
        (_, None) => escape(text.trim_end()),
    };
    Ok(Code { language: language.to_owned(), html, copyable })
}

/// A terminal session: `$ ` or `# ` opens a command, a trailing backslash continues it.
fn session(syntax: &str, text: &str) -> String {
    let mut out = Vec::new();
    let mut continued = false;
    for line in text.trim_end().lines() {
        let prompt = ["$ ", "# "].into_iter().find(|p| !continued && line.starts_with(p));
        if prompt.is_none() && !continued {
            out.push(format!(r#"<span class="out">{}</span>"#, escape(line)));
            continue;
        }
        let command = prompt.map_or(line, |p| &line[p.len()..]);
        let prompt = prompt.map_or_else(String::new, |p| format!(r#"<span class="prompt">{p}</span>"#));
        out.push(format!(r#"{prompt}<span class="cmd">{}</span>"#, lines(syntax, command)));
        continued = line.ends_with('\\');
    }
    out.join("\n")
}

fn lines(syntax: &str, text: &str) -> String {
    let set = syntaxes();
    let Some(syntax) = set.find_syntax_by_extension(syntax) else { return escape(text) };
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut out = String::new();
    for line in text.trim_end().lines() {
        let line = format!("{line}\n");
        let Ok(changes) = state.parse_line(&line, set) else { return escape(text) };
        let mut from = 0;
        for (at, change) in changes {
            push(&mut out, &line[from..at], &stack);
            from = at;
            if stack.apply(&change).is_err() {
                return escape(text);
            }
        }
        push(&mut out, &line[from..], &stack);
    }
    out.trim_end().to_owned()
}

fn push(out: &mut String, text: &str, stack: &ScopeStack) {
    let text_only = text.trim_matches(['\n', ' ']);
    match class_of(stack.as_slice()) {
        Some(class) if !text_only.is_empty() => {
            let closing = format!("</i>{}", if text.ends_with('\n') { "\n" } else { "" });
            let open = format!(r#"<i class="{class}">"#);
            // Runs of one class share one element.
            if out.ends_with("</i>") && last_class(out) == Some(class) {
                out.truncate(out.len() - "</i>".len());
            } else {
                out.push_str(&open);
            }
            out.push_str(&escape(text.trim_end_matches('\n')));
            out.push_str(&closing);
        }
        _ => out.push_str(&escape(text)),
    }
}

fn last_class(out: &str) -> Option<&str> {
    let start = out.rfind(r#"<i class=""#)? + r#"<i class=""#.len();
    out[start..].split('"').next()
}

fn class_of(scopes: &[Scope]) -> Option<&'static str> {
    const CLASSES: [(&str, &str); 9] = [
        ("comment", "c"),
        ("string", "s"),
        ("constant", "n"),
        ("keyword.operator", ""),
        ("keyword", "k"),
        ("storage", "k"),
        ("entity.name.function", "f"),
        ("variable.function", "f"),
        ("variable.other.readwrite.shell", "v"),
    ];
    scopes
        .iter()
        .rev()
        .find_map(|scope| {
            let name = scope.build_string();
            CLASSES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, class)| class)
        })
        .filter(|class| !class.is_empty())
}

fn syntaxes() -> &'static SyntaxSet {
    static SET: OnceLock<SyntaxSet> = OnceLock::new();
    SET.get_or_init(SyntaxSet::load_defaults_newlines)
}
