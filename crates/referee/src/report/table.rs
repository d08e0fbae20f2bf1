//! Result tables, at most a hundred columns wide. Longer text is wrapped within its cell.

use crate::pairing::Swiss;
use crate::ranking::ByTheCourse;
use crate::standing::Standing;
use crate::stats::elo::signed;
use crate::suite::{Attempt, Summary};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use courses::drawing::Language;
use courses::french::say;
use courses::record::Record;
use courses::results::{Line, SearchTotals};
use courses::store::Head;
use courses::suite::Problem;
use std::fmt::Write as _;

/// Formats a number with these decimals in a language.
pub(super) fn decimal(value: f64, decimals: usize, language: Language) -> String {
    language.number(&format!("{value:.decimals$}"))
}

/// Formats a rating with its interval in a language. Commas within numbers leave semicolons between them.
pub(super) fn rating(text: &str, language: Language) -> String {
    language.number(&text.replace(", ", language.choose(" ; ", ", ")))
}

/// Formats a number in a language like [`compact`].
pub(super) fn short(value: f64, language: Language) -> String {
    language.number(&compact(value))
}

/// Formats a number with as many decimals as its size needs.
pub(super) fn compact(value: f64) -> String {
    match value.abs() {
        v if v == v.trunc() && v < 1e6 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn counted(line: &Line, language: Language) -> String {
    let of = line.faults.iter().map(|(kind, count)| format!("{count} × {}", say(kind.name(), language)));
    of.collect::<Vec<_>>().join(", ")
}

/// Maximum width of the output.
const WIDTH: u16 = 100;
/// Maximum width of a name in a table. Longer names are wrapped.
const NAME: u16 = 24;

/// Maximum length of an indented text in characters.
const MOST: usize = 2_000;

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
        if ["<player", "<joueur"].contains(head) || head.starts_with("<points") {
            use comfy_table::{ColumnConstraint, Width};
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(NAME + 2)));
        }
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Wraps lines of text, indented by `blanks`. Shows the start of a text that is longer than any of a run's own: to wrap a
/// word takes the square of its length.
fn indented(blanks: u16, text: &str) -> String {
    let cut = text.char_indices().nth(MOST).map(|(end, _)| format!("{}…", &text[..end]));
    let text = cut.as_deref().unwrap_or(text);
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
pub fn faults(names: &[String], records: &[Record], language: Language) -> String {
    let mut text = String::new();
    let (game, colon) = (language.choose("partie", "game"), language.colon());
    for fault in super::faults(records) {
        let name = &names[fault.player];
        let told = say(&format!("{}: {}", fault.kind, fault.detail), language);
        text += &indented(4, &format!("{name}, {game} {}{colon}{told}", fault.game + 1));
        if !fault.words.is_empty() {
            let said = language.choose("il disait", "it said");
            text += &indented(8, &format!("{said}{colon}{}", fault.words));
        }
        for line in fault.lines {
            text += &indented(8, line);
        }
    }
    for (player, remark) in super::remarks(records) {
        text += &indented(4, &format!("{}{colon}{}", names[player], say(remark, language)));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Formats a run's results.
#[must_use]
pub fn results(head: &Head, standing: &Standing, language: Language) -> String {
    let names = &head.names[..];
    let mut text = String::new();
    if names.len() == 2 && standing.duels.len() == 1 {
        duel(&mut text, head, standing, language);
    } else {
        ranking(&mut text, head, standing, language);
        if names.len() > 2 && names.len() <= 12 {
            crosstable(&mut text, names, standing, language);
        }
    }
    for remark in standing.remarks() {
        text.push_str(&indented(0, &say(&remark, language)));
    }
    times(&mut text, names, standing, language);
    text
}

/// Formats the score of two players and its statistics.
fn duel(text: &mut String, head: &Head, standing: &Standing, language: Language) {
    let names = &head.names;
    let Some(tally) = standing.duels.get(&(0, 1)) else { return };
    let number = |value: f64| short(value, language);
    let tenths = |value: f64| decimal(value, 1, language);
    let against = language.choose("contre", "against");
    let who = format!("{} {against} {}{}", names[0], names[1], language.colon());
    let (who, between) = if who.chars().count() > 40 { (indented(0, &who), "    ") } else { (who, "") };
    let (points, games, share) = (number(tally.points()), tally.games(), tenths(100.0 * tally.score()));
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    let french =
        format!("{points} points sur {games} ({share} %) : gagnées {wins}, nulles {draws}, perdues {losses}");
    let english = format!("{points} of {games} points ({share} %): {wins} won, {draws} drawn, {losses} lost");
    let _ = writeln!(text, "{who}{between}{}", language.choose(&french, &english));
    let distinct = standing.evidence.duel(0, 1).unwrap_or_default();
    let pairs: u64 = distinct.pairs.iter().sum();
    if pairs > 0 {
        let [zero, half, one, more, two] = distinct.pairs;
        let unit = match (language, pairs) {
            (Language::French, 1) => "paire à",
            (Language::French, _) => "paires à",
            (Language::English, 1) => "pair with",
            (Language::English, _) => "pairs with",
        };
        let colon = language.colon();
        let _ =
            writeln!(text, "{pairs} {unit} 0, ½, 1, 1½, 2 points{colon}{zero}, {half}, {one}, {more}, {two}");
    }
    if let Some(estimate) = standing.estimate(0, 1) {
        let over = match pairs > 0 {
            true => language.choose("sur les paires", "over pairs"),
            false => language.choose("sur les parties", "over games"),
        };
        let (normalised, superior) =
            (language.choose("normalisé", "normalised"), language.choose("supérieur à", "superior with"));
        let _ = writeln!(
            text,
            "Elo {} (95 %, {over}), {normalised} {}, {superior} {} %",
            rating(&estimate.text(), language),
            language.number(&signed(estimate.normalised)),
            tenths(100.0 * estimate.superiority)
        );
    }
    let line = &standing.lines[0];
    if line.score_for != line.points && line.games > 0 {
        let games = line.games as f64;
        let [all, other, mean, mean_other] =
            [line.score_for, line.score_against, line.score_for / games, line.score_against / games]
                .map(number);
        let french = format!("score du cours : {all} à {other} en tout, {mean} à {mean_other} par partie");
        let english = format!("course's score: {all} to {other} in all, {mean} to {mean_other} a game");
        let _ = writeln!(text, "{}", language.choose(&french, &english));
    }
}

/// Formats the ranking of many players: points, ratings, the course's score.
fn ranking(text: &mut String, head: &Head, standing: &Standing, language: Language) {
    let names = &head.names;
    let skills = standing.skills();
    let of_many = standing.is_of_many();
    let points =
        if super::scale(&head.course).is_some() { language.choose("barème", "marks") } else { "points" };
    let rated = if of_many { "TrueSkill [95 %]" } else { "Elo [95 %]" };
    let results: &[&str] = match (of_many, language) {
        (true, Language::French) => &["1er", "2e", "3e", "4e"],
        (true, Language::English) => &["1st", "2nd", "3rd", "4th"],
        (false, Language::French) => &["gagnées", "nulles", "perdues"],
        (false, Language::English) => &["won", "drawn", "lost"],
    };
    let (player, games) = (language.choose("<joueur", "<player"), language.choose("parties", "games"));
    let heads = [&["", player, games, points, "%"], results, &[rated, "score"]].concat();
    let row = |(player, place): (usize, usize)| {
        let line = &standing.lines[player];
        let share = 100.0 * line.points / line.games.max(1) as f64;
        let marks = short(super::marks(line.points, &head.course), language);
        let mut row = vec![
            place.to_string(),
            names[player].clone(),
            line.games.to_string(),
            marks,
            decimal(share, 1, language),
        ];
        let tally = &line.tally;
        let results = if of_many { line.ranks.to_vec() } else { vec![tally.wins, tally.draws, tally.losses] };
        row.extend(results.iter().map(u64::to_string));
        let rated = match &skills {
            Some(skills) => skills[player].text(),
            None => standing.ratings()[player].text(),
        };
        row.push(rating(&rated, language));
        row.push(short(line.score_for, language));
        row
    };
    text.push_str(&table(&heads, standing.order().into_iter().zip(standing.places()).map(row).collect()));
    if let Some(scale) = super::scale(&head.course) {
        text.push_str(&indented(2, &say(scale, language)));
    }
}

/// Formats the points of each player against each other, in the ranking's order.
fn crosstable(text: &mut String, names: &[String], standing: &Standing, language: Language) {
    let order = standing.order();
    let places: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let mut heads = vec!["", language.choose("<points, % contre", "<points, % against")];
    heads.extend(places.iter().map(String::as_str));
    let cell = |player: usize, other: usize| {
        let duel = standing.duels.get(&(player.min(other), player.max(other)));
        let score = duel.map(|tally| if player < other { tally.score() } else { 1.0 - tally.score() });
        let none = if player == other { "·" } else { "" };
        score.map_or_else(|| none.to_owned(), |score| decimal(100.0 * score, 1, language))
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
fn times(text: &mut String, names: &[String], standing: &Standing, language: Language) {
    let told = standing.lines.iter().any(|line| line.times.told != SearchTotals::default());
    let mut heads = match language {
        Language::French => vec!["<joueur", "coups", "ms par coup", "ms au plus", "s CPU"],
        Language::English => vec!["<player", "moves", "ms a move", "slowest ms", "CPU s"],
    };
    heads.extend(if told { vec![language.choose("profondeur", "depth"), "kn/s"] } else { Vec::new() });
    heads.push(language.choose("<fautes", "<faults"));
    let tenths = |value: f64| decimal(value, 1, language);
    let shown = |value: Option<f64>| value.map_or_else(|| "·".to_owned(), tenths);
    let row = |(name, line): (&String, &Line)| {
        let mut row = vec![
            name.clone(),
            line.times.moves.to_string(),
            decimal(line.times.micros as f64 / 1000.0 / line.times.moves.max(1) as f64, 2, language),
            tenths(line.times.slowest as f64 / 1000.0),
            tenths(line.cpu as f64 / 1e6),
        ];
        row.extend(if told {
            vec![shown(line.times.told.depth()), shown(line.times.told.speed())]
        } else {
            Vec::new()
        });
        let none = language.choose("aucune", "none");
        row.push(if line.faults.is_empty() { none.to_owned() } else { counted(line, language) });
        row
    };
    text.push('\n');
    text.push_str(&table(&heads, names.iter().zip(&standing.lines).map(row).collect()));
}

/// Formats the standing of a Swiss tournament: points including byes, then the sum of the opponents' points.
#[must_use]
pub fn rounds(names: &[String], swiss: &Swiss, count: u64, language: Language) -> String {
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
            short(swiss.points[player], language),
            short(buchholz[player], language),
            bye.to_owned(),
        ]
    };
    let heads = match language {
        Language::French => ["", "<joueur", "tête de série", "points", "Buchholz", "exempts"],
        Language::English => ["", "<player", "seed", "points", "Buchholz", "byes"],
    };
    let rows = order.iter().enumerate().map(row).collect();
    let (system, rounds) =
        (language.choose("système suisse", "Swiss system"), language.choose("rondes", "rounds"));
    format!("{system}, {count} {rounds}\n{}", table(&heads, rows))
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
pub fn knockout(names: &[String], rounds: &[Vec<Bracket>], language: Language) -> String {
    let mut text = String::new();
    for (nth, meetings) in rounds.iter().enumerate() {
        let name = match rounds.len() - nth {
            1 => language.choose("finale", "final").to_owned(),
            2 => language.choose("demi-finales", "semi-finals").to_owned(),
            _ => format!("{} {}", language.choose("tour", "round"), nth + 1),
        };
        let row = |of: &Bracket| {
            let score = of.points.map(|[a, b]| format!("{} : {}", short(a, language), short(b, language)));
            let seeded = |player: usize| format!("{} ({})", names[player], player + 1);
            vec![
                seeded(of.first),
                of.second.map_or_else(|| language.choose("exempt", "a bye").to_owned(), seeded),
                score.unwrap_or_default(),
                names[of.winner].clone(),
            ]
        };
        let heads = match language {
            Language::French => ["<joueur", "<contre", "points", "<passe"],
            Language::English => ["<player", "<against", "points", "<goes on"],
        };
        let _ = write!(text, "{name}\n{}\n", table(&heads, meetings.iter().map(row).collect()));
    }
    text
}

/// Formats the course's ranking: the first seat's score minus the second's over all games at a depth, and over the replays of ties at other
/// depths. Returns `None` for a run without this ranking.
pub fn of_the_course(head: &Head, records: &[Record], language: Language) -> Option<String> {
    let ranking = ByTheCourse::of(head, records)?;
    let (names, order) = (&head.names, ranking.order());
    let ByTheCourse { sums, depth } = ranking;
    let levels = sums.iter().map(Vec::len).max().unwrap_or(0);
    let depths: Vec<String> =
        (0..levels).map(|more| say(&format!("depth {}", usize::from(depth) + more), language)).collect();
    let mut heads = vec!["", language.choose("<joueur", "<player")];
    heads.extend(depths.iter().map(String::as_str));
    let places = courses::results::places(&order.iter().map(|&player| &sums[player]).collect::<Vec<_>>());
    let row = |(place, &player): (&usize, &usize)| {
        let mut row = vec![place.to_string(), names[player].clone()];
        row.extend(sums[player].iter().map(|sum| language.number(&format!("{sum:+}"))));
        row.resize(heads.len(), String::new());
        row
    };
    let rows = places.iter().zip(&order).map(row).collect();
    let title = language.choose(
        "classement du cours : rouge moins bleu ; égalités rejouées",
        "as the course ranks: red less blue; ties replayed",
    );
    Some(format!("{title}\n{}", table(&heads, rows)))
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
    fn the_start_of_a_text_without_end_is_shown() {
        let text = indented(4, &"é".repeat(300_000));
        assert_eq!((text.matches('é').count(), text.matches('…').count()), (MOST, 1));
        assert_eq!(indented(4, "short"), "    short\n");
    }

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
