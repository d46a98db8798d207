//! Widths of text without asking a browser.
//!
//! A figure says `system-ui`, which is another face on each system. The table holds the widths that
//! Helvetica publishes for its characters; most system faces are somewhat wider, so [`SLACK`] is
//! added. Places for text are planned with it and need not be exact.

/// Widths of ASCII 32 to 126 in thousandths of the font size.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// Most system faces are up to a tenth wider than Helvetica.
const SLACK: f64 = 1.08;
/// Bold against regular.
const BOLD: f64 = 1.07;

/// Width of a line of text, in the unit of `size`.
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let thousandths: u32 = text.chars().map(|c| u32::from(char_width(c))).sum();
    f64::from(thousandths) / 1000.0 * size * SLACK * if bold { BOLD } else { 1.0 }
}

fn char_width(c: char) -> u16 {
    match c {
        ' '..='~' => ASCII.get(c as usize - 32).copied().unwrap_or(556),
        '\u{a0}' => 278,
        '·' => 278,
        '–' => 556,
        '—' | '→' | '←' => 1000,
        _ => 600,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_text_measures_wider() {
        assert!(text_width("illi", 13.0, false) < text_width("MMMM", 13.0, false));
        assert!((text_width("0000", 10.0, false) - 4.0 * 5.56 * SLACK).abs() < 1e-9);
        assert!(text_width("x", 13.0, true) > text_width("x", 13.0, false));
    }
}
