//! Results as tables of at most a hundred columns.

use crate::standing::{Line, Standing};
use crate::stats::elo::{Estimate, signed};
use courses::record::Record;
use courses::store::Head;
use std::fmt::Write as _;

/// A number with as many decimals as its size needs.
fn compact(value: f64) -> String {
    match value.abs() {
        v if v == v.trunc() && v < 1e6 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn shortened(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    name.chars().take(width - 1).chain(['…']).collect()
}

fn counted(line: &Line) -> String {
    line.faults.iter().map(|(kind, count)| format!("{count} × {kind}")).collect::<Vec<_>>().join(", ")
}

/// What was seen of each player's faults, the first of each kind; nothing where there are none.
pub fn faults(names: &[String], records: &[Record]) -> String {
    let mut text = String::new();
    for fault in super::faults(records) {
        let name = shortened(&names[fault.player], 24);
        let _ = writeln!(text, "    {name}, game {}: {}: {}", fault.game, fault.kind, fault.detail);
        if !fault.words.is_empty() {
            let _ = writeln!(text, "        it said: {}", fault.words);
        }
        for line in fault.lines {
            let _ = writeln!(text, "        {}", shortened(line, 90));
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Everything about a run's results.
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
    times(&mut text, names, standing);
    text
}

/// Two players: the score and what it proves.
fn duel(text: &mut String, head: &Head, standing: &Standing) {
    let names = &head.names;
    let Some(tally) = standing.duels.get(&(0, 1)) else { return };
    let _ = writeln!(
        text,
        "{} against {}: {} of {} points ({:.1} %): {} won, {} drawn, {} lost",
        names[0],
        names[1],
        compact(tally.points()),
        tally.games(),
        100.0 * tally.score(),
        tally.wins,
        tally.draws,
        tally.losses
    );
    let pairs: u64 = tally.pairs.iter().sum();
    if pairs > 0 {
        let [zero, half, one, more, two] = tally.pairs;
        let _ =
            writeln!(text, "{pairs} pairs with 0, ½, 1, 1½, 2 points: {zero}, {half}, {one}, {more}, {two}");
    }
    if let Some(estimate) = Estimate::of(tally) {
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

/// Many players: points, ratings, the course's score.
fn ranking(text: &mut String, head: &Head, standing: &Standing) {
    let (names, ratings) = (&head.names, standing.ratings(head.seed));
    let skills = standing.skills();
    let of_many = standing.is_of_many();
    let results = if of_many { "1st  2nd  3rd  4th" } else { "won drawn lost" };
    let points = if super::scale(&head.course).is_some() { "marks" } else { "points" };
    let rated = if of_many { "TrueSkill [95 %]" } else { "Elo [95 %]" };
    let _ = writeln!(
        text,
        "{:>3} {:<24} {:>6} {:>8} {:>6}  {:<18} {:>22} {:>9}",
        "", "player", "games", points, "%", results, rated, "score"
    );
    for (rank, player) in standing.order().into_iter().enumerate() {
        let line = &standing.lines[player];
        let results = if of_many {
            line.ranks.iter().map(|count| format!("{count:>3}")).collect::<Vec<_>>().join("  ")
        } else {
            format!("{:>3} {:>5} {:>4}", line.tally.wins, line.tally.draws, line.tally.losses)
        };
        let rating = match &skills {
            Some(skills) => skills[player].text(),
            None => ratings[player].text(),
        };
        let _ = writeln!(
            text,
            "{:>3} {:<24} {:>6} {:>8} {:>6.1}  {:<18} {:>22} {:>9}",
            rank + 1,
            shortened(&names[player], 24),
            line.games,
            compact(super::marks(line.points, &head.course)),
            100.0 * line.points / line.games.max(1) as f64,
            results,
            rating,
            compact(line.score_for)
        );
    }
    if let Some(scale) = super::scale(&head.course) {
        let _ = writeln!(text, "    {scale}");
    }
}

/// Points of each player against each other, in the ranking's order.
fn crosstable(text: &mut String, names: &[String], standing: &Standing) {
    let order = standing.order();
    let _ = write!(text, "\n{:>3} {:<24}", "", "points, % against");
    for rank in 1..=order.len() {
        let _ = write!(text, " {rank:>5}");
    }
    text.push('\n');
    for (rank, &player) in order.iter().enumerate() {
        let _ = write!(text, "{:>3} {:<24}", rank + 1, shortened(&names[player], 24));
        for &other in &order {
            let duel = standing.duels.get(&(player.min(other), player.max(other)));
            let score = duel.map(|tally| if player < other { tally.score() } else { 1.0 - tally.score() });
            match score {
                Some(score) => _ = write!(text, " {:>5.1}", 100.0 * score),
                None => _ = write!(text, " {:>5}", if player == other { "·" } else { "" }),
            }
        }
        text.push('\n');
    }
}

/// Times and faults.
fn times(text: &mut String, names: &[String], standing: &Standing) {
    let _ = writeln!(
        text,
        "\n    {:<24} {:>8} {:>12} {:>12} {:>9}  faults",
        "player", "moves", "ms a move", "slowest ms", "CPU s"
    );
    for (name, line) in names.iter().zip(&standing.lines) {
        let _ = writeln!(
            text,
            "    {:<24} {:>8} {:>12.2} {:>12.1} {:>9.1}  {}",
            shortened(name, 24),
            line.moves,
            line.micros as f64 / 1000.0 / line.moves.max(1) as f64,
            line.slowest as f64 / 1000.0,
            line.cpu as f64 / 1e6,
            if line.faults.is_empty() { "none".to_owned() } else { counted(line) }
        );
    }
}
