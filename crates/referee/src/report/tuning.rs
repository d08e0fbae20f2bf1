//! The result of a tuning: values in the terminal, as JSON, and as a page with their history.

use super::page;
use super::svg::{self, escape};
use crate::stats::spsa::{Spsa, filled};
use courses::drawing::Language;
use courses::record::Record;
use courses::store::Head;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A tuning in progress.
pub struct Tuned<'a> {
    /// The run's head: players, conditions and seed.
    pub head: &'a Head,
    /// The optimiser, with its present parameters.
    pub spsa: &'a Spsa,
    /// The player as written, with placeholders for its parameters.
    pub player: &'a str,
}

impl Tuned<'_> {
    /// Returns the values as a player gets them, to hundredths of a step, integers rounded.
    fn values(&self) -> Vec<String> {
        let tuned = self.spsa.tuned();
        self.spsa
            .parameters()
            .iter()
            .zip(tuned)
            .map(|(parameter, value)| parameter.text(value, 0.5))
            .collect()
    }

    /// Returns the player with the values found.
    fn best(&self) -> String {
        filled(self.player, self.spsa.parameters(), &self.values())
    }

    /// Formats a table for the terminal.
    #[must_use]
    pub fn text(&self, games: usize) -> String {
        let Head { course, seed, setting, .. } = self.head;
        let mut text = format!("{course}: {games} games, seed {seed}; {setting}\n\n");
        let done = self.spsa.done();
        let _ = writeln!(
            text,
            "{:<24} {:>10} {:>10} {:>10} {:>10} {:>10}",
            format!("after {done} iterations"),
            "tuned",
            "start",
            "min",
            "max",
            "step"
        );
        for (parameter, value) in self.spsa.parameters().iter().zip(self.spsa.tuned()) {
            let decimals = parameter.decimals();
            let _ = writeln!(
                text,
                "{:<24} {:>10} {:>10} {:>10} {:>10} {:>10}",
                parameter.name,
                format!("{value:.decimals$}"),
                parameter.start,
                parameter.low,
                parameter.high,
                parameter.step
            );
        }
        let _ = writeln!(text, "\nthe player with these: {}", self.best());
        text
    }

    /// Returns the values and their history as JSON.
    #[must_use]
    pub fn json(&self, games: usize) -> Value {
        let parameters: Vec<Value> = self
            .spsa
            .parameters()
            .iter()
            .zip(self.spsa.tuned())
            .map(|(parameter, tuned)| json!({ "parameter": parameter, "tuned": tuned }))
            .collect();
        json!({
            "run": self.head,
            "games": games,
            "iterations": self.spsa.done(),
            "parameters": parameters,
            "player": self.best(),
            "path": self.spsa.path(),
        })
    }

    /// Returns a self-contained page.
    #[must_use]
    pub fn page(&self, records: &[Record]) -> String {
        let mut html = page::begin(self.head, records.len(), Language::English);
        html.push_str("<h2>Values</h2><div class='table'><table><tr><th class='name'>parameter</th><th>tuned</th><th>start</th><th>min</th><th>max</th><th>step</th></tr>");
        for (parameter, value) in self.spsa.parameters().iter().zip(self.spsa.tuned()) {
            let decimals = parameter.decimals();
            let _ = write!(
                html,
                "<tr><td class='name'>{}</td><td>{value:.decimals$}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&parameter.name),
                parameter.start,
                parameter.low,
                parameter.high,
                parameter.step
            );
        }
        let _ =
            write!(html, "</table></div><p>The player with these: <code>{}</code></p>", escape(&self.best()));
        let share = |nth: usize| {
            let parameter = &self.spsa.parameters()[nth];
            let of = |value: f64| 100.0 * (value - parameter.low) / (parameter.high - parameter.low);
            (parameter.name.clone(), self.spsa.path()[1..].iter().map(|values| of(values[nth])).collect())
        };
        let series: Vec<(String, Vec<f64>)> = (0..self.spsa.parameters().len().min(8)).map(share).collect();
        let _ = write!(
            html,
            "<h2>The way there</h2>{}",
            svg::lines("iteration", "% of the range", &series, Language::English)
        );
        page::faults(&mut html, self.head, records, Language::English);
        html + "</body></html>\n"
    }
}
