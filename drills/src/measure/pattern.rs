//! Bytes that a copy which did not run, ran short or ran twice cannot leave behind.
//!
//! Word i is a mix of its index and a seed: two seeds differ in every word. `kernels.ptx` computes the
//! same on the GPU.

/// What destinations hold before a copy.
pub(crate) const POISON: u64 = 0x00C0_FFEE_0000_0000;

/// Word `index` of the pattern of `seed`.
#[inline]
fn word(index: u64, seed: u64) -> u64 {
    let product = (index ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 29)
}

/// Writes the pattern. A rest shorter than a word stays as it is.
pub(crate) fn fill(bytes: &mut [u8], seed: u64) {
    fill_from(bytes, 0, seed);
}

/// Writes a piece of the pattern that begins at word `first`.
pub(crate) fn fill_from(bytes: &mut [u8], first: u64, seed: u64) {
    for (index, chunk) in (first..).zip(bytes.chunks_exact_mut(8)) {
        chunk.copy_from_slice(&word(index, seed).to_ne_bytes());
    }
}

/// Number of words that are not the pattern's.
pub(crate) fn wrong_words(bytes: &[u8], seed: u64) -> u64 {
    wrong_words_from(bytes, 0, seed)
}

/// Number of words that are not those of the pattern's piece that begins at word `first`.
pub(crate) fn wrong_words_from(bytes: &[u8], first: u64, seed: u64) -> u64 {
    let words = (first..).zip(bytes.chunks_exact(8));
    words.filter(|(index, chunk)| *chunk != &word(*index, seed).to_ne_bytes()[..]).count() as u64
}

/// XOR of all 32-bit words, as the reading kernel computes it.
pub(crate) fn xor_of(bytes: &[u8]) -> u32 {
    let mut xor = 0u64;
    for chunk in bytes.chunks_exact(8) {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        xor ^= u64::from_ne_bytes(word);
    }
    (xor >> 32) as u32 ^ xor as u32
}

/// XOR of all 32-bit words of the pattern's first `words` words.
pub(crate) fn xor_of_pattern(words: u64, seed: u64) -> u32 {
    let xor = (0..words).fold(0, |xor, index| xor ^ word(index, seed));
    (xor >> 32) as u32 ^ xor as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_seeds_differ_in_every_word() {
        let mut bytes = vec![0; 64 * 1024];
        fill(&mut bytes, 1);
        assert_eq!(wrong_words(&bytes, 1), 0);
        assert_eq!(wrong_words(&bytes, POISON), 8 * 1024);
    }

    #[test]
    fn a_missing_and_a_shifted_piece_are_seen() {
        let mut bytes = vec![0; 4096];
        fill(&mut bytes, 7);
        bytes[8 * 100] ^= 1;
        assert_eq!(wrong_words(&bytes, 7), 1);
        bytes[8 * 100] ^= 1;
        bytes.rotate_left(8);
        assert_eq!(wrong_words(&bytes, 7), 512);
    }

    #[test]
    fn pieces_join_to_the_whole() {
        let (mut whole, mut pieces) = (vec![0; 4096], vec![0; 4096]);
        fill(&mut whole, 3);
        fill_from(&mut pieces[..1000], 0, 3);
        fill_from(&mut pieces[1000..], 125, 3);
        assert_eq!(whole, pieces);
        assert_eq!(wrong_words_from(&whole[1000..], 125, 3), 0);
    }

    #[test]
    fn xor_is_over_32_bit_words() {
        let bytes: Vec<u8> = [1u32, 2, 4, 8].iter().flat_map(|w| w.to_ne_bytes()).collect();
        assert_eq!(xor_of(&bytes), 15);
        let mut bytes = vec![0; 4096];
        fill(&mut bytes, 5);
        assert_eq!(xor_of_pattern(512, 5), xor_of(&bytes));
    }
}
