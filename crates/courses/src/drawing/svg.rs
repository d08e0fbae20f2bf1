//! SVG text: the basic shapes of the boards.

use super::Marks;
use std::fmt::Write as _;

/// Escapes text for SVG and HTML, also inside quotes.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if wire::is_unprintable(c) => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Escapes text for `<pre>`, like [`escape`] but with line feeds.
#[must_use]
pub fn preformatted(text: &str) -> String {
    text.split('\n').map(escape).collect::<Vec<_>>().join("\n")
}

/// A rectangle: left, top, width, height.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// The left edge.
    pub x: f64,
    /// The top edge.
    pub y: f64,
    /// The width, in units of the drawing.
    pub width: f64,
    /// The height, in units of the drawing.
    pub height: f64,
}

impl Area {
    /// Returns a square by its left, its top and its side.
    #[must_use]
    pub fn square(x: f64, y: f64, side: f64) -> Self {
        Self { x, y, width: side, height: side }
    }

    /// Returns the middle of the rectangle.
    #[must_use]
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// A drawing under construction.
pub struct Canvas {
    text: String,
}

/// Rounds to hundredths, finer than any screen.
fn short(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

impl Canvas {
    /// Begins a drawing of this size. `label` is for screen readers.
    #[must_use]
    pub fn new(game: &str, width: f64, height: f64, label: &str) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board {game}\" viewBox=\"0 0 {} {}\" role=\"group\" \
             aria-label=\"{}\">",
            short(width),
            short(height),
            escape(label)
        );
        Self { text }
    }

    /// Draws a rectangle with round corners of a radius.
    pub fn rect(&mut self, class: &str, area: Area, radius: f64) {
        let Area { x, y, width, height } = area;
        let _ = write!(
            self.text,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            short(x),
            short(y),
            short(width),
            short(height)
        );
        if radius > 0.0 {
            let _ = write!(self.text, " rx=\"{}\"", short(radius));
        }
        self.text.push_str("/>");
    }

    /// Draws a circle around a point.
    pub fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let _ = write!(
            self.text,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            short(x),
            short(y),
            short(radius)
        );
    }

    /// Draws a path of SVG.
    pub fn path(&mut self, class: &str, path: &str) {
        let _ = write!(self.text, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// Draws a line through points.
    pub fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut path = String::new();
        for (nth, &(x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{} {}", if nth == 0 { 'M' } else { 'L' }, short(x), short(y));
        }
        self.path(class, &path);
    }

    /// Writes a text at a point. Screen readers have the names of cells instead of coordinates and numbers.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let is_named = ["name", "corner", "nth"].contains(&class.split(' ').next().unwrap_or_default());
        let _ = write!(
            self.text,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\"{}>{}</text>",
            short(x),
            short(y),
            if is_named { " aria-hidden=\"true\"" } else { "" },
            escape(text)
        );
    }

    /// Draws the marks under a cell's piece: the last move, a clicked cell.
    pub fn ground(&mut self, marks: &Marks, name: &str, area: Area) {
        if Marks::has(&marks.chosen, name) {
            self.rect("chosen", area, 0.0);
        } else if Marks::has(&marks.last, name) {
            self.rect("last", area, 0.0);
        }
    }

    /// Draws the marks over a cell's piece: a value, the dot of a legal target, the ring of the best move.
    pub fn over(&mut self, marks: &Marks, name: &str, area: Area) {
        let side = area.width.min(area.height);
        if Marks::has(&marks.best, name) {
            self.circle("best", area.centre(), 0.42 * side);
        }
        let values: Vec<(&str, bool)> = marks.values_of(name).take(2).collect();
        if !values.is_empty() {
            let (x, y) = area.centre();
            let above = if values.len() > 1 { 0.2 * side } else { 0.0 };
            for (nth, (value, is_best)) in values.into_iter().enumerate() {
                self.value(value, is_best, (x, y - above + 0.4 * side * nth as f64), side);
            }
        } else if Marks::has(&marks.targets, name) {
            self.circle("target", area.centre(), 0.13 * side);
        }
    }

    /// Draws a value on a plate within the width of a cell, so that it is legible over any piece.
    fn value(&mut self, text: &str, is_best: bool, (x, y): (f64, f64), side: f64) {
        let size = 0.3 * side;
        let ems = |letter| match letter {
            '.' | ',' => 0.32,
            '#' => 0.8,
            _ => 0.6,
        };
        let width = (size * text.chars().map(ems).sum::<f64>()).min(0.92 * side);
        let area =
            Area { x: x - width / 2.0 - 1.0, y: y - 0.55 * size, width: width + 2.0, height: 1.1 * size };
        self.rect("plate", area, 2.0);
        let class = if is_best { "value first" } else { "value" };
        // The letters of some fonts are wider.
        let _ = write!(
            self.text,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" \
             lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            short(x),
            short(y + 0.36 * size),
            short(size),
            short(width),
            escape(text)
        );
    }

    /// Draws the clickable area of a cell: its name in the game's notation, its text for screen readers. It must come
    /// last, so that its focus ring is on top.
    pub fn hit(&mut self, marks: &Marks, name: &str, label: &str, area: Area) {
        let (key, role) = match (marks.interactive, marks.explored) {
            (true, _) => ("cell", "button"),
            (false, true) => ("square", "img"),
            (false, false) => return,
        };
        let Area { x, y, width, height } = area;
        let legal = Marks::has(&marks.targets, name);
        let _ = write!(
            self.text,
            "<rect class=\"hit{}\" data-{key}=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" \
             height=\"{}\" role=\"{role}\" tabindex=\"-1\" aria-label=\"{}{}\"/>",
            if legal { " legal" } else { "" },
            escape(name),
            short(x),
            short(y),
            short(width),
            short(height),
            escape(label),
            match legal {
                true => marks.choose(", possible", ", legal"),
                // A name alone says nothing.
                false if label == name => marks.choose(", vide", ", empty"),
                false => "",
            },
        );
    }

    /// Ends the drawing and returns its text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>");
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_player_is_never_markup() {
        let mut canvas = Canvas::new("test", 10.0, 10.0, "<script>alert(1)</script>\"'");
        canvas.text("name", (0.0, 0.0), "<script>");
        let text = canvas.finish();
        assert!(!text.contains("<script") && text.contains("&lt;script&gt;alert(1)"), "{text}");
        assert_eq!(escape("a\u{7}&\"'"), "a\u{fffd}&amp;&quot;&#39;");
    }
}
