//! SPSA, simultaneous perturbation stochastic approximation: all parameters are varied at once at random, and move
//! towards the side that wins. The gains follow the chess engines' test servers.
//!
//! Source: J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", 1998; the
//! correction of the gains: fishtest, the Stockfish developers.

use courses::seed::mix;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::str::FromStr;

/// Exponents of the gains, by Spall, and the share of the iterations that stabilises the first ones.
const GAIN_FALL: f64 = 0.602;
const STEP_FALL: f64 = 0.101;
const STEADY: f64 = 0.1;
/// Last share of the iterations over which the values are averaged, to reduce noise.
const SETTLED: f64 = 0.25;

/// A parameter of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameter {
    /// The parameter's name. `{name}` in the player's command is replaced by its value.
    pub name: String,
    /// The initial value.
    pub start: f64,
    /// The smallest value allowed.
    pub low: f64,
    /// The largest value allowed.
    pub high: f64,
    /// The perturbation at the end of the tuning. It is larger at the beginning.
    pub step: f64,
    /// True if the player only gets integers.
    pub whole: bool,
}

/// An error in the text of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\": {what}; expected NAME:START:MIN:MAX:STEP")]
pub struct ParameterError {
    text: String,
    what: &'static str,
}

impl FromStr for Parameter {
    type Err = ParameterError;

    /// Parses `NAME:START:MIN:MAX:STEP`. Four integers make an integer parameter.
    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let wrong = |what| ParameterError { text: text.to_owned(), what };
        let (name, rest) = text.split_once(':').ok_or_else(|| wrong("no numbers"))?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
            return Err(wrong("a name is letters, digits, _ and -"));
        }
        let words: Vec<&str> = rest.split(':').collect();
        let numbers: Vec<f64> = words
            .iter()
            .filter_map(|word| word.parse().ok().filter(|number: &f64| number.is_finite()))
            .collect();
        let &[start, low, high, step] = &numbers[..] else { return Err(wrong("not four numbers")) };
        if words.len() != 4 {
            return Err(wrong("not four numbers"));
        }
        if !(low < high && (low..=high).contains(&start)) {
            return Err(wrong("not MIN ≤ START ≤ MAX"));
        }
        if step <= 0.0 || step > high - low {
            return Err(wrong("a step is more than 0 and at most MAX − MIN"));
        }
        let whole = words.iter().all(|word| word.parse::<i64>().is_ok());
        Ok(Self { name: name.to_owned(), start, low, high, step, whole })
    }
}

impl Parameter {
    /// Formats a value for the player. An integer is rounded up or down by `lot`, from 0 to 1, so that fractions have
    /// an effect.
    #[must_use]
    pub fn text(&self, value: f64, lot: f64) -> String {
        let value = value.clamp(self.low, self.high);
        if self.whole {
            return format!("{}", (value + lot).floor().min(self.high));
        }
        // Rounding must not leave the range.
        let decimals = self.decimals();
        format!("{value:.decimals$}")
            .parse::<f64>()
            .map_or(value, |v| v.clamp(self.low, self.high))
            .to_string()
    }

    /// Returns the number of decimals: hundredths of a step, or none for integers.
    #[must_use]
    pub fn decimals(&self) -> usize {
        if self.whole { 1 } else { (2.0 - self.step.log10().floor()).clamp(0.0, 15.0) as usize }
    }
}

/// Replaces every `{name}` in a text by its value.
#[must_use]
pub fn filled(text: &str, parameters: &[Parameter], values: &[String]) -> String {
    parameters.iter().zip(values).fold(text.to_owned(), |text, (parameter, value)| {
        text.replace(&format!("{{{}}}", parameter.name), value)
    })
}

/// The length and the rate of a tuning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// Number of iterations.
    pub iterations: u64,
    /// The part of a step by which one point of lead moves a value, at the end.
    pub rate: f64,
    /// The seed of all random choices.
    pub seed: u64,
}

/// A tuning in progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    course: Course,
    values: Vec<f64>,
    path: Vec<Vec<f64>>,
}

/// The values of both sides in one iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The first side's values, as text.
    pub plus: Vec<String>,
    /// The second side's values, as text.
    pub minus: Vec<String>,
    /// The perturbation of each value, added for the first side and subtracted for the second.
    reach: Vec<f64>,
}

impl Spsa {
    /// Creates a tuning at the parameters' initial values.
    #[must_use]
    pub fn new(parameters: Vec<Parameter>, course: Course) -> Self {
        let values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        Self { parameters, course, path: vec![values.clone()], values }
    }

    /// Returns the parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Returns the values after each iteration, the initial ones first.
    #[must_use]
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// Returns the number of iterations so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.path.len() as u64 - 1
    }

    /// Returns the next iteration's values, a function of the values so far and the seed.
    #[must_use]
    pub fn probe(&self) -> Probe {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(self.course.seed, self.done()));
        let widening = (self.course.iterations as f64 / (self.done() + 1) as f64).powf(STEP_FALL).max(1.0);
        let mut probe = Probe { plus: Vec::new(), minus: Vec::new(), reach: Vec::new() };
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let step = parameter.step * widening;
            let reach = if random.random::<bool>() { step } else { -step };
            // The same rounding for both sides, so that they differ by the perturbation alone.
            let lot: f64 = random.random();
            probe.plus.push(parameter.text(value + reach, lot));
            probe.minus.push(parameter.text(value - reach, lot));
            probe.reach.push(reach);
        }
        probe
    }

    /// Ends the iteration. `difference` is the first side's lead in points.
    pub fn learn(&mut self, probe: &Probe, difference: f64) {
        let steady = STEADY * self.course.iterations as f64;
        let now = (self.done() + 1) as f64;
        let gain = ((steady + self.course.iterations as f64) / (steady + now)).powf(GAIN_FALL);
        for ((parameter, value), reach) in self.parameters.iter().zip(&mut self.values).zip(&probe.reach) {
            let moved = self.course.rate * gain * parameter.step * parameter.step / reach * difference;
            *value = (*value + moved).clamp(parameter.low, parameter.high);
        }
        self.path.push(self.values.clone());
    }

    /// Returns the tuned values: the mean over the last quarter of the iterations.
    #[must_use]
    pub fn tuned(&self) -> Vec<f64> {
        let count = ((self.done() as f64 * SETTLED).ceil() as usize).max(1);
        let last = &self.path[self.path.len() - count..];
        (0..self.values.len())
            .map(|nth| last.iter().map(|values| values[nth]).sum::<f64>() / count as f64)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tunes with games whose result is random by the Elo difference of two settings, each `distance²` Elo from the
    /// optimum.
    fn tuned(seed: u64) -> Vec<f64> {
        let parameters: Vec<Parameter> =
            ["a:20:0:100:8", "b:0.8:-1:1:0.2"].iter().map(|text| text.parse().unwrap()).collect();
        let best = [60.0, -0.25];
        let strength = |texts: &[String]| -> f64 {
            texts
                .iter()
                .zip(best)
                .zip(&parameters)
                .map(|((text, best), parameter)| {
                    -20.0 * ((text.parse::<f64>().unwrap() - best) / parameter.step).powi(2)
                })
                .sum()
        };
        let course = Course { iterations: 2000, rate: 0.05, seed };
        let mut spsa = Spsa::new(parameters.clone(), course);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..course.iterations {
            let probe = spsa.probe();
            let elo = strength(&probe.plus) - strength(&probe.minus);
            let expected = crate::stats::elo::score_of(elo);
            let points: f64 =
                (0..2).map(|_| if random.random::<f64>() < expected { 1.0 } else { -1.0 }).sum();
            spsa.learn(&probe, points);
        }
        spsa.tuned()
    }

    #[test]
    fn noisy_games_lead_to_the_best_values() {
        for seed in 1..=5 {
            let found = tuned(seed);
            // Within one step of the optimum, from five or more steps away: 20 Elo of hundreds.
            assert!((found[0] - 60.0).abs() < 8.0 && (found[1] + 0.25).abs() < 0.2, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn games_that_prove_nothing_move_nothing_and_the_range_holds() {
        let parameter: Parameter = "x:9:0:10:2".parse().unwrap();
        let mut spsa = Spsa::new(vec![parameter], Course { iterations: 10, rate: 50.0, seed: 3 });
        let probe = spsa.probe();
        spsa.learn(&probe, 0.0);
        assert_eq!(spsa.path()[1], [9.0]);
        for _ in 0..9 {
            let probe = spsa.probe();
            for text in probe.plus.iter().chain(&probe.minus) {
                assert!((0..=10).contains(&text.parse::<i32>().unwrap()), "{text}");
            }
            spsa.learn(&probe, if probe.reach[0] > 0.0 { 2.0 } else { -2.0 });
        }
        assert_eq!(spsa.tuned(), [10.0]);
    }

    #[test]
    fn whole_values_stay_whole_and_others_keep_what_a_step_needs() {
        let whole: Parameter = "x:5:0:10:1".parse().unwrap();
        assert_eq!([0.0, 0.4, 0.6].map(|lot| whole.text(4.5, lot)), ["4", "4", "5"]);
        let fine: Parameter = "x:0.5:0:1:0.05".parse().unwrap();
        assert_eq!(fine.text(0.123_456_789, 0.9), "0.1235");
        assert_eq!(fine.text(7.0, 0.9), "1");
    }

    #[test]
    fn what_is_no_parameter_is_refused_with_the_reason() {
        let error = |text: &str| text.parse::<Parameter>().unwrap_err().to_string();
        for (text, reason) in [
            ("x", "no numbers"),
            ("{x}:1:0:2:1", "a name is"),
            ("x:1:0:2", "not four"),
            ("x:1:0:2:1:1", "not four"),
            ("x:1:0:nan:1", "not four"),
            ("x:3:0:2:1", "MIN ≤ START"),
            ("x:1:0:2:0", "a step is"),
            ("x:1:0:2:3", "a step is"),
        ] {
            assert!(error(text).contains(reason) && error(text).contains(text), "{}", error(text));
        }
    }
}
