//! Differences between two texts of a page. A click changes little of it.

use std::collections::HashMap;
use std::fmt::Write as _;

/// Maximum number of candidates for one part.
const CANDIDATES: usize = 16;

/// Returns the change from `before` to `after` as JSON. `[FIRST,COUNT]` are parts of `before`, which is split at `<`.
/// Texts are new parts. The result is joined by `<`.
#[must_use]
pub fn change(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('<').collect(), after.split('<').collect());
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (nth, part) in old.iter().enumerate() {
        places.entry(part).or_default().push(nth);
    }
    let same = |from: usize, to: usize| {
        old[from..].iter().zip(&new[to..]).take_while(|(old, new)| old == new).count()
    };
    let mut said = String::from("[");
    let (mut next, mut at) = (0, 0);
    let mut fresh: Vec<&str> = Vec::new();
    while at < new.len() {
        // Of runs of the same length the one after the previous run is best.
        let known = places.get(new[at]).map(Vec::as_slice).unwrap_or_default();
        let first = known.partition_point(|&place| place < next);
        let near = known[first..].iter().take(CANDIDATES).chain(known[..first].iter().rev().take(CANDIDATES));
        let best =
            near.map(|&from| (same(from, at), from)).max_by_key(|&(count, from)| (count, from == next));
        match best {
            Some((count, from)) if count > 1 || new[at].len() > 8 => {
                flush(&mut said, &mut fresh);
                let _ = write!(said, "[{from},{count}],");
                (next, at) = (from + count, at + count);
            }
            _ => {
                fresh.push(new[at]);
                at += 1;
            }
        }
    }
    flush(&mut said, &mut fresh);
    let whole = said.trim_end_matches(',').len();
    said.truncate(whole);
    said.push(']');
    said
}

fn flush(said: &mut String, fresh: &mut Vec<&str>) {
    if !fresh.is_empty() {
        let text = serde_json::Value::from(fresh.join("<"));
        let _ = write!(said, "{text},");
        fresh.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(before: &str, change: &str) -> String {
        let parts: Vec<&str> = before.split('<').collect();
        let steps: Vec<serde_json::Value> = serde_json::from_str(change).unwrap();
        let step = |step: &serde_json::Value| match step.as_str() {
            Some(text) => vec![text.to_owned()],
            None => {
                let number = |nth: usize| step[nth].as_u64().unwrap() as usize;
                parts[number(0)..number(0) + number(1)].iter().map(|part| (*part).to_owned()).collect()
            }
        };
        steps.iter().flat_map(step).collect::<Vec<_>>().join("<")
    }

    #[test]
    fn a_change_makes_the_text_after_of_the_text_before() {
        let row = |marks: &str| marks.chars().map(|mark| format!("<td>{mark}</td>")).collect::<String>();
        let texts = ["", "<", "a", "<<b<", "\"<é\n<", &row("abcabcabc"), &row("abcxabcabc"), &row("bcabcab")];
        for before in texts {
            for after in texts {
                let change = change(before, after);
                assert_eq!(made(before, &change), after, "{before} {change}");
            }
        }
        let (before, after) =
            (row(&"ab".repeat(500)), row(&format!("{}x{}", "ab".repeat(250), "ab".repeat(250))));
        let change = change(&before, &after);
        assert!(change.len() < 80, "{change}");
    }
}
