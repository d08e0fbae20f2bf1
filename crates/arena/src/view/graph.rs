//! The evaluation over the game, as a graph whose points lead to their positions.
//!
//! The scale is linear, in the game's unit, from the first seat's side. It holds estimates and proven margins. Proven
//! wins are at its ends.

use crate::session::Study;
use courses::drawing::Language;
use courses::play::Play;
use courses::play::counted;
use courses::review::bounded;
use maud::{Markup, html};
use wire::analysis::{Info, Value};

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 110.0;
/// Width of the scale's figures, on the left.
const LEFT: f64 = 36.0;
/// Space above and below the scale.
const MARGIN: f64 = 8.0;

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

/// Draws the graph; nothing while fewer than two values are known.
pub fn graph(play: &dyn Play, study: &Study, at: usize, language: Language) -> Markup {
    let length = play.moves().len().max(1) as f64;
    let point = |(&after, info): (&usize, &Info)| {
        let sign = if play.mover(after) == Some(0) { 1.0 } else { -1.0 };
        Point { after, value: sign * number(bounded(play.game(), info.value)) }
    };
    let points: Vec<Point> = study.values.iter().map(point).collect();
    let most =
        points.iter().map(|point| point.value.abs()).filter(|value| value.is_finite()).fold(0.0, f64::max);
    let end = end(most.max(1.0));
    let x = |after: usize| LEFT + MARGIN + (WIDTH - LEFT - 2.0 * MARGIN) * after as f64 / length;
    let y = |value: f64| HEIGHT / 2.0 - (HEIGHT / 2.0 - MARGIN) * (value / end).clamp(-1.0, 1.0);
    let line: Vec<String> =
        points.iter().map(|point| format!("{:.1},{:.1}", x(point.after), y(point.value))).collect();
    let (unit, side) = (play.unit(language), play.seat_name(0, language));
    let unit = match language {
        Language::French => format!("{unit} ; en haut : {side} est mieux, quel que soit le trait"),
        Language::English => format!("{unit}; above: {side} is better, whoever is to move"),
    };
    let label = |point: &Point| {
        let moves = counted(point.after as u32, language, ["coup", "coups"], ["move", "moves"]);
        let value = match point.value.is_infinite() {
            true if point.value > 0.0 => language.choose("gain", "win").to_owned(),
            true => language.choose("perte", "loss").to_owned(),
            false => language.number(&format!("{:+.2}", point.value)),
        };
        format!("{} {moves}{}{value}", language.choose("après", "after"), language.colon())
    };
    html! {
        @if points.len() > 1 {
            figure.graphed {
                svg.graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group" aria-label=(language.choose("évaluation au fil de la partie", "evaluation over the game")) {
                    @for (value, name) in [(end, language.number(&format!("+{end}"))), (0.0, "0".to_owned()), (-end, language.number(&format!("−{end}")))] {
                        line.axis x1=(LEFT) x2=(WIDTH) y1=(format!("{:.1}", y(value))) y2=(format!("{:.1}", y(value))) {}
                        text.scale x=(LEFT - 4.0) y=(format!("{:.1}", y(value) + 4.0)) text-anchor="end" { (name) }
                    }
                    polyline points=(line.join(" ")) {}
                    @for point in &points {
                        circle.here[point.after == at] role="button" tabindex="0" aria-label=(label(point)) data-at=(point.after) cx=(format!("{:.1}", x(point.after))) cy=(format!("{:.1}", y(point.value))) r=(if point.after == at { 5 } else { 3 }) { title { (label(point)) } }
                    }
                }
                figcaption.unit { (unit) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn a_scale_ends_at_a_round_number_that_holds_every_value() {
        for (most, wanted) in [(1.0, 1.0), (1.2, 2.0), (4.0, 5.0), (7.5, 10.0), (64.0, 100.0), (0.3, 0.5)] {
            assert!((end(most) - wanted).abs() < 1e-9, "{most}: {}", end(most));
        }
    }
}
