//! Words in the figures' sentences.

/// The text with its first letter in upper case. Our words are English: the tables for all of Unicode
/// would be downloaded by readers.
pub fn capital(text: &str) -> String {
    let mut capital = text.to_owned();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    capital
}

#[cfg(test)]
mod tests {
    use super::capital;

    #[test]
    fn only_the_first_letter_changes() {
        assert_eq!(capital("thread 1 of B"), "Thread 1 of B");
        assert_eq!(capital("4 KiB"), "4 KiB");
        assert_eq!(capital("–"), "–");
        assert_eq!(capital(""), "");
    }
}
