//! A self-contained page: no other files, no script, nothing from the network.

use super::svg::{self, Interval, escape};
use super::table::compact;
use crate::standing::Standing;
use crate::stats::rating::Rating;
use crate::stats::trueskill::Skill;
use courses::course::Course;
use courses::drawing::{preformatted, style};
use courses::record::Record;
use courses::store::Head;
use std::fmt::Write as _;

const STYLE: &str = "
:root{--ink:#1c2733;--soft:#5b6b7b;--line:#d9e0e6;--paper:#fff;--bar:#2f6f9f;--strong:#c2571a}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9fb0c0;--line:#33404c;--paper:#12181e;--bar:#5aa2d6;--strong:#f0945a}}
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:860px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2.2rem 0 .6rem}p{color:var(--soft);margin:.3rem 0}
.table{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .5rem;border-bottom:1px solid var(--line);text-align:right}th{color:var(--soft);font-weight:600}
th.name,td.name{text-align:left;font-size:inherit}td.name{white-space:nowrap}td.seen{white-space:normal;min-width:20rem}.elo{white-space:nowrap}svg{width:100%;height:auto}.chart{font:12px system-ui,sans-serif}.chart text{fill:var(--ink)}.chart .inside{fill:#fff}
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem}figure{margin:0}figcaption{color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
details{margin:.5rem 0}summary{cursor:pointer}.chart .title{fill:var(--soft)}.chart .grid{stroke:var(--line)}.bar{fill:var(--bar)}.interval{stroke:var(--bar);stroke-width:3}
.chart .value{fill:var(--strong);stroke:none}.series{fill:none;stroke-width:2}.s0{stroke:#2f6f9f}.s1{stroke:#c2571a}.s2{stroke:#3c8d40}.s3{stroke:#8a4fa3}
.s4{stroke:#b08900}.s5{stroke:#0f8f8f}.s6{stroke:#b03060}.s7{stroke:#667788}.fault{color:var(--strong)}
";

/// Maximum number of games whose last boards are drawn.
pub const BOARDS: u64 = 12;

/// Maximum number of players in a table of each against each. A browser shows no table of a million cells.
const CROSSED: usize = 200;

/// Returns the page of a run. `course` draws the last boards of its first games.
#[must_use]
pub fn page(head: &Head, standing: &Standing, records: &[Record], course: Option<&dyn Course>) -> String {
    let order = standing.order();
    let mut html = begin(head, standing.games as usize);
    if let Some(text) = super::table::of_the_course(head, records) {
        let _ = write!(html, "<h2>Ranking of the course</h2><pre>{}</pre>", preformatted(&text));
    }
    let ratings = intervals(head, standing);
    ranking(&mut html, head, standing, (&order, &ratings));
    if head.names.len() == 2 {
        proof(&mut html, head, standing);
    } else if head.names.len() <= CROSSED {
        cross_table(&mut html, head, standing, &order);
    }
    charts(&mut html, head, standing, (&order, &ratings), records);
    values(&mut html, head, standing, records);
    if let Some(course) = course {
        boards(&mut html, course, records);
    }
    faults(&mut html, head, records);
    html + "</body></html>\n"
}

/// Returns the beginning of a page: its style and the run's description. `</body></html>` ends the page.
pub(super) fn begin(head: &Head, games: usize) -> String {
    format!(
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{0}: {games} games</title><style>{STYLE}{4}</style></head><body><h1>{0}: {games} games</h1><p>{1}</p><p>Seed {2}{3}; paired openings, every seat played alike.</p>",
        escape(&head.course),
        escape(&head.setting),
        head.seed,
        head.time.map_or(String::new(), |time| format!(", {time} ms a move")),
        style(),
    )
}

/// The players in order, and their ratings as text and as bars.
type Rated<'a> = (&'a [usize], &'a [(String, Interval)]);

fn ranking(html: &mut String, head: &Head, standing: &Standing, (order, ratings): Rated<'_>) {
    let _ = write!(
        html,
        "<h2>Ranking</h2><div class='table'><table><tr><th></th><th class='name'>player</th><th>games</th><th>{}</th><th>%</th><th class='elo'>{}</th><th>course's score a game</th><th>ms a move</th><th>slowest ms</th><th>CPU s</th><th>faults</th></tr>",
        if super::scale(&head.course).is_some() { "marks" } else { "points" },
        rated(standing)
    );
    for (place, &player) in standing.places().iter().zip(order) {
        let line = &standing.lines[player];
        let games = line.games.max(1) as f64;
        let count: u64 = line.faults.values().sum();
        let _ = write!(
            html,
            "<tr><td>{place}</td><td class='name'>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td class='elo'>{}</td><td>{:.2}</td><td>{:.2}</td><td>{:.1}</td><td>{:.1}</td><td{}>{count}</td></tr>",
            escape(&head.names[player]),
            line.games,
            compact(super::marks(line.points, &head.course)),
            100.0 * line.points / games,
            ratings[player].0,
            line.score_for / games,
            line.micros as f64 / 1000.0 / line.moves.max(1) as f64,
            line.slowest as f64 / 1000.0,
            line.cpu as f64 / 1e6,
            if count > 0 { " class='fault'" } else { "" }
        );
    }
    html.push_str("</table></div>");
    for remark in super::scale(&head.course).map(str::to_owned).into_iter().chain(standing.remarks()) {
        let _ = write!(html, "<p>{remark}</p>");
    }
}

/// Returns the name of the rating: TrueSkill if games have more than two players.
fn rated(standing: &Standing) -> &'static str {
    if standing.is_of_many() { "TrueSkill [95 %]" } else { "Elo [95 %]" }
}

/// Returns every player's rating as text, and as a bar of the chart.
fn intervals(head: &Head, standing: &Standing) -> Vec<(String, Interval)> {
    let names = head.names.iter().cloned();
    match standing.skills() {
        Some(skills) => names
            .zip(skills)
            .map(|(name, skill)| {
                let Skill { mean: value, low, high } = skill;
                (skill.text(), Interval { name, value, low, high })
            })
            .collect(),
        None => names
            .zip(standing.ratings())
            .map(|(name, rating)| {
                let &Rating { elo: value, low, high } = rating;
                (rating.text(), Interval { name, value, low, high })
            })
            .collect(),
    }
}

fn proof(html: &mut String, head: &Head, standing: &Standing) {
    let Some(tally) = standing.duels.get(&(0, 1)) else { return };
    let (Some(estimate), Some(distinct)) = (standing.estimate(0, 1), standing.evidence.duel(0, 1)) else {
        return;
    };
    let [zero, half, one, more, two] = distinct.pairs;
    let _ = write!(
        html,
        "<h2>What it proves</h2><p>{} against {}: {} won, {} drawn, {} lost. Elo {} (95 % over pairs), superior with {:.1} %. Pairs with 0, ½, 1, 1½, 2 points: {zero}, {half}, {one}, {more}, {two}.</p>",
        escape(&head.names[0]),
        escape(&head.names[1]),
        tally.wins,
        tally.draws,
        tally.losses,
        estimate.text(),
        100.0 * estimate.superiority
    );
}

fn cross_table(html: &mut String, head: &Head, standing: &Standing, order: &[usize]) {
    html.push_str(
        "<h2>Each against each, % of points</h2><div class='table'><table><tr><th class='name'>player</th>",
    );
    for rank in 1..=order.len() {
        let _ = write!(html, "<th>{rank}</th>");
    }
    html.push_str("</tr>");
    for (rank, &player) in order.iter().enumerate() {
        let _ = write!(html, "<tr><td class='name'>{} {}</td>", rank + 1, escape(&head.names[player]));
        for &other in order {
            let duel = standing.duels.get(&(player.min(other), player.max(other)));
            let score = duel.map(|tally| if player < other { tally.score() } else { 1.0 - tally.score() });
            let text = score.map_or_else(|| "·".to_owned(), |score| format!("{:.1}", 100.0 * score));
            let _ = write!(html, "<td>{text}</td>");
        }
        html.push_str("</tr>");
    }
    html.push_str("</table></div>");
}

fn charts(
    html: &mut String,
    head: &Head,
    standing: &Standing,
    (order, ratings): Rated<'_>,
    records: &[Record],
) {
    let rows: Vec<Interval> = order.iter().map(|&player| ratings[player].1.clone()).collect();
    let title = format!("{}, 95 % intervals", rated(standing).trim_end_matches(" [95 %]"));
    let _ = write!(html, "<h2>Ratings</h2>{}", svg::intervals(&title, &rows));
    let share =
        |player: usize| 100.0 * standing.lines[player].points / standing.lines[player].games.max(1) as f64;
    let rows: Vec<(String, f64)> =
        order.iter().map(|&player| (head.names[player].clone(), share(player))).collect();
    let _ = write!(html, "<h2>Players compared</h2>{}", svg::bars("% of the points", &rows));
    let rows: Vec<(String, f64)> = standing
        .by_seat
        .iter()
        .enumerate()
        .map(|(seat, points)| (format!("seat {}", seat + 1), 100.0 * points / standing.games.max(1) as f64))
        .collect();
    let _ = write!(
        html,
        "<h2>What a seat is worth</h2>{}",
        svg::bars("% of the points that one seat can win", &rows)
    );
    let scores: Vec<f64> =
        standing.openings.values().map(|(points, games)| 100.0 * points / *games as f64).collect();
    if scores.len() > 1 {
        let title = format!("% of the points of {} with an opening", head.names[0]);
        let _ = write!(html, "<h2>Score by opening</h2>{}", svg::histogram("openings", &title, &scores));
    }
    let series: Vec<(String, Vec<f64>)> =
        order.iter().take(8).map(|&player| (head.names[player].clone(), times(player, records))).collect();
    let _ = write!(html, "<h2>Time per move</h2>{}", svg::lines("the player's n-th move", "ms", &series));
    let lengths: Vec<f64> = standing.lengths.iter().map(|&length| length as f64).collect();
    let _ = write!(html, "<h2>Length of games</h2>{}", svg::histogram("games", "moves", &lengths));
}

/// Maximum number of games whose scores are drawn.
const DRAWN: usize = 40;

/// Draws the players' scores by game, if there are any.
fn values(html: &mut String, head: &Head, standing: &Standing, records: &[Record]) {
    let told: Vec<&Record> =
        records.iter().filter(|record| record.played.thoughts.iter().any(Option::is_some)).collect();
    if told.is_empty() {
        return;
    }
    html.push_str("<h2>Searches</h2><div class='table'><table><tr><th class='name'>player</th><th>mean depth</th><th>thousand positions a second</th></tr>");
    let shown = |value: Option<f64>| value.map_or_else(|| "·".to_owned(), |value| format!("{value:.1}"));
    for (name, line) in head.names.iter().zip(&standing.lines) {
        let (depth, speed) = (shown(line.told.depth()), shown(line.told.speed()));
        let _ =
            write!(html, "<tr><td class='name'>{}</td><td>{depth}</td><td>{speed}</td></tr>", escape(name));
    }
    html.push_str("</table></div>");
    let count = told.len().min(DRAWN);
    let _ = write!(
        html,
        "<h2>Value over the game</h2><p>Each player's own scores, up for who began; a proven end lies at the edge. The first {count} of {} games.</p>",
        told.len()
    );
    for record in told.into_iter().take(DRAWN) {
        let _ = write!(
            html,
            "<details><summary>game {}: {}; {}</summary>{}</details>",
            record.game,
            escape(&record.names.join(" – ")),
            escape(&record.played.end),
            svg::values("move", "score", &scores(record))
        );
    }
}

/// Draws the last boards of the first games whose moves are kept.
fn boards(html: &mut String, course: &dyn Course, records: &[Record]) {
    let first = records.iter().filter(|record| record.game < BOARDS && !record.played.moves.is_empty());
    let mut figures = String::new();
    for record in first {
        // A record with an illegal move has no picture. `replay` reports it.
        if let Ok(svg) = course.last_drawing(&record.opening, &record.played) {
            let _ = write!(
                figures,
                "<figure>{svg}<figcaption>game {}: {}; {}</figcaption></figure>",
                record.game,
                escape(&record.names.join(" – ")),
                escape(&record.played.end)
            );
        }
    }
    if !figures.is_empty() {
        let _ = write!(html, "<h2>Last boards</h2><div class='boards'>{figures}</div>");
    }
}

/// Returns each player's scores by move, from 1, from the side of the first player.
fn scores(record: &Record) -> Vec<(String, Vec<(usize, f64)>)> {
    let mut series: Vec<(String, Vec<(usize, f64)>)> =
        record.names.iter().map(|name| (name.clone(), Vec::new())).collect();
    let played = &record.played;
    for (nth, (thought, &seat)) in played.thoughts.iter().zip(&played.movers).enumerate() {
        if let Some(value) = thought.as_ref().and_then(courses::thought::Thought::value) {
            series[seat].1.push((nth + 1, if seat == 0 { value } else { -value }));
        }
    }
    series
}

/// Returns the mean time of a player's n-th move in milliseconds, while a tenth of its games last.
fn times(player: usize, records: &[Record]) -> Vec<f64> {
    let mut sums: Vec<(u64, u64)> = Vec::new();
    for record in records {
        let mut nth = 0;
        for (&seat, &micros) in record.played.movers.iter().zip(&record.played.micros) {
            if record.seats[seat] == player {
                if sums.len() <= nth {
                    sums.push((0, 0));
                }
                sums[nth] = (sums[nth].0.saturating_add(micros), sums[nth].1 + 1);
                nth += 1;
            }
        }
    }
    let most = sums.first().map_or(0, |(_, count)| *count);
    sums.into_iter()
        .take_while(|(_, count)| 10 * count >= most)
        .map(|(micros, count)| micros as f64 / 1000.0 / count as f64)
        .collect()
}

pub(super) fn faults(html: &mut String, head: &Head, records: &[Record]) {
    let seen = super::faults(records);
    for (player, remark) in super::remarks(records) {
        let _ = write!(html, "<p>{}: {}</p>", escape(&head.names[player]), escape(remark));
    }
    if seen.is_empty() {
        html.push_str("<h2>Faults</h2><p>None.</p>");
        return;
    }
    html.push_str("<h2>Faults</h2><div class='table'><table><tr><th class='name'>player</th><th class='name'>kind</th><th>times</th><th>first in game</th><th class='name'>seen</th></tr>");
    for fault in seen {
        let words = match fault.words.as_str() {
            "" => String::new(),
            words => format!("<br><code>{}</code>", escape(words)),
        };
        let _ = write!(
            html,
            "<tr><td class='name'>{}</td><td class='name fault'>{}</td><td>{}</td><td>{}</td><td class='name seen'>{}{words}</td></tr>",
            escape(&head.names[fault.player]),
            fault.kind,
            fault.count,
            fault.game,
            escape(fault.detail)
        );
    }
    html.push_str("</table></div>");
}
