//! Self-contained SVG charts with axes and units.

use courses::drawing::Language;
pub use courses::drawing::escape;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 180.0;
const RIGHT: f64 = 24.0;

/// Returns a round step that divides a range into about `parts` parts.
fn round_step(range: f64, parts: f64) -> f64 {
    let rough = (range / parts).max(1e-12);
    let power = 10f64.powf(rough.log10().floor());
    let digit = rough / power;
    power
        * if digit <= 1.0 {
            1.0
        } else if digit <= 2.0 {
            2.0
        } else if digit <= 5.0 {
            5.0
        } else {
            10.0
        }
}

fn label(value: f64, language: Language) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+∞" } else { "-∞" }.to_owned();
    }
    let value = if value.abs() < 1e-9 { 0.0 } else { value };
    if value.abs() >= 1.0 || value == 0.0 {
        let text = format!("{value:.1}");
        language.number(text.trim_end_matches(".0"))
    } else {
        language.number(&format!("{value:.2}"))
    }
}

/// A scale from values to the drawing's width, with ticks.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    fn over(low: f64, high: f64) -> Self {
        let high = if high - low < 1e-9 { low + 1.0 } else { high };
        let step = round_step(high - low, 6.0);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (value.clamp(self.low, self.high) - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)
    }

    fn axis(&self, svg: &mut String, bottom: f64, title: &str, language: Language) {
        let mut tick = self.low;
        while tick <= self.high + self.step / 2.0 {
            let x = self.x(tick);
            let _ = write!(
                svg,
                "<line class='grid' x1='{x:.1}' y1='8' x2='{x:.1}' y2='{bottom:.1}'/><text x='{x:.1}' y='{:.1}' text-anchor='middle'>{}</text>",
                bottom + 16.0,
                label(tick, language)
            );
            tick += self.step;
        }
        let _ = write!(
            svg,
            "<text class='title' x='{:.1}' y='{:.1}' text-anchor='middle'>{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            bottom + 34.0,
            escape(title)
        );
    }
}

fn open(height: f64, name: &str) -> String {
    format!(
        "<svg class='chart' viewBox='0 0 {WIDTH} {height:.0}' role='img' aria-label='{}' xmlns='http://www.w3.org/2000/svg'>",
        escape(name)
    )
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 26 { text.to_owned() } else { text.chars().take(25).chain(['…']).collect() }
}

/// A value with its interval.
#[derive(Clone)]
pub struct Interval {
    /// The label beside the interval.
    pub name: String,
    /// The value marked within the interval.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Draws values with intervals, one a row.
pub fn intervals(title: &str, rows: &[Interval], language: Language) -> String {
    // An infinite end is drawn at the edge.
    let ends = || rows.iter().flat_map(|row| [row.low, row.value, row.high]).filter(|end| end.is_finite());
    let scale = Scale::over(ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let bottom = 14.0 + 26.0 * rows.len() as f64;
    let mut svg = open(bottom + 44.0, title);
    scale.axis(&mut svg, bottom, title, language);
    for (nth, row) in rows.iter().enumerate() {
        let y = 24.0 + 26.0 * nth as f64;
        let (low, at, high) = (scale.x(row.low), scale.x(row.value), scale.x(row.high));
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{:.1}' text-anchor='end'>{}</text><line class='interval' x1='{low:.1}' y1='{y:.1}' x2='{high:.1}' y2='{y:.1}'/><circle class='value' cx='{at:.1}' cy='{y:.1}' r='5'><title>{} {} [{}{} {}]</title></circle>",
            LEFT - 10.0,
            y + 4.0,
            escape(&shortened(&row.name)),
            escape(&row.name),
            label(row.value, language),
            label(row.low, language),
            language.choose(" ;", ","),
            label(row.high, language)
        );
    }
    svg + "</svg>"
}

/// Draws bars from zero, one a row.
pub fn bars(title: &str, rows: &[(String, f64)], language: Language) -> String {
    let scale = Scale::over(0.0, rows.iter().map(|row| row.1).fold(0.0, f64::max));
    let bottom = 14.0 + 26.0 * rows.len() as f64;
    let mut svg = open(bottom + 44.0, title);
    scale.axis(&mut svg, bottom, title, language);
    for (nth, (name, value)) in rows.iter().enumerate() {
        let (y, end) = (14.0 + 26.0 * nth as f64, scale.x(*value));
        // A long bar has its value inside.
        let (at, class) =
            if end > WIDTH - 46.0 { (end - 6.0, "inside' text-anchor='end") } else { (end + 6.0, "on") };
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{:.1}' text-anchor='end'>{}</text><rect class='bar' x='{LEFT}' y='{y:.1}' width='{:.1}' height='18'><title>{} {}</title></rect><text class='{class}' x='{at:.1}' y='{:.1}'>{}</text>",
            LEFT - 10.0,
            y + 14.0,
            escape(&shortened(name)),
            end - LEFT,
            escape(name),
            label(*value, language),
            y + 14.0,
            label(*value, language)
        );
    }
    svg + "</svg>"
}

/// Draws a histogram in about twenty equal steps.
pub fn histogram(title: &str, unit: &str, values: &[f64], language: Language) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.is_empty() {
        return String::new();
    }
    let step = round_step((high - low).max(1.0), 20.0);
    let first = (low / step).floor() * step;
    let count = ((high - first) / step).floor() as usize + 1;
    let mut counts = vec![0usize; count];
    for value in values {
        counts[(((value - first) / step).floor() as usize).min(count - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1) as f64;
    let scale = Scale::over(first, first + step * count as f64);
    let (height, bottom) = (170.0, 180.0);
    let mut svg = open(bottom + 44.0, title);
    scale.axis(&mut svg, bottom, unit, language);
    let tick = round_step(most, 4.0).max(1.0);
    value_axis(&mut svg, title, (bottom, height - 10.0), (most, tick), language);
    for (nth, seen) in counts.iter().enumerate() {
        let (x0, x1) = (scale.x(first + step * nth as f64), scale.x(first + step * (nth + 1) as f64));
        let tall = *seen as f64 / most * (height - 10.0);
        let _ = write!(
            svg,
            "<rect class='bar' x='{:.1}' y='{:.1}' width='{:.1}' height='{tall:.1}'><title>{seen}</title></rect>",
            x0 + 0.5,
            bottom - tall,
            (x1 - x0 - 1.0).max(0.5)
        );
    }
    svg + "</svg>"
}

/// Draws a grid line at `y` with its value.
fn grid_line(svg: &mut String, y: f64, value: &str) {
    let _ = write!(
        svg,
        "<line class='grid' x1='{LEFT}' y1='{y:.1}' x2='{:.1}' y2='{y:.1}'/><text x='{:.1}' y='{:.1}' text-anchor='end'>{value}</text>",
        WIDTH - RIGHT,
        LEFT - 10.0,
        y + 4.0,
    );
}

/// Draws an axis for values up to `most`, `height` tall, with a line every `tick`.
fn value_axis(
    svg: &mut String,
    title: &str,
    (bottom, height): (f64, f64),
    (most, tick): (f64, f64),
    language: Language,
) {
    let mut at = 0.0;
    while at <= most {
        let y = bottom - at / most * height;
        grid_line(svg, y, &label(at, language));
        at += tick;
    }
    let _ = write!(
        svg,
        "<text class='title' x='{:.1}' y='20' text-anchor='end'>{}</text>",
        LEFT - 40.0,
        escape(title)
    );
}

/// Draws one line a series over positions 1, 2, 3, …
pub fn lines(title: &str, unit: &str, series: &[(String, Vec<f64>)], language: Language) -> String {
    let length = series.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let most = series.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max).max(1e-3);
    if length < 2 {
        return String::new();
    }
    let scale = Scale::over(1.0, length as f64);
    let bottom = 180.0;
    let legend = 18.0 * series.len() as f64;
    let mut svg = open(bottom + 50.0 + legend, title);
    scale.axis(&mut svg, bottom, title, language);
    value_axis(&mut svg, unit, (bottom, 160.0), (most, round_step(most, 4.0)), language);
    for (nth, (name, values)) in series.iter().enumerate() {
        let points: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(i, value)| format!("{:.1},{:.1}", scale.x((i + 1) as f64), bottom - value / most * 160.0))
            .collect();
        polyline(&mut svg, nth, &points, bottom, name);
    }
    svg + "</svg>"
}

/// Draws positive and negative values by position, one line a series. Infinite values are at the edge.
pub fn values(title: &str, unit: &str, series: &[(String, Vec<(usize, f64)>)], language: Language) -> String {
    let points = || series.iter().flat_map(|(_, points)| points);
    let length = points().map(|(at, _)| *at).max().unwrap_or(0);
    if length < 2 {
        return String::new();
    }
    let finite = points().map(|(_, value)| value.abs()).filter(|value| value.is_finite());
    let most = 1.05 * finite.fold(0.0, f64::max).max(1e-3);
    let (scale, middle, half) = (Scale::over(1.0, length as f64), 98.0, 80.0);
    let bottom = middle + half;
    let mut svg = open(bottom + 50.0 + 18.0 * series.len() as f64, title);
    scale.axis(&mut svg, bottom, title, language);
    let height = |value: f64| middle - (value / most).clamp(-1.0, 1.0) * half;
    let step = round_step(most, 2.0);
    for tick in [-2.0, -1.0, 0.0, 1.0, 2.0].map(|tick| tick * step).into_iter().filter(|at| at.abs() <= most)
    {
        let y = height(tick);
        grid_line(&mut svg, y, &label(tick, language));
    }
    let _ = write!(
        svg,
        "<text class='title' x='{:.1}' y='20' text-anchor='end'>{}</text>",
        LEFT - 60.0,
        escape(unit)
    );
    for (nth, (name, points)) in series.iter().enumerate() {
        let points: Vec<String> = points
            .iter()
            .map(|(at, value)| format!("{:.1},{:.1}", scale.x(*at as f64), height(*value)))
            .collect();
        polyline(&mut svg, nth, &points, bottom, name);
    }
    svg + "</svg>"
}

/// Draws a series, and its name below the chart.
fn polyline(svg: &mut String, nth: usize, points: &[String], bottom: f64, name: &str) {
    let y = bottom + 52.0 + 18.0 * nth as f64;
    let _ = write!(
        svg,
        "<polyline class='series s{}' points='{}'/><line class='series s{}' x1='{LEFT}' y1='{:.1}' x2='{:.1}' y2='{:.1}'/><text x='{:.1}' y='{y:.1}'>{}</text>",
        nth % 8,
        points.join(" "),
        nth % 8,
        y - 4.0,
        LEFT + 24.0,
        y - 4.0,
        LEFT + 32.0,
        escape(name)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!([round_step(100.0, 6.0), round_step(7.0, 6.0), round_step(0.9, 6.0)], [20.0, 2.0, 0.2]);
        let scale = Scale::over(-130.0, 310.0);
        assert_eq!((scale.low, scale.high, scale.step), (-200.0, 400.0, 100.0));
    }

    #[test]
    fn a_proven_end_lies_at_the_edge() {
        let series = [("a".to_owned(), vec![(1, 10.0), (3, -20.0), (5, f64::INFINITY)])];
        let chart = values("move", "score", &series, Language::English);
        let points = chart.split("points='").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
        let heights: Vec<&str> = points.split(' ').map(|point| point.split_once(',').unwrap().1).collect();
        assert_eq!(heights, ["59.9", "174.2", "18.0"], "{chart}");
        assert_eq!(values("move", "score", &[], Language::English), "");
    }

    #[test]
    fn names_cannot_break_the_page() {
        let chart = bars("t", &[("<script>\"&'".into(), 1.0)], Language::English);
        assert!(chart.contains("&lt;script&gt;&quot;&amp;&#39;") && !chart.contains("<script"));
    }
}
