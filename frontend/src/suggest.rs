//! "Did you mean": the nearest of the words that would have been right.

/// The candidate nearest to `word`, if it is near enough to be meant. Among equals, the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let chars: Vec<char> = word.chars().take(MAX_WORD + 1).collect();
    if chars.is_empty() || chars.len() > MAX_WORD {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == word {
            continue;
        }
        let distance = distance(&chars, candidate);
        // A third of the letters may be wrong; one may be in a word of two.
        let longest = chars.len().max(candidate.chars().count());
        let allowed = if longest <= 1 { 0 } else { (longest / 3).max(1) };
        if distance <= allowed && best.is_none_or(|(known, _)| distance < known) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Nobody means a word this long by another one, and the cost grows with the square.
const MAX_WORD: usize = 100;

/// Letters to insert, delete, replace or swap with their neighbour, upper and lower case being one letter.
fn distance(word: &[char], candidate: &str) -> usize {
    let candidate: Vec<char> = candidate.chars().take(MAX_WORD + 1).collect();
    let same = |a: char, b: char| a.eq_ignore_ascii_case(&b);
    let mut before = vec![0; candidate.len() + 1];
    let mut last: Vec<usize> = (0..=candidate.len()).collect();
    let mut row = last.clone();
    for (i, &a) in word.iter().enumerate() {
        row[0] = i + 1;
        for (j, &b) in candidate.iter().enumerate() {
            let replace = last[j] + usize::from(!same(a, b));
            row[j + 1] = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(a, candidate[j - 1]) && same(word[i - 1], b) {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[candidate.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let clauses = ["reduction", "nowait", "private", "copy", "copyin", "gang"];
        for (word, expected) in [
            ("redution", Some("reduction")),
            ("nowiat", Some("nowait")),
            ("Copyn", Some("copy")),
            ("gagn", Some("gang")),
            ("zebra", None),
            ("copy", Some("copyin")),
            ("", None),
        ] {
            assert_eq!(nearest(word, clauses), expected, "{word}");
        }
    }

    #[test]
    fn long_words_cost_nothing() {
        assert_eq!(nearest(&"x".repeat(1 << 20), ["copy"]), None);
    }
}
