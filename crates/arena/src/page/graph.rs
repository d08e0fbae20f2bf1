//! The evaluation over the game, as a graph whose points lead to their positions.

use crate::analysis::Study;
use crate::play::Play;
use maud::{Markup, html};
use wire::analysis::{Info, Value};

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 90.0;

/// A value in −1 to 1, for who is to move.
fn squashed(value: Value) -> f64 {
    match value {
        Value::Points(points) => (points / 8.0).tanh() * 0.9,
        Value::Exact(margin) => {
            if margin == 0.0 {
                0.0
            } else {
                margin.signum() * (0.3 + 0.7 * (margin.abs() / 64.0))
            }
        }
        Value::Win(_) => 1.0,
        Value::Loss(_) => -1.0,
        Value::Draw => 0.0,
    }
}

/// The graph, for the player who began; nothing while fewer than two values are known.
pub fn graph(play: &dyn Play, study: &Study, at: usize, label: &str) -> Markup {
    let length = play.moves().len().max(1) as f64;
    let point = |(&behind, info): (&usize, &Info)| {
        let sign = if play.mover(behind) == Some(0) { 1.0 } else { -1.0 };
        let x = 4.0 + (WIDTH - 8.0) * behind as f64 / length;
        let y = HEIGHT / 2.0 - (HEIGHT / 2.0 - 5.0) * sign * squashed(info.value);
        (behind, x, y)
    };
    let points: Vec<(usize, f64, f64)> = study.values.iter().map(point).collect();
    let line: Vec<String> = points.iter().map(|(_, x, y)| format!("{x:.1},{y:.1}")).collect();
    html! {
        @if points.len() > 1 {
            svg.graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
                line.axis x1="0" x2=(WIDTH) y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) {}
                polyline points=(line.join(" ")) {}
                @for (behind, x, y) in &points {
                    circle.here[*behind == at] data-at=(behind) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r=(if *behind == at { 5 } else { 3 }) {}
                }
            }
        }
    }
}
