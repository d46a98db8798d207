//! CPU and node lists as the kernel writes them: `0-3,8,10-11`.

/// Ids above this are taken for garbage; Linux knows at most 8192 CPUs.
const MAX_ID: u32 = 65_535;

/// The ids of a list, ascending and each once. Parts that make no sense are left out.
pub fn parse(list: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    for part in list.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        // A stride, as in "0-10:2/4", is valid for writing only; the kernel never prints one.
        let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>()) else {
            continue;
        };
        if last <= MAX_ID {
            ids.extend(first..=last);
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Ascending ids as a list.
pub fn format(ids: &[u32]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = ids;
    while let Some((&first, _)) = rest.split_first() {
        let run = rest.iter().zip(first..).take_while(|(id, expected)| *id == expected).count();
        let last = rest[run - 1];
        parts.push(if run == 1 { first.to_string() } else { format!("{first}-{last}") });
        rest = &rest[run..];
    }
    parts.join(",")
}

/// A list with only the ids that are also in `allowed` (ascending).
pub fn within(ids: &[u32], allowed: &[u32]) -> Vec<u32> {
    ids.iter().copied().filter(|id| allowed.binary_search(id).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_survive_a_round_trip() {
        for list in ["", "0", "0-3", "0-4,10-14", "1-3,8-11", "0,2,4", "1278-1279"] {
            assert_eq!(format(&parse(list)), list);
        }
    }

    #[test]
    fn garbage_is_left_out() {
        assert_eq!(parse("x,3-,-4,2,7-5,0-4294967295,5"), [2, 5]);
        assert_eq!(parse("3,1,1-2\n"), [1, 2, 3]);
    }
}
