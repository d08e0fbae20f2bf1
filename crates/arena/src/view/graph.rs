//! The evaluation over the game, as a graph whose points lead to their positions.
//!
//! The scale is linear, in the game's unit, from the first seat's side. It holds estimates and proven margins. Won and
//! lost positions are beyond its ends, in rows that say so.

use crate::session::Study;
use courses::drawing::Language;
use courses::play::Play;
use courses::play::counted;
use courses::record::Record;
use courses::review::bounded;
use courses::thought::Thought;
use maud::{Markup, html};
use wire::analysis::{Info, Value};

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 110.0;
/// Width of the scale's figures, on the left.
const LEFT: f64 = 36.0;
/// Space above and below the scale.
const MARGIN: f64 = 8.0;
/// Height of the row beyond each end of the scale, for positions that are won or lost.
const ROW: f64 = 15.0;

/// Returns a value for the side to move, in the game's unit; infinite for a proven win or loss.
fn number(value: Value) -> f64 {
    match value {
        Value::Points(points) => points,
        Value::Exact(margin) => margin,
        Value::Win(_) => f64::INFINITY,
        Value::Loss(_) => f64::NEG_INFINITY,
        Value::Draw => 0.0,
    }
}

/// Returns the end of a scale for a value: 1, 2 or 5 times a power of ten.
fn end(most: f64) -> f64 {
    let power = 10_f64.powf(most.max(1e-6).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|&end| end >= most).unwrap_or(most)
}

/// A value known for the position after some moves.
struct Point {
    after: usize,
    value: f64,
}

/// The scale of a graph: its end in the game's unit, the number of moves, and whether a position is won or lost.
struct Scale {
    end: f64,
    length: usize,
    is_decided: bool,
}

impl Scale {
    /// Returns the scale of a game of `length` moves that holds these values, and at least one unit.
    fn of<'a>(points: impl Iterator<Item = &'a Point> + Clone, length: usize) -> Self {
        let is_decided = points.clone().any(|point| point.value.is_infinite());
        let finite = points.map(|point| point.value.abs()).filter(|value| value.is_finite());
        Self { end: end(finite.fold(1.0, f64::max)), length, is_decided }
    }

    fn x(&self, after: usize) -> f64 {
        LEFT + MARGIN + (WIDTH - LEFT - 2.0 * MARGIN) * after as f64 / self.length.max(1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        let whole = HEIGHT / 2.0 - MARGIN;
        let half = if self.is_decided && value.is_finite() { whole - ROW } else { whole };
        HEIGHT / 2.0 - half * (value / self.end).clamp(-1.0, 1.0)
    }

    /// Returns the points of a line.
    fn line(&self, points: &[Point]) -> String {
        let line: Vec<String> = points
            .iter()
            .map(|point| format!("{:.1},{:.1}", self.x(point.after), self.y(point.value)))
            .collect();
        line.join(" ")
    }

    /// Returns the rows beyond the ends, with their names.
    fn rows(&self, language: Language) -> Vec<(f64, String)> {
        let rows = [(f64::INFINITY, ["gain", "win"]), (f64::NEG_INFINITY, ["perte", "loss"])];
        let named =
            rows.map(|(value, [french, english])| (value, language.choose(french, english).to_owned()));
        if self.is_decided { named.to_vec() } else { Vec::new() }
    }

    /// Draws lines at both ends and at zero, and for what is decided, with their values.
    fn axes(&self, language: Language) -> Markup {
        let end = self.end;
        html! {
            @for (value, name) in [(end, format!("+{}", figure(end, language))), (0.0, "0".to_owned()), (-end, format!("−{}", figure(end, language)))].into_iter().chain(self.rows(language)) {
                line.axis x1=(LEFT) x2=(WIDTH) y1=(format!("{:.1}", self.y(value))) y2=(format!("{:.1}", self.y(value))) {}
                text.scale x=(LEFT - 4.0) y=(format!("{:.1}", self.y(value) + 4.0)) text-anchor="end" { (name) }
            }
        }
    }
}

/// Returns the end of a scale as text that fits beside it.
fn figure(end: f64, language: Language) -> String {
    match end {
        end if end >= 1e6 => format!("{}M", end / 1e6),
        end if end >= 1e4 => format!("{}k", end / 1e3),
        end => language.number(&format!("{end}")),
    }
}

/// Returns a point in words.
fn label(point: &Point, language: Language) -> String {
    let moves = counted(point.after as u32, language, ["coup", "coups"], ["move", "moves"]);
    let value = match point.value.is_infinite() {
        true if point.value > 0.0 => language.choose("gain", "win").to_owned(),
        true => language.choose("perte", "loss").to_owned(),
        false => language.number(&format!("{:+.2}", point.value)),
    };
    format!("{} {moves}{}{value}", language.choose("après", "after"), language.colon())
}

/// Draws the graph; nothing while fewer than two values are known. The position shown has a mark, also without a value.
pub fn graph(play: &dyn Play, study: &Study, at: usize, language: Language) -> Markup {
    let point = |(&after, info): (&usize, &Info)| {
        let sign = if play.mover(after) == Some(0) { 1.0 } else { -1.0 };
        Point { after, value: sign * number(bounded(play.game(), info.value)) }
    };
    let points: Vec<Point> = study.values.iter().map(point).collect();
    let scale = Scale::of(points.iter(), play.moves().len());
    let (unit, side) = (play.unit(language), play.seat_name(0, language));
    let unit = match language {
        Language::French => format!("{unit} ; en haut : {side} est mieux, quel que soit le trait"),
        Language::English => format!("{unit}; above: {side} is better, whoever is to move"),
    };
    let is_marked = points.iter().any(|point| point.after == at);
    html! {
        @if points.len() > 1 {
            figure.graphed {
                svg.graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group" aria-label=(language.choose("évaluation au fil de la partie", "evaluation over the game")) {
                    (scale.axes(language))
                    polyline points=(scale.line(&points)) {}
                    @if !is_marked { line.now x1=(format!("{:.1}", scale.x(at))) x2=(format!("{:.1}", scale.x(at))) y1=(MARGIN) y2=(HEIGHT - MARGIN) {} }
                    @for point in &points {
                        circle.here[point.after == at] role="button" tabindex="0" aria-label=(label(point, language)) data-at=(point.after) cx=(format!("{:.1}", scale.x(point.after))) cy=(format!("{:.1}", scale.y(point.value))) r=(if point.after == at { 5 } else { 3 }) { title { (label(point, language)) } }
                    }
                }
                figcaption.unit { (unit) }
            }
        }
    }
}

/// The values that the players of a recorded game told, each with a link to its position. Nothing if they told none.
///
/// Each player has its own unit and its own line. `address` leads to the position after some moves.
pub fn told(
    play: &dyn Play,
    record: &Record,
    at: usize,
    address: impl Fn(usize) -> String,
    language: Language,
) -> Markup {
    let played = &record.played;
    let of_two = play.seats() == 2;
    let all = || played.thoughts.iter().zip(&played.movers).enumerate();
    let value = |thought: &Option<Thought>, seat: usize| {
        let value = thought.as_ref()?.value()?;
        Some(if of_two && seat == 1 { -value } else { value })
    };
    let points_of = |seat: usize| -> Vec<Point> {
        let own = all().filter(|(_, (_, by))| **by == seat);
        own.filter_map(|(after, (thought, _))| Some(Point { after, value: value(thought, seat)? })).collect()
    };
    let series: Vec<Vec<Point>> = (0..play.seats()).map(points_of).collect();
    if series.iter().flatten().count() < 2 {
        return html! {};
    }
    let scale = Scale::of(series.iter().flatten(), play.moves().len());
    let name = language.choose("valeurs dites par les joueurs", "values that the players told");
    let unit = language.choose("chacun dans son unité", "each in its own unit");
    let side = play.seat_name(0, language);
    let best = match (of_two, language) {
        (false, _) => String::new(),
        (true, Language::French) => format!(" ; en haut : {side} est mieux"),
        (true, Language::English) => format!("; above: {side} is better"),
    };
    html! {
        figure.graphed {
            svg.graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group" aria-label=(name) {
                (scale.axes(language))
                @for (seat, points) in series.iter().enumerate() {
                    polyline class=(format!("told{seat}")) points=(scale.line(points)) {}
                    @for point in points {
                        @let label = format!("{}{}{}", record.names[seat], language.colon(), label(point, language));
                        a href=(address(point.after)) aria-label=(label) {
                            circle class=(format!("told{seat}{}", if point.after == at { " here" } else { "" })) cx=(format!("{:.1}", scale.x(point.after))) cy=(format!("{:.1}", scale.y(point.value))) r=(if point.after == at { 5 } else { 3 }) { title { (label) } }
                        }
                    }
                }
            }
            figcaption.unit {
                @for (seat, _) in series.iter().enumerate().filter(|(_, points)| !points.is_empty()) {
                    span class=(format!("key told{seat}")) { "━ " (record.names[seat]) } " "
                }
                (name) ", " (unit) (best)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HEIGHT, MARGIN, Point, Scale, end};
    use courses::drawing::Language;

    #[test]
    fn a_scale_ends_at_a_round_number_that_holds_every_value() {
        for (most, wanted) in [(1.0, 1.0), (1.2, 2.0), (4.0, 5.0), (7.5, 10.0), (64.0, 100.0), (0.3, 0.5)] {
            assert!((end(most) - wanted).abs() < 1e-9, "{most}: {}", end(most));
        }
    }

    #[test]
    fn a_won_position_is_beyond_the_largest_estimate_in_a_row_that_is_named() {
        let scale = |values: &[f64]| {
            let points: Vec<Point> = values.iter().map(|&value| Point { after: 0, value }).collect();
            Scale::of(points.iter(), 9)
        };
        let won = scale(&[1.5, f64::INFINITY, -2.0]);
        assert!(won.y(f64::INFINITY) < won.y(2.0) && won.y(-2.0) < won.y(f64::NEG_INFINITY));
        let drawn = |scale: &Scale, language| scale.axes(language).into_string();
        assert!(drawn(&won, Language::English).contains(">win<"));
        assert!(drawn(&won, Language::French).contains(">perte<"));
        let open = scale(&[1.5, -2.0]);
        assert!((open.y(2.0) - MARGIN).abs() < 1e-9 && (open.y(-2.0) - (HEIGHT - MARGIN)).abs() < 1e-9);
        assert!(!drawn(&open, Language::English).contains(">win<"));
    }
}
