//! `referee sprt`: a sequential probability ratio test between two players.

use super::options::PlayOptions;
use super::outputs::together;
use super::play::{Judge, Prepared};
use crate::standing::Standing;
use crate::stats::sample::Sample;
use crate::stats::sprt::{Scale, Sprt, Verdict};
use clap::Args;
use courses::options::{OutOfRange, number};
use courses::record::Record;
use courses::registry::Game;
use courses::results::Tally;
use courses::store::Format;
use std::collections::{BTreeMap, HashSet};
use wire::Failure;

/// Two players, until it is decided.
#[derive(Debug, Args)]
pub struct Sequential {
    /// The assignment
    game: Game,
    /// The player that should be better
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// The player that it is compared with
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Elo difference of the null hypothesis: no improvement
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true, value_parser = elo)]
    elo0: f64,
    /// Elo difference of the alternative hypothesis: an improvement
    #[arg(long, default_value_t = 10.0, allow_hyphen_values = true, value_parser = elo)]
    elo1: f64,
    /// Measure the bounds in logistic Elo instead of normalised Elo
    #[arg(long)]
    logistic: bool,
    /// The error rate alpha: how often a difference of elo0 may pass
    #[arg(long, default_value_t = 0.05, value_parser = frequency)]
    alpha: f64,
    /// The error rate beta: how often a difference of elo1 may fail
    #[arg(long, default_value_t = 0.05, value_parser = frequency)]
    beta: f64,
    /// Maximum number of games
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    #[command(flatten)]
    play: PlayOptions,
}

impl Sequential {
    /// Plays until the test is decided.
    ///
    /// # Errors
    /// A message on one line, and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        if self.elo0 >= self.elo1 {
            let text = format!("--elo0 {} must be less than --elo1 {}", self.elo0, self.elo1);
            return Err(Failure::input(text));
        }
        if self.play.shard.is_some() {
            return Err(Failure::input("--shard cannot split a sequential test"));
        }
        let scale = if self.logistic { Scale::Logistic } else { Scale::Normalised };
        let sprt = Sprt { elo0: self.elo0, elo1: self.elo1, scale, alpha: self.alpha, beta: self.beta };
        let players = [self.a.as_str().into(), self.b.as_str().into()];
        let mut prepared = Prepared::new(self.game, &players, 2, Format::RoundRobin, &self.play)?;
        let mut decider = Decider::new(sprt, prepared.hall.course.set().len());
        prepared.play(self.games.div_ceil(2).saturating_mul(2), &mut decider)?;
        let results = prepared.tell();
        let (low, high) = sprt.bounds();
        let remark = decider.remark();
        let Decider { ratio, pairs, verdict, .. } = decider;
        let unit = if pairs == 1 { "pair" } else { "pairs" };
        let told = wire::print_line(format_args!(
            "sprt [{}, {}] {}: {} after {pairs} {unit}, LLR {ratio:.2} in [{low:.2}, {high:.2}]{remark}",
            self.elo0,
            self.elo1,
            if self.logistic { "logistic" } else { "normalised" },
            match verdict {
                Verdict::Passed => "passed",
                Verdict::Failed => "failed",
                Verdict::Undecided => "undecided",
            }
        ));
        prepared.hall.end(together([results, told]))
    }
}

/// Parses an Elo difference, at most a thousand, where a score is practically 100 %.
fn elo(text: &str) -> Result<f64, OutOfRange> {
    number(text, -1000.0..=1000.0)
}

fn frequency(text: &str) -> Result<f64, OutOfRange> {
    number(text, 0.0001..=0.4999)
}

/// Number of consecutive pairs without a new game that ends a test. With fewer openings than this, each has been
/// repeated.
const IDLE: u64 = 20;

/// A sequential test over the pairs in the order of their numbers, so that the decision does not depend on the order in
/// which games end. A pair with a repeated game adds nothing.
struct Decider {
    sprt: Sprt,
    /// The first player's points and the game's line, by number.
    waiting: BTreeMap<u64, (f64, u64)>,
    next: u64,
    seen: HashSet<u64>,
    tally: Tally,
    ratio: f64,
    pairs: u64,
    repeated: u64,
    /// The number of pairs since the last new game, and its limit.
    idle: u64,
    most_idle: u64,
    verdict: Verdict,
}

impl Decider {
    fn new(sprt: Sprt, openings: usize) -> Self {
        Self {
            sprt,
            waiting: BTreeMap::new(),
            next: 0,
            seen: HashSet::new(),
            tally: Tally::default(),
            ratio: 0.0,
            pairs: 0,
            repeated: 0,
            idle: 0,
            most_idle: (openings as u64).max(IDLE),
            verdict: Verdict::Undecided,
        }
    }

    /// Returns true if all openings were repeated without a new game, so that more games prove nothing.
    fn is_exhausted(&self) -> bool {
        self.idle >= self.most_idle
    }

    fn add_pair(&mut self, (first, first_line): (f64, u64), (second, second_line): (f64, u64)) {
        let is_new = [first_line, second_line].map(|line| self.seen.insert(line));
        self.idle = if is_new.contains(&true) { 0 } else { self.idle + 1 };
        if is_new != [true, true] {
            self.repeated += 1;
            return;
        }
        self.pairs += 1;
        self.tally.add_pair(first, second);
        let sample = Sample::of(&self.tally);
        self.ratio = self.sprt.ratio(&sample);
        self.verdict = self.sprt.verdict(&sample);
    }

    /// Returns a sentence on the pairs that add nothing, empty if there are none.
    fn remark(&self) -> String {
        let advice = if self.is_exhausted() {
            ": no opening gives a new game any more, more openings would"
        } else {
            ""
        };
        match self.repeated {
            0 => String::new(),
            count => format!("; {count} pairs repeat games and add nothing{advice}"),
        }
    }
}

impl Judge for Decider {
    fn add(&mut self, record: &Record) -> bool {
        let seat = record.seats.iter().position(|&player| player == 0).unwrap_or(0);
        self.waiting.insert(record.game, (record.played.points[seat], record.line()));
        while self.verdict == Verdict::Undecided && !self.is_exhausted() {
            let (Some(&first), Some(&second)) =
                (self.waiting.get(&self.next), self.waiting.get(&(self.next + 1)))
            else {
                break;
            };
            self.waiting.remove(&self.next);
            self.waiting.remove(&(self.next + 1));
            self.next += 2;
            self.add_pair(first, second);
        }
        self.verdict != Verdict::Undecided || self.is_exhausted()
    }

    fn running_score(&self, standing: &Standing) -> String {
        let (low, high) = self.sprt.bounds();
        let elo = standing.estimate(0, 1).map_or(String::new(), |elo| format!(", Elo {}", elo.text()));
        format!("LLR {:.2} in [{low:.2}, {high:.2}]{elo}", self.ratio)
    }
}
