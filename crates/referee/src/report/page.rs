//! A self-contained page: no other files, no script, nothing from the network.

use super::svg::{self, Interval, escape};
use super::table::{decimal, rating, short};
use crate::standing::Standing;
use crate::stats::rating::Rating;
use crate::stats::trueskill::Skill;
use courses::course::Course;
use courses::drawing::{Language, preformatted, style};
use courses::french::say;
use courses::play;
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

/// A run and the language of its page.
#[derive(Clone, Copy)]
struct Told<'a> {
    head: &'a Head,
    standing: &'a Standing,
    records: &'a [Record],
    language: Language,
}

impl Told<'_> {
    /// Returns the text in the page's language.
    fn choose<'a>(&self, french: &'a str, english: &'a str) -> &'a str {
        self.language.choose(french, english)
    }

    /// Returns a number with these decimals.
    fn number(&self, value: f64, decimals: usize) -> String {
        decimal(value, decimals, self.language)
    }

    /// Returns text of a run, a course or a judge, escaped.
    fn say(&self, english: &str) -> String {
        escape(&say(english, self.language))
    }

    /// Returns a game's number, players and end, escaped.
    fn heading(&self, record: &Record) -> String {
        format!(
            "{} {}{}{} · {}",
            self.choose("partie", "game"),
            record.game + 1,
            self.language.colon(),
            escape(&record.names.join(" – ")),
            self.say(&record.played.end)
        )
    }
}

/// Returns the page of a run. `course` draws the last boards of its first games.
#[must_use]
pub fn page(
    head: &Head,
    standing: &Standing,
    records: &[Record],
    course: Option<&dyn Course>,
    language: Language,
) -> String {
    let told = Told { head, standing, records, language };
    let order = standing.order();
    let mut html = begin(head, standing.games as usize, language);
    if let Some(text) = super::table::of_the_course(head, records, language) {
        let title = told.choose("Classement du cours", "Ranking of the course");
        let _ = write!(html, "<h2>{title}</h2><pre>{}</pre>", preformatted(&text));
    }
    let ratings = intervals(&told);
    ranking(&mut html, &told, (&order, &ratings));
    if head.names.len() == 2 {
        proof(&mut html, &told);
    } else if head.names.len() <= CROSSED {
        cross_table(&mut html, &told, &order);
    }
    charts(&mut html, &told, (&order, &ratings));
    values(&mut html, &told);
    if let Some(course) = course {
        boards(&mut html, course, &told);
    }
    faults(&mut html, head, records, language);
    html + "</body></html>\n"
}

/// Returns the beginning of a page: its style and the run's description. `</body></html>` ends the page.
pub(super) fn begin(head: &Head, games: usize, language: Language) -> String {
    let games = play::counted(games as u32, language, ["partie", "parties"], ["game", "games"]);
    let time = head.time.map_or(String::new(), |time| match language {
        Language::French => format!(", {time} ms par coup"),
        Language::English => format!(", {time} ms a move"),
    });
    format!(
        "<!DOCTYPE html><html lang='{lang}'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{title}</title><style>{STYLE}{}</style></head><body><h1>{title}</h1><p>{}</p><p>{} {}{time}{}</p>",
        style(),
        escape(&say(&head.setting, language)),
        language.choose("Graine", "Seed"),
        head.seed,
        language.choose(
            " ; ouvertures par paires, chaque place jouée également.",
            "; paired openings, every seat played alike."
        ),
        lang = language.code(),
        title = escape(&format!("{}{}{games}", head.course, language.colon())),
    )
}

/// The players in order, and their ratings as text and as bars.
type Rated<'a> = (&'a [usize], &'a [(String, Interval)]);

/// Begins a table with these heads; those after `<` are left-aligned.
fn table(html: &mut String, heads: &[&str]) {
    html.push_str("<div class='table'><table><tr>");
    for head in heads {
        let _ = match head.strip_prefix('<') {
            Some(head) => write!(html, "<th class='name'>{head}</th>"),
            None if head.ends_with("[95 %]") => write!(html, "<th class='elo'>{head}</th>"),
            None => write!(html, "<th>{head}</th>"),
        };
    }
    html.push_str("</tr>");
}

fn ranking(html: &mut String, told: &Told<'_>, (order, ratings): Rated<'_>) {
    let Told { head, standing, language, .. } = *told;
    let _ = write!(html, "<h2>{}</h2>", told.choose("Classement", "Ranking"));
    let has_scale = super::scale(&head.course).is_some();
    let points = if has_scale { told.choose("barème", "marks") } else { "points" };
    let rated = rated(standing);
    let heads = match language {
        Language::French => [
            "",
            "<joueur",
            "parties",
            points,
            "%",
            rated,
            "score du cours par partie",
            "ms par coup",
            "ms au plus",
            "s CPU",
            "fautes",
        ],
        Language::English => [
            "",
            "<player",
            "games",
            points,
            "%",
            rated,
            "course's score a game",
            "ms a move",
            "slowest ms",
            "CPU s",
            "faults",
        ],
    };
    table(html, &heads);
    for (place, &player) in standing.places().iter().zip(order) {
        let line = &standing.lines[player];
        let games = line.games.max(1) as f64;
        let count: u64 = line.faults.values().sum();
        let _ = write!(
            html,
            "<tr><td>{place}</td><td class='name'>{}</td><td>{}</td><td>{}</td><td>{}</td><td class='elo'>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td{}>{count}</td></tr>",
            escape(&head.names[player]),
            line.games,
            short(super::marks(line.points, &head.course), language),
            told.number(100.0 * line.points / games, 1),
            ratings[player].0,
            told.number(line.score_for / games, 2),
            told.number(line.times.micros as f64 / 1000.0 / line.times.moves.max(1) as f64, 2),
            told.number(line.times.slowest as f64 / 1000.0, 1),
            told.number(line.cpu as f64 / 1e6, 1),
            if count > 0 { " class='fault'" } else { "" }
        );
    }
    html.push_str("</table></div>");
    for remark in super::scale(&head.course).map(str::to_owned).into_iter().chain(standing.remarks()) {
        let _ = write!(html, "<p>{}</p>", told.say(&remark));
    }
}

/// Returns the name of the rating: TrueSkill if games have more than two players.
fn rated(standing: &Standing) -> &'static str {
    if standing.is_of_many() { "TrueSkill [95 %]" } else { "Elo [95 %]" }
}

/// Returns every player's rating as text, and as a bar of the chart.
fn intervals(told: &Told<'_>) -> Vec<(String, Interval)> {
    let names = told.head.names.iter().cloned();
    match told.standing.skills() {
        Some(skills) => names
            .zip(skills)
            .map(|(name, skill)| {
                let Skill { mean: value, low, high } = skill;
                (rating(&skill.text(), told.language), Interval { name, value, low, high })
            })
            .collect(),
        None => names
            .zip(told.standing.ratings())
            .map(|(name, of)| {
                let &Rating { elo: value, low, high } = of;
                (rating(&of.text(), told.language), Interval { name, value, low, high })
            })
            .collect(),
    }
}

fn proof(html: &mut String, told: &Told<'_>) {
    let Told { head, standing, language, .. } = *told;
    let Some(tally) = standing.duels.get(&(0, 1)) else { return };
    let (Some(estimate), Some(distinct)) = (standing.estimate(0, 1), standing.evidence.duel(0, 1)) else {
        return;
    };
    let [zero, half, one, more, two] = distinct.pairs;
    let [first, second] = [0, 1].map(|player| escape(&head.names[player]));
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    let (elo, superior) = (rating(&estimate.text(), language), told.number(100.0 * estimate.superiority, 1));
    let text = match language {
        Language::French => format!(
            "{first} contre {second} : gagnées {wins}, nulles {draws}, perdues {losses}. Elo {elo} (95 % sur les paires), supérieur à {superior} %. Paires à 0, ½, 1, 1½, 2 points : {zero}, {half}, {one}, {more}, {two}."
        ),
        Language::English => format!(
            "{first} against {second}: {wins} won, {draws} drawn, {losses} lost. Elo {elo} (95 % over pairs), superior with {superior} %. Pairs with 0, ½, 1, 1½, 2 points: {zero}, {half}, {one}, {more}, {two}."
        ),
    };
    let _ = write!(html, "<h2>{}</h2><p>{text}</p>", told.choose("Ce que cela prouve", "What it proves"));
}

fn cross_table(html: &mut String, told: &Told<'_>, order: &[usize]) {
    let Told { head, standing, .. } = *told;
    let title = told.choose("Chacun contre chacun, % des points", "Each against each, % of points");
    let _ = write!(html, "<h2>{title}</h2>");
    let places: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let mut heads = vec![told.choose("<joueur", "<player")];
    heads.extend(places.iter().map(String::as_str));
    table(html, &heads);
    for (rank, &player) in order.iter().enumerate() {
        let _ = write!(html, "<tr><td class='name'>{} {}</td>", rank + 1, escape(&head.names[player]));
        for &other in order {
            let duel = standing.duels.get(&(player.min(other), player.max(other)));
            let score = duel.map(|tally| if player < other { tally.score() } else { 1.0 - tally.score() });
            let text = score.map_or_else(|| "·".to_owned(), |score| told.number(100.0 * score, 1));
            let _ = write!(html, "<td>{text}</td>");
        }
        html.push_str("</tr>");
    }
    html.push_str("</table></div>");
}

fn charts(html: &mut String, told: &Told<'_>, (order, ratings): Rated<'_>) {
    let Told { head, standing, records, language } = *told;
    let mut add = |french: &str, english: &str, chart: String| {
        let _ = write!(html, "<h2>{}</h2>{chart}", told.choose(french, english));
    };
    let rows: Vec<Interval> = order.iter().map(|&player| ratings[player].1.clone()).collect();
    let rating = rated(standing).trim_end_matches(" [95 %]");
    let title = format!("{rating}, {}", told.choose("intervalles à 95 %", "95 % intervals"));
    add("Niveaux", "Ratings", svg::intervals(&title, &rows, language));
    let share =
        |player: usize| 100.0 * standing.lines[player].points / standing.lines[player].games.max(1) as f64;
    let rows: Vec<(String, f64)> =
        order.iter().map(|&player| (head.names[player].clone(), share(player))).collect();
    let title = told.choose("% des points", "% of the points");
    add("Comparaison des joueurs", "Players compared", svg::bars(title, &rows, language));
    let rows: Vec<(String, f64)> = standing
        .by_seat
        .iter()
        .enumerate()
        .map(|(seat, points)| {
            let name = format!("{} {}", told.choose("place", "seat"), seat + 1);
            (name, 100.0 * points / standing.games.max(1) as f64)
        })
        .collect();
    let title = told.choose("% des points qu'une place peut gagner", "% of the points that one seat can win");
    add("Ce que vaut une place", "What a seat is worth", svg::bars(title, &rows, language));
    let scores: Vec<f64> =
        standing.openings.values().map(|(points, games)| 100.0 * points / *games as f64).collect();
    if scores.len() > 1 {
        let name = &head.names[0];
        let french = format!("% des points de {name} avec une ouverture");
        let english = format!("% of the points of {name} with an opening");
        let title = language.choose(&french, &english);
        let chart = svg::histogram(told.choose("ouvertures", "openings"), title, &scores, language);
        add("Score par ouverture", "Score by opening", chart);
    }
    let series: Vec<(String, Vec<f64>)> =
        order.iter().take(8).map(|&player| (head.names[player].clone(), times(player, records))).collect();
    let title = told.choose("n-ième coup du joueur", "the player's n-th move");
    add("Temps par coup", "Time per move", svg::lines(title, "ms", &series, language));
    let lengths: Vec<f64> = standing.lengths.iter().map(|&length| length as f64).collect();
    let (games, moves) = (told.choose("parties", "games"), told.choose("coups", "moves"));
    add("Longueur des parties", "Length of games", svg::histogram(games, moves, &lengths, language));
}

/// Maximum number of games whose scores are drawn.
const DRAWN: usize = 40;

/// Draws the players' scores by game, if there are any.
fn values(html: &mut String, told: &Told<'_>) {
    let Told { head, standing, records, language } = *told;
    let with_scores: Vec<&Record> =
        records.iter().filter(|record| record.played.thoughts.iter().any(Option::is_some)).collect();
    if with_scores.is_empty() {
        return;
    }
    let _ = write!(html, "<h2>{}</h2>", told.choose("Recherches", "Searches"));
    table(
        html,
        &match language {
            Language::French => ["<joueur", "profondeur moyenne", "milliers de positions par seconde"],
            Language::English => ["<player", "mean depth", "thousand positions a second"],
        },
    );
    let shown = |value: Option<f64>| value.map_or_else(|| "·".to_owned(), |value| told.number(value, 1));
    for (name, line) in head.names.iter().zip(&standing.lines) {
        let (depth, speed) = (shown(line.times.told.depth()), shown(line.times.told.speed()));
        let _ =
            write!(html, "<tr><td class='name'>{}</td><td>{depth}</td><td>{speed}</td></tr>", escape(name));
    }
    html.push_str("</table></div>");
    let (count, all) = (with_scores.len().min(DRAWN), with_scores.len());
    let _ = match language {
        Language::French => write!(
            html,
            "<h2>Valeur au fil de la partie</h2><p>Les scores de chaque joueur, vers le haut pour qui a commencé ; une fin prouvée est au bord. Les {count} premières de {all} parties.</p>"
        ),
        Language::English => write!(
            html,
            "<h2>Value over the game</h2><p>Each player's own scores, up for who began; a proven end lies at the edge. The first {count} of {all} games.</p>"
        ),
    };
    for record in with_scores.into_iter().take(DRAWN) {
        let chart = svg::values(told.choose("coup", "move"), "score", &scores(record), language);
        let _ = write!(html, "<details><summary>{}</summary>{chart}</details>", told.heading(record));
    }
}

/// Draws the last boards of the first games whose moves are kept.
fn boards(html: &mut String, course: &dyn Course, told: &Told<'_>) {
    let first = told.records.iter().filter(|record| record.game < BOARDS && !record.played.moves.is_empty());
    let mut figures = String::new();
    for record in first {
        // A record with an illegal move has no picture. `replay` reports it.
        if let Ok(svg) = course.last_drawing(&record.opening, &record.played) {
            let heading = told.heading(record);
            let _ = write!(figures, "<figure>{svg}<figcaption>{heading}</figcaption></figure>");
        }
    }
    if !figures.is_empty() {
        let title = told.choose("Derniers plateaux", "Last boards");
        let _ = write!(html, "<h2>{title}</h2><div class='boards'>{figures}</div>");
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

pub(super) fn faults(html: &mut String, head: &Head, records: &[Record], language: Language) {
    let seen = super::faults(records);
    for (player, remark) in super::remarks(records) {
        let (name, remark) = (escape(&head.names[player]), escape(&say(remark, language)));
        let _ = write!(html, "<p>{name}{}{remark}</p>", language.colon());
    }
    let _ = write!(html, "<h2>{}</h2>", language.choose("Fautes", "Faults"));
    if seen.is_empty() {
        let _ = write!(html, "<p>{}</p>", language.choose("Aucune.", "None."));
        return;
    }
    table(
        html,
        &match language {
            Language::French => ["<joueur", "<nature", "nombre", "d'abord dans la partie", "<constaté"],
            Language::English => ["<player", "<kind", "times", "first in game", "<seen"],
        },
    );
    for fault in seen {
        let words = match fault.words.as_str() {
            "" => String::new(),
            words => format!("<br><code>{}</code>", escape(words)),
        };
        let _ = write!(
            html,
            "<tr><td class='name'>{}</td><td class='name fault'>{}</td><td>{}</td><td>{}</td><td class='name seen'>{}{words}</td></tr>",
            escape(&head.names[fault.player]),
            say(fault.kind.name(), language),
            fault.count,
            fault.game + 1,
            escape(&say(fault.detail, language))
        );
    }
    html.push_str("</table></div>");
}
