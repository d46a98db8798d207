//! How wide results may be.

/// Columns for text that goes to a file or a pipe.
const PIPE_COLUMNS: usize = 120;
/// Narrower terminals are written to as if they had this many.
const LEAST_COLUMNS: usize = 40;

/// Columns of stdout.
pub fn of_stdout() -> usize {
    let winsize = rustix::termios::tcgetwinsize(std::io::stdout());
    match winsize {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col).max(LEAST_COLUMNS),
        _ => PIPE_COLUMNS,
    }
}

/// Breaks text into lines of at most `width` columns, at spaces or after commas, otherwise anywhere.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        let used = line.chars().count();
        if used > 0 && used + piece.trim_end().chars().count() > width {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        line.push_str(piece);
        while line.trim_end().chars().count() > width {
            let cut = line.char_indices().nth(width).map_or(line.len(), |(at, _)| at);
            let rest = line.split_off(cut);
            lines.push(std::mem::replace(&mut line, rest));
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Words with the space or comma that follows them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' ', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_commas_and_are_never_too_wide() {
        assert_eq!(wrap("one two three", 9), ["one two", "three"]);
        assert_eq!(wrap("0-55,112-167,200", 13), ["0-55,112-167,", "200"]);
        assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
        assert_eq!(wrap("", 10), [""]);
    }
}
