//! Result tables, at most a hundred columns wide. Longer text is wrapped within its cell.

use crate::pairing::Swiss;
use crate::ranking::ByTheCourse;
use crate::standing::Standing;
use crate::stats::elo::signed;
use crate::suite::{Attempt, Summary};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use courses::record::Record;
use courses::results::{Line, SearchTotals};
use courses::store::Head;
use courses::suite::Problem;
use std::fmt::Write as _;

/// Formats a number with as many decimals as its size needs.
pub(super) fn compact(value: f64) -> String {
    match value.abs() {
        v if v == v.trunc() && v < 1e6 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn counted(line: &Line) -> String {
    line.faults.iter().map(|(kind, count)| format!("{count} × {kind}")).collect::<Vec<_>>().join(", ")
}

/// Maximum width of the output.
const WIDTH: u16 = 100;
/// Maximum width of a name in a table. Longer names are wrapped.
const NAME: u16 = 24;

/// Formats a table without lines. Columns whose head begins with `<` are left-aligned.
fn table(heads: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(heads.iter().map(|head| head.trim_start_matches('<')));
    table.add_rows(rows);
    for (nth, head) in heads.iter().enumerate() {
        let Some(column) = table.column_mut(nth) else { continue };
        let is_left = head.starts_with('<');
        column.set_cell_alignment(if is_left { CellAlignment::Left } else { CellAlignment::Right });
        column.set_padding((if nth == 0 { 2 } else { 0 }, if nth + 1 == heads.len() { 0 } else { 2 }));
        if *head == "<player" || head.starts_with("<points") {
            use comfy_table::{ColumnConstraint, Width};
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(NAME + 2)));
        }
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Wraps lines of text, indented by `blanks`.
fn indented(blanks: u16, text: &str) -> String {
    let mut lines = Table::new();
    lines.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    lines.add_row([text]);
    if let Some(column) = lines.column_mut(0) {
        column.set_padding((blanks, 0));
    }
    lines.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Formats each player's faults, the first of each kind in detail, and the remarks on it. Empty if there are none.
#[must_use]
pub fn faults(names: &[String], records: &[Record]) -> String {
    let mut text = String::new();
    for fault in super::faults(records) {
        let name = &names[fault.player];
        text += &indented(4, &format!("{name}, game {}: {}: {}", fault.game, fault.kind, fault.detail));
        if !fault.words.is_empty() {
            text += &indented(8, &format!("it said: {}", fault.words));
        }
        for line in fault.lines {
            text += &indented(8, line);
        }
    }
    for (player, remark) in super::remarks(records) {
        text += &indented(4, &format!("{}: {remark}", names[player]));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Formats a run's results.
#[must_use]
pub fn results(head: &Head, standing: &Standing) -> String {
    let names = &head.names[..];
    let mut text = String::new();
    if names.len() == 2 && standing.duels.len() == 1 {
        duel(&mut text, head, standing);
    } else {
        ranking(&mut text, head, standing);
        if names.len() > 2 && names.len() <= 12 {
            crosstable(&mut text, names, standing);
        }
    }
    for remark in standing.remarks() {
        text.push_str(&indented(0, &remark));
    }
    times(&mut text, names, standing);
    text
}

/// Formats the score of two players and its statistics.
fn duel(text: &mut String, head: &Head, standing: &Standing) {
    let names = &head.names;
    let Some(tally) = standing.duels.get(&(0, 1)) else { return };
    let who = format!("{} against {}: ", names[0], names[1]);
    let (who, between) = if who.chars().count() > 40 { (indented(0, &who), "    ") } else { (who, "") };
    let _ = writeln!(
        text,
        "{who}{between}{} of {} points ({:.1} %): {} won, {} drawn, {} lost",
        compact(tally.points()),
        tally.games(),
        100.0 * tally.score(),
        tally.wins,
        tally.draws,
        tally.losses
    );
    let distinct = standing.evidence.duel(0, 1).unwrap_or_default();
    let pairs: u64 = distinct.pairs.iter().sum();
    if pairs > 0 {
        let [zero, half, one, more, two] = distinct.pairs;
        let unit = if pairs == 1 { "pair" } else { "pairs" };
        let _ =
            writeln!(text, "{pairs} {unit} with 0, ½, 1, 1½, 2 points: {zero}, {half}, {one}, {more}, {two}");
    }
    if let Some(estimate) = standing.estimate(0, 1) {
        let over = if pairs > 0 { "pairs" } else { "games" };
        let _ = writeln!(
            text,
            "Elo {} (95 %, over {over}), normalised {}, superior with {:.1} %",
            estimate.text(),
            signed(estimate.normalised),
            100.0 * estimate.superiority
        );
    }
    let line = &standing.lines[0];
    if line.score_for != line.points && line.games > 0 {
        let games = line.games as f64;
        let _ = writeln!(
            text,
            "course's score: {} to {} in all, {} to {} a game",
            compact(line.score_for),
            compact(line.score_against),
            compact(line.score_for / games),
            compact(line.score_against / games)
        );
    }
}

/// Formats the ranking of many players: points, ratings, the course's score.
fn ranking(text: &mut String, head: &Head, standing: &Standing) {
    let names = &head.names;
    let skills = standing.skills();
    let of_many = standing.is_of_many();
    let points = if super::scale(&head.course).is_some() { "marks" } else { "points" };
    let rated = if of_many { "TrueSkill [95 %]" } else { "Elo [95 %]" };
    let results: &[&str] = if of_many { &["1st", "2nd", "3rd", "4th"] } else { &["won", "drawn", "lost"] };
    let heads = [&["", "<player", "games", points, "%"], results, &[rated, "score"]].concat();
    let row = |(player, place): (usize, usize)| {
        let line = &standing.lines[player];
        let share = 100.0 * line.points / line.games.max(1) as f64;
        let marks = compact(super::marks(line.points, &head.course));
        let mut row = vec![
            place.to_string(),
            names[player].clone(),
            line.games.to_string(),
            marks,
            format!("{share:.1}"),
        ];
        let tally = &line.tally;
        let results = if of_many { line.ranks.to_vec() } else { vec![tally.wins, tally.draws, tally.losses] };
        row.extend(results.iter().map(u64::to_string));
        row.push(match &skills {
            Some(skills) => skills[player].text(),
            None => standing.ratings()[player].text(),
        });
        row.push(compact(line.score_for));
        row
    };
    text.push_str(&table(&heads, standing.order().into_iter().zip(standing.places()).map(row).collect()));
    if let Some(scale) = super::scale(&head.course) {
        text.push_str(&indented(2, scale));
    }
}

/// Formats the points of each player against each other, in the ranking's order.
fn crosstable(text: &mut String, names: &[String], standing: &Standing) {
    let order = standing.order();
    let places: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let mut heads = vec!["", "<points, % against"];
    heads.extend(places.iter().map(String::as_str));
    let cell = |player: usize, other: usize| {
        let duel = standing.duels.get(&(player.min(other), player.max(other)));
        let score = duel.map(|tally| if player < other { tally.score() } else { 1.0 - tally.score() });
        let none = if player == other { "·" } else { "" };
        score.map_or_else(|| none.to_owned(), |score| format!("{:.1}", 100.0 * score))
    };
    let row = |(place, &player): (usize, &usize)| {
        let mut row = vec![(place + 1).to_string(), names[player].clone()];
        row.extend(order.iter().map(|&other| cell(player, other)));
        row
    };
    text.push('\n');
    text.push_str(&table(&heads, order.iter().enumerate().map(row).collect()));
}

/// Formats times, search reports and faults.
fn times(text: &mut String, names: &[String], standing: &Standing) {
    let told = standing.lines.iter().any(|line| line.told != SearchTotals::default());
    let mut heads = vec!["<player", "moves", "ms a move", "slowest ms", "CPU s"];
    heads.extend(if told { &["depth", "kn/s"][..] } else { &[] });
    heads.push("<faults");
    let shown = |value: Option<f64>| value.map_or_else(|| "·".to_owned(), |value| format!("{value:.1}"));
    let row = |(name, line): (&String, &Line)| {
        let mut row = vec![
            name.clone(),
            line.moves.to_string(),
            format!("{:.2}", line.micros as f64 / 1000.0 / line.moves.max(1) as f64),
            format!("{:.1}", line.slowest as f64 / 1000.0),
            format!("{:.1}", line.cpu as f64 / 1e6),
        ];
        row.extend(if told { vec![shown(line.told.depth()), shown(line.told.speed())] } else { Vec::new() });
        row.push(if line.faults.is_empty() { "none".to_owned() } else { counted(line) });
        row
    };
    text.push('\n');
    text.push_str(&table(&heads, names.iter().zip(&standing.lines).map(row).collect()));
}

/// Formats the standing of a Swiss tournament: points including byes, then the sum of the opponents' points.
#[must_use]
pub fn rounds(names: &[String], swiss: &Swiss, count: u64) -> String {
    let buchholz = swiss.buchholz();
    let mut order = swiss.order();
    order.sort_by(|&a, &b| {
        swiss.points[b].total_cmp(&swiss.points[a]).then(buchholz[b].total_cmp(&buchholz[a]))
    });
    let row = |(place, &player): (usize, &usize)| {
        let bye = if swiss.byes.contains(&player) { "1" } else { "" };
        vec![
            (place + 1).to_string(),
            names[player].clone(),
            (player + 1).to_string(),
            compact(swiss.points[player]),
            compact(buchholz[player]),
            bye.to_owned(),
        ]
    };
    let heads = ["", "<player", "seed", "points", "Buchholz", "byes"];
    let rows = order.iter().enumerate().map(row).collect();
    format!("Swiss system, {count} rounds\n{}", table(&heads, rows))
}

/// A meeting of a knockout.
pub struct Bracket {
    /// The first player.
    pub first: usize,
    /// The second player, or `None` for a bye.
    pub second: Option<usize>,
    /// The points of both.
    pub points: Option<[f64; 2]>,
    /// The player that advances to the next round.
    pub winner: usize,
}

/// Formats a knockout, round by round.
#[must_use]
pub fn knockout(names: &[String], rounds: &[Vec<Bracket>]) -> String {
    let mut text = String::new();
    for (nth, meetings) in rounds.iter().enumerate() {
        let name = match rounds.len() - nth {
            1 => "final".to_owned(),
            2 => "semi-finals".to_owned(),
            _ => format!("round {}", nth + 1),
        };
        let row = |of: &Bracket| {
            let score = of.points.map(|[a, b]| format!("{} : {}", compact(a), compact(b)));
            let seeded = |player: usize| format!("{} ({})", names[player], player + 1);
            vec![
                seeded(of.first),
                of.second.map_or_else(|| "a bye".to_owned(), seeded),
                score.unwrap_or_default(),
                names[of.winner].clone(),
            ]
        };
        let heads = ["<player", "<against", "points", "<goes on"];
        let _ = write!(text, "{name}\n{}\n", table(&heads, meetings.iter().map(row).collect()));
    }
    text
}

/// Formats the course's ranking: the first seat's score minus the second's over all games at a depth, and over the replays of ties at other
/// depths. Returns `None` for a run without this ranking.
pub fn of_the_course(head: &Head, records: &[Record]) -> Option<String> {
    let ranking = ByTheCourse::of(head, records)?;
    let (names, order) = (&head.names, ranking.order());
    let ByTheCourse { sums, depth } = ranking;
    let levels = sums.iter().map(Vec::len).max().unwrap_or(0);
    let depths: Vec<String> =
        (0..levels).map(|more| format!("depth {}", usize::from(depth) + more)).collect();
    let mut heads = vec!["", "<player"];
    heads.extend(depths.iter().map(String::as_str));
    let places = courses::results::places(&order.iter().map(|&player| &sums[player]).collect::<Vec<_>>());
    let row = |(place, &player): (&usize, &usize)| {
        let mut row = vec![place.to_string(), names[player].clone()];
        row.extend(sums[player].iter().map(|sum| format!("{sum:+}")));
        row.resize(heads.len(), String::new());
        row
    };
    let rows = places.iter().zip(&order).map(row).collect();
    Some(format!("as the course ranks: red less blue; ties replayed\n{}", table(&heads, rows)))
}

/// Formats each player's solutions of a suite, then every problem that somebody did not solve.
pub fn suite(names: &[String], problems: &[Problem], attempts: &[Vec<Attempt>]) -> String {
    let row = |(name, attempts): (&String, &Vec<Attempt>)| {
        let Summary { solved, problems, millis, slowest, faults, .. } = Summary::of(attempts);
        let of = Summary::of(attempts);
        let mean =
            |sum: f64, count: usize| if count == 0 { "·".into() } else { compact(sum / count as f64) };
        let told = |sum: f64, count: usize| match (count, solved) {
            (0, 1..) => "not told".to_owned(),
            _ => mean(sum, count),
        };
        vec![
            name.clone(),
            solved.to_string(),
            format!("{:.1}", 100.0 * solved as f64 / problems.max(1) as f64),
            told(of.settled_millis, of.settled),
            mean(millis, solved),
            compact(slowest.round()),
            told(of.settled_nodes as f64, of.settled_told),
            told(of.nodes as f64, of.told),
            faults.to_string(),
        ]
    };
    let heads = [
        "<player",
        "solved",
        "%",
        "ms to solution",
        "ms in all",
        "slowest ms",
        "nodes to solution",
        "nodes in all",
        "faults",
    ];
    let mut text = table(&heads, names.iter().zip(attempts).map(row).collect());
    let unsolved: Vec<usize> =
        (0..problems.len()).filter(|&nth| attempts.iter().any(|of| !of[nth].solved)).collect();
    if unsolved.is_empty() {
        return text;
    }
    let row = |&nth: &usize| {
        let mut row = vec![problems[nth].name.clone(), problems[nth].best.join(" ")];
        row.extend(attempts.iter().map(|of| match (&of[nth].mv, of[nth].solved) {
            (Some(_), true) => "solved".to_owned(),
            (Some(mv), false) => mv.clone(),
            (None, _) => of[nth].fault.clone().unwrap_or_default(),
        }));
        row
    };
    let left: Vec<String> = names.iter().map(|name| format!("<{name}")).collect();
    let heads: Vec<&str> =
        ["<unsolved", "<best"].into_iter().chain(left.iter().map(String::as_str)).collect();
    let _ = write!(text, "\n{}", table(&heads, unsolved.iter().map(row).collect()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_tables_within_their_width() {
        let name = "a player whose name is its whole command line --with --many --options 田中".to_owned();
        let text = table(
            &["", "<player", "n", "<faults"],
            vec![vec![
                "1".into(),
                name.clone(),
                "12".into(),
                "3 × illegal move, 4 × time loss, 5 × protocol error, 6 × output flood, 7 × hang".into(),
            ]],
        );
        assert!(text.lines().all(|line| line.chars().count() <= usize::from(WIDTH)), "{text}");
        assert!(name.split(' ').all(|word| text.contains(word)), "nothing is left out: {text}");
        let text = indented(4, &"word ".repeat(60));
        assert!(text.lines().count() > 2 && text.lines().all(|line| line.starts_with("    word")), "{text}");
    }
}
