//! Checks printed trees: level by level, with each parent's children in any order, as the assignment allows.

use crate::fault::excerpt;
use search_core::Position as _;
use uttt::rules::{Integer, State};

/// The first error in a printed tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The tree ends before this level. Blank lines are not levels.
    #[error("level {0} is missing")]
    Short(usize),
    /// There are too many levels.
    #[error("{got} levels instead of {expected}")]
    Long {
        /// The number of levels of the tree.
        expected: usize,
        /// The number of lines that are not blank.
        got: usize,
    },
    /// A level has too few or too many positions.
    #[error("level {level}: {got} positions instead of {expected}")]
    Count {
        /// The level, 0 for the root.
        level: usize,
        /// The number of children of the level above.
        expected: usize,
        /// The number of words on the line.
        got: usize,
    },
    /// A word is not one of the children that belong there.
    #[error("level {level}, position {place}: \"{word}\" is none of the children that belong there")]
    Child {
        /// The level, 0 for the root.
        level: usize,
        /// The place on the line, from 1.
        place: usize,
        /// The offending word.
        word: String,
    },
    /// A child is printed twice and another is missing.
    #[error("level {level}: the child {missing} of {parent} is missing")]
    Missing {
        /// The level, 0 for the root.
        level: usize,
        /// The parent, as printed in the level above.
        parent: Integer,
        /// The missing child.
        missing: Integer,
    },
}

/// Checks a tree of `depth` levels below its root. The children of a position are consecutive, in any order. Their
/// groups are in the order of the level above.
///
/// # Errors
/// The first error.
pub fn check(printed: &str, root: &State, depth: usize) -> Result<(), TreeError> {
    let mut lines = printed.lines().filter(|line| !line.trim().is_empty());
    let got = lines.clone().count();
    let mut groups = vec![vec![(root.integer(), *root)]];
    let mut parents: Vec<(Integer, State)> = Vec::new();
    let mut levels = 0;
    for level in 0..=depth {
        let expected = groups.iter().map(Vec::len).sum();
        if expected == 0 {
            break;
        }
        levels += 1;
        let line = lines.next().ok_or(TreeError::Short(level))?;
        let mut words = line.split_whitespace();
        let got = words.clone().count();
        if got != expected {
            return Err(TreeError::Count { level, expected, got });
        }
        let mut place = 0;
        let mut printed = Vec::with_capacity(expected);
        for (nth, group) in groups.iter().enumerate() {
            let mut is_there = vec![false; group.len()];
            for word in words.by_ref().take(group.len()) {
                place += 1;
                let child = || TreeError::Child { level, place, word: excerpt(word) };
                let integer: Integer = word.parse().map_err(|_| child())?;
                let at = group.iter().position(|child| child.0 == integer).ok_or_else(child)?;
                is_there[at] = true;
                printed.push(group[at]);
            }
            if let Some(at) = is_there.iter().position(|is_there| !is_there) {
                return Err(TreeError::Missing { level, parent: parents[nth].0, missing: group[at].0 });
            }
        }
        parents = printed;
        if level < depth {
            groups = parents.iter().map(|(_, state)| children(state)).collect();
        }
    }
    if got == levels { Ok(()) } else { Err(TreeError::Long { expected: levels, got }) }
}

fn children(state: &State) -> Vec<(Integer, State)> {
    let child = |cell| {
        let mut child = *state;
        child.play(cell);
        (child.integer(), child)
    };
    state.move_list().into_iter().map(child).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "459329034283597291728327479273734123420780266358036";
    const SECOND: &str = "319024877099830611580773735332970962541009996973332";
    const FIRST: &str = "330716890198477834926403213994701218254008155997460";

    /// Returns the levels of a tree with the children in the order of `arrange`.
    fn printed(
        root: &State,
        depth: usize,
        mut arrange: impl FnMut(&mut Vec<(Integer, State)>),
    ) -> Vec<Vec<String>> {
        let (mut levels, mut level) = (Vec::new(), vec![(root.integer(), *root)]);
        for _ in 0..=depth {
            levels.push(level.iter().map(|(integer, _)| integer.to_string()).collect());
            let grouped = level.iter().map(|(_, state)| children(state));
            level = grouped
                .flat_map(|mut group| {
                    arrange(&mut group);
                    group
                })
                .collect();
        }
        levels
    }

    fn text(levels: &[Vec<String>]) -> String {
        levels.iter().map(|level| level.join(" ") + " \n").collect()
    }

    /// Returns a tree with every group of children in another order.
    fn shuffled(root: &State, depth: usize) -> Vec<Vec<String>> {
        let mut turn = 0;
        printed(root, depth, |group| {
            turn += 1;
            if !group.is_empty() {
                let by = turn % group.len();
                group.rotate_left(by);
            }
            if turn % 2 == 0 {
                group.reverse();
            }
        })
    }

    #[test]
    fn the_assignments_own_example_is_right_in_both_orders() {
        let root: State = EXAMPLE.parse().unwrap();
        for line in [format!("{FIRST} {SECOND}"), format!("{SECOND} {FIRST} ")] {
            assert_eq!(check(&format!("{EXAMPLE}\n{line}\n"), &root, 1), Ok(()));
            assert_eq!(check(&format!("{EXAMPLE} \r\n\n  {line}"), &root, 1), Ok(()));
        }
    }

    #[test]
    fn children_may_stand_in_any_order_behind_their_parents() {
        for (root, depth) in [(State::start(), 3), (EXAMPLE.parse().unwrap(), 3)] {
            for levels in [printed(&root, depth, |_| ()), shuffled(&root, depth)] {
                assert_eq!(check(&text(&levels), &root, depth), Ok(()));
            }
        }
        // Both of its moves win, so there is no second level.
        let root: State = EXAMPLE.parse().unwrap();
        assert_eq!(check(&format!("{EXAMPLE}\n{FIRST} {SECOND}\n\n"), &root, 3), Ok(()));
    }

    #[test]
    fn a_wrong_tree_is_found_out_whatever_its_order() {
        let root = State::start();
        let right = shuffled(&root, 2);
        let wrong = |change: fn(&mut Vec<Vec<String>>)| {
            let mut levels = right.clone();
            change(&mut levels);
            check(&text(&levels), &root, 2).unwrap_err().to_string()
        };
        // The groups of two parents are exchanged.
        assert!(wrong(|levels| levels[2].rotate_left(9)).contains("none of the children that belong there"));
        // The parents are in another order than their groups.
        assert!(wrong(|levels| levels[1].reverse()).starts_with("level 2, position "));
        // Two children of neighbouring groups are exchanged.
        assert!(wrong(|levels| levels[2].swap(8, 9)).starts_with("level 2, position "));
        assert!(wrong(|levels| levels[2].sort()).starts_with("level 2, position "));
        let twice = wrong(|levels| levels[2][0] = levels[2][1].clone());
        assert!(twice.starts_with("level 2: the child ") && twice.ends_with(" is missing"), "{twice}");
        assert_eq!(wrong(|levels| drop(levels[2].pop())), "level 2: 719 positions instead of 720");
        assert_eq!(wrong(|levels| levels[1].push("5".into())), "level 1: 82 positions instead of 81");
        assert!(wrong(|levels| levels[1][3] = "x".into()).starts_with("level 1, position 4: \"x\""));
        assert_eq!(wrong(|levels| drop(levels.pop())), "level 2 is missing");
        assert_eq!(wrong(|levels| levels.push(vec!["1".into()])), "4 levels instead of 3");
        assert_eq!(
            wrong(|levels| levels[0][0] = "1".into()),
            "level 0, position 1: \"1\" is none of the children that belong there"
        );
        assert_eq!(check("", &root, 2), Err(TreeError::Short(0)));
    }

    #[test]
    fn a_state_that_two_parents_share_has_its_children_twice() {
        let drawn = super::super::positions(5, 60).into_iter().filter(|state| state.occupied() > 50);
        let mut repeated = 0;
        for root in drawn {
            let levels = shuffled(&root, 4);
            assert_eq!(check(&text(&levels), &root, 4), Ok(()), "{root}");
            let distinct: std::collections::BTreeSet<_> = levels[4].iter().collect();
            repeated += levels[4].len() - distinct.len();
        }
        assert!(repeated > 0);
    }
}
