//! The results of a run: tables for the terminal, JSON, a page, game files.

pub mod cards;
pub mod page;
mod svg;
pub mod table;
pub mod tuning;

use crate::ranking::ByTheCourse;
use crate::standing::Standing;
use crate::stats::elo::Estimate;
use courses::assignment::Marks;
use courses::fault::{Kind, excerpt};
use courses::record::Record;
use courses::registry;
use courses::results::Tally;
use courses::store::Head;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Returns the course's marks for one point.
#[must_use]
pub fn marks_a_point(course: &str) -> f64 {
    marks_of(course).map_or(1.0, |marks| marks.a_point)
}

/// Describes the scale of the course's marks, if they are not points.
#[must_use]
pub fn scale(course: &str) -> Option<&'static str> {
    marks_of(course).map(|marks| marks.scale)
}

fn marks_of(course: &str) -> Option<Marks> {
    registry::find(course)?.marks()
}

/// Converts points to marks, rounded to six decimals because sums of thirds are not exact.
fn marks(points: f64, course: &str) -> f64 {
    (1e6 * points * marks_a_point(course)).round() / 1e6
}

/// A player's faults of one kind.
struct Faults<'a> {
    player: usize,
    kind: Kind,
    count: u64,
    /// The first game with the fault, and its details.
    game: u64,
    detail: &'a str,
    /// The last line of the player's standard error in that game.
    words: String,
    /// The last lines of the dialogue in that game.
    lines: &'a [String],
}

/// Returns the faults of a run, by player and kind.
fn faults(records: &[Record]) -> Vec<Faults<'_>> {
    let mut seen = BTreeMap::new();
    // Sorted, because games are recorded in the order in which they end.
    let mut records: Vec<&Record> =
        records.iter().filter(|record| !record.played.faults.is_empty()).collect();
    records.sort_by_key(|record| record.game);
    for record in records {
        let played = &record.played;
        for (seat, fault) in &played.faults {
            let player = record.seats[*seat];
            let of = seen.entry((player, fault.kind)).or_insert_with(|| {
                let words = excerpt(played.last_words(*seat));
                let lines = played.last_lines.get(*seat).map_or(&[][..], Vec::as_slice);
                let (kind, detail) = (fault.kind, &fault.detail);
                Faults { player, kind, count: 0, game: record.game, detail, words, lines }
            });
            of.count += 1;
        }
    }
    seen.into_values().collect()
}

/// Returns the distinct remarks of a run's records, by player.
fn remarks(records: &[Record]) -> BTreeSet<(usize, &str)> {
    let of = records.iter().map(|Record { seats, played, .. }| (seats, &played.remarks));
    of.flat_map(|(seats, remarks)| remarks.iter().map(|(seat, text)| (seats[*seat], text.as_str()))).collect()
}

/// Returns a run's results as JSON.
#[must_use]
pub fn json(head: &Head, standing: &Standing, records: &[Record]) -> Value {
    let ratings = standing.ratings();
    let remarks: Vec<String> = standing.remarks().collect();
    let skills = standing.skills();
    let players: Vec<Value> = standing
        .order()
        .into_iter()
        .map(|player| {
            json!({
                "name": head.names[player],
                "player": head.players[player],
                "rating": ratings[player],
                "trueskill": skills.as_ref().map(|skills| skills[player]),
                "results": standing.lines[player],
            })
        })
        .collect();
    // Thousands of pairs of players have the same few results.
    let mut estimates: HashMap<Option<Tally>, Option<Estimate>> = HashMap::new();
    let duels: Vec<Value> = standing
        .duels
        .iter()
        .map(|(&(first, second), tally)| {
            let distinct = standing.evidence.duel(first, second);
            let elo = estimates.entry(distinct).or_insert_with(|| standing.estimate(first, second));
            json!({
                "first": head.names[first],
                "second": head.names[second],
                "tally": tally,
                "distinct": distinct,
                "elo": elo,
            })
        })
        .collect();
    let mut json = json!({ "run": head, "games": standing.games, "repeated": standing.evidence.repeated(),
        "remarks": remarks, "players": players, "duels": duels });
    if let Some(ranking) = ByTheCourse::of(head, records) {
        let of = |player: usize| json!({ "name": head.names[player], "sums": ranking.sums[player] });
        json["course_ranking"] = ranking.order().into_iter().map(of).collect();
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use courses::drawing::Language;
    use courses::record::Played;
    use courses::store::Format;

    #[test]
    fn marks_are_six_four_two_and_nothing_in_table_and_page_and_equals_share() {
        let with_marks = registry::all().into_iter().find(|game| game.marks().is_some()).unwrap();
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let head = Head {
            course: with_marks.name().into(),
            setting: "25x17".into(),
            conditions: String::new(),
            players: names.clone(),
            names: names.clone(),
            seats: 4,
            format: Format::RoundRobin,
            seed: 1,
            time: None,
            programs: Vec::new(),
            ranking: None,
            sandbox: String::new(),
        };
        // Points are fractions of the six marks of the first place.
        let record = |game: u64, marks: [f64; 4]| Record {
            game,
            group: game,
            course: with_marks.name().into(),
            seats: vec![0, 1, 2, 3],
            names: names.clone(),
            opening: String::new(),
            seed: 1,
            played: Played {
                points: marks.map(|marks| marks / 6.0).to_vec(),
                score: marks.map(|marks| 100.0 * marks).to_vec(),
                cpu: vec![0; 4],
                ..Played::default()
            },
        };
        let shown = |records: &[Record]| {
            let standing = Standing::of(4, records);
            let table = table::results(&head, &standing, Language::English);
            let page = page::page(&head, &standing, records, None, Language::English);
            names
                .iter()
                .map(|name| {
                    let row =
                        table.lines().find(|line| line.split_whitespace().nth(1) == Some(name)).unwrap();
                    let in_table = row.split_whitespace().nth(3).unwrap().to_owned();
                    let cells = page.split_once(&format!("<td class='name'>{name}</td><td>")).unwrap().1;
                    let in_page = cells.split("</td><td>").nth(1).unwrap().to_owned();
                    (in_table, in_page)
                })
                .collect::<Vec<_>>()
        };
        let both = |marks: [&str; 4]| marks.map(|marks| (marks.to_owned(), marks.to_owned())).to_vec();
        assert_eq!(shown(&[record(0, [6.0, 4.0, 2.0, 0.0])]), both(["6", "4", "2", "0"]));
        assert_eq!(shown(&[record(0, [5.0, 5.0, 1.0, 1.0])]), both(["5", "5", "1", "1"]));
        let two = [record(0, [6.0, 2.0, 2.0, 2.0]), record(1, [3.0, 3.0, 3.0, 3.0])];
        assert_eq!(shown(&two), both(["9", "5", "5", "5"]));
        let table = table::results(&head, &Standing::of(4, &two), Language::English);
        let words: Vec<&str> = table.split_whitespace().collect();
        assert!(words.join(" ").contains("equals share those of their ranks"), "{table}");
    }
}
