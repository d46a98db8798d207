//! Bytes that a copy which did not run, ran short or ran twice cannot leave behind.
//!
//! Word i is a mix of its index and a seed: two seeds differ in every word. `kernels.ptx` computes the
//! same on the GPU.

/// What destinations hold before a copy.
pub(super) const POISON: u64 = 0x00C0_FFEE_0000_0000;

/// Word `index` of the pattern of `seed`.
#[inline]
fn word(index: u64, seed: u64) -> u64 {
    let product = (index ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 29)
}

/// Writes the pattern. A rest shorter than a word stays as it is.
pub(super) fn fill(bytes: &mut [u8], seed: u64) {
    for (index, chunk) in bytes.chunks_exact_mut(8).enumerate() {
        chunk.copy_from_slice(&word(index as u64, seed).to_ne_bytes());
    }
}

/// Number of words that are not the pattern's.
pub(super) fn wrong_words(bytes: &[u8], seed: u64) -> u64 {
    let words = bytes.chunks_exact(8).enumerate();
    words.filter(|(index, chunk)| *chunk != &word(*index as u64, seed).to_ne_bytes()[..]).count() as u64
}

/// XOR of all 32-bit words, as the reading kernel computes it.
pub(super) fn xor_of(bytes: &[u8]) -> u32 {
    let mut xor = 0u64;
    for chunk in bytes.chunks_exact(8) {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        xor ^= u64::from_ne_bytes(word);
    }
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
    fn xor_is_over_32_bit_words() {
        let bytes: Vec<u8> = [1u32, 2, 4, 8].iter().flat_map(|w| w.to_ne_bytes()).collect();
        assert_eq!(xor_of(&bytes), 15);
    }
}
