//! Searching the index that the page writer made. Pure, so that it is tested natively.

use diagrams::kit::ascending;
use serde::Deserialize;

/// The index as it is fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Index {
    /// Address, title and opening line of each place.
    pub places: Vec<(String, String, String)>,
    /// `word place weight place weight …`, one word a line, sorted.
    words: String,
}

/// A place that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Address relative to the root of the site.
    pub address: String,
    /// Title.
    pub title: String,
    /// How the place opens.
    pub opening: String,
}

/// Most hits shown.
const MOST: usize = 30;
/// Words shorter than this must match as they are or as a beginning.
const FUZZY_FROM: usize = 4;

impl Index {
    /// Places that hold every word of the query, best first. A word matches exactly, as the beginning
    /// of another, or with one letter wrong. The course's words are ASCII: lowering all of Unicode would
    /// cost the browser's download more than the search itself.
    pub fn search(&self, query: &str) -> Vec<Hit> {
        let wanted: Vec<String> = query
            .split(|c: char| !(c.is_alphanumeric() || "_.-/".contains(c)))
            .map(|word| word.trim_matches(['.', '-', '/', '_']).to_ascii_lowercase())
            .filter(|word| !word.is_empty())
            .collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut totals: Vec<Option<u32>> = vec![Some(0); self.places.len()];
        for word in &wanted {
            let scores = self.scores(word);
            for (total, score) in totals.iter_mut().zip(scores) {
                *total = total.filter(|_| score > 0).map(|sum| sum + score);
            }
        }
        let ranks: Vec<f64> =
            totals.iter().map(|total| total.map_or(f64::INFINITY, |t| -f64::from(t))).collect();
        let found = ascending(&ranks).into_iter().filter(|&place| totals[place].is_some());
        found.take(MOST).filter_map(|place| self.hit(place)).collect()
    }

    fn hit(&self, place: usize) -> Option<Hit> {
        let (address, title, opening) = self.places.get(place)?.clone();
        Some(Hit { address, title, opening })
    }

    /// Score of each place for one word.
    fn scores(&self, wanted: &str) -> Vec<u32> {
        let mut scores = vec![0u32; self.places.len()];
        for line in self.words.lines() {
            let mut fields = line.split(' ');
            let closeness = closeness(wanted, fields.next().unwrap_or_default());
            if closeness == 0 {
                continue;
            }
            let mut numbers = fields.filter_map(|field| field.parse::<u32>().ok());
            while let (Some(place), Some(weight)) = (numbers.next(), numbers.next()) {
                if let Some(score) = scores.get_mut(place as usize) {
                    *score = (*score).max(closeness * weight.min(20));
                }
            }
        }
        scores
    }
}

/// 4 for the word itself, 2 for a beginning, 1 for one wrong letter, 0 for none of these.
fn closeness(wanted: &str, word: &str) -> u32 {
    if word == wanted {
        4
    } else if word.starts_with(wanted) {
        2
    } else if wanted.chars().count() >= FUZZY_FROM && one_edit_apart(wanted, word) {
        1
    } else {
        0
    }
}

/// Whether one letter put in, left out or changed, or two swapped, makes one word of the other.
fn one_edit_apart(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[same..], &b[same..]);
    match (rest_a, rest_b) {
        ([_, tail_a @ ..], [_, tail_b @ ..]) if tail_a == tail_b => true,
        ([x, y, tail_a @ ..], [u, v, tail_b @ ..]) if x == v && y == u && tail_a == tail_b => true,
        ([_, tail @ ..], other) | (other, [_, tail @ ..]) if tail == other => true,
        (longer, shorter) => {
            let cut = |long: &[char], short: &[char]| long.len() == short.len() + 1 && &long[1..] == short;
            cut(longer, shorter) || cut(shorter, longer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        let place = |n: usize| (format!("p{n}"), format!("Place {n}"), String::new());
        Index {
            places: (0..3).map(place).collect(),
            words: "cuda 0 1 2 9\ncudamemcpyasync 0 1\nmemory 0 1 1 9\nnuma 1 3\n".into(),
        }
    }

    fn addresses(query: &str) -> Vec<String> {
        index().search(query).into_iter().map(|hit| hit.address).collect()
    }

    #[test]
    fn the_better_place_comes_first() {
        assert_eq!(addresses("memory"), ["p1", "p0"]);
        assert_eq!(addresses("cuda"), ["p2", "p0"]);
    }

    #[test]
    fn every_word_must_match() {
        assert_eq!(addresses("cuda memory"), ["p0"]);
        assert_eq!(addresses("numa nothing"), [""; 0]);
    }

    #[test]
    fn beginnings_and_single_mistakes_match() {
        assert_eq!(addresses("cudaMemcpy"), ["p0"]);
        for typo in ["memorry", "memry", "mamory", "meomry"] {
            assert_eq!(addresses(typo), ["p1", "p0"], "{typo}");
        }
        assert_eq!(addresses("mxmxry"), [""; 0]);
    }

    #[test]
    fn an_empty_query_finds_nothing() {
        assert_eq!(addresses("  ./- "), [""; 0]);
    }
}
