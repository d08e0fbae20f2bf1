//! `referee sprt`: two players until the games prove one of two differences.

use super::options::PlayOptions;
use super::play::{Judge, Prepared};
use crate::standing::Standing;
use crate::stats::sprt::{Scale, Sprt, Verdict};
use crate::stats::tally::Tally;
use clap::Args;
use courses::record::Record;
use courses::registry::Game;
use courses::store::Format;
use std::collections::BTreeMap;
use wire::Failure;

/// Two players, until it is decided.
#[derive(Debug, Args)]
pub struct Sequential {
    /// The assignment
    game: Game,
    /// The player that should be better
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// The one it is compared with
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Elo difference that is not worth having
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    elo0: f64,
    /// Elo difference that is
    #[arg(long, default_value_t = 10.0, allow_hyphen_values = true)]
    elo1: f64,
    /// Measure the bounds in logistic Elo instead of normalised Elo
    #[arg(long)]
    logistic: bool,
    /// The frequency with which a difference of elo0 may pass
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// The frequency with which a difference of elo1 may fail
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Games at most
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    #[command(flatten)]
    play: PlayOptions,
}

impl Sequential {
    /// Plays until it is decided.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        if self.elo0 >= self.elo1 || ![self.alpha, self.beta].iter().all(|p| (0.0001..0.5).contains(p)) {
            return Err(Failure::input("elo0 must be less than elo1, alpha and beta between 0.0001 and 0.5"));
        }
        if self.play.shard.is_some() {
            return Err(Failure::input("a sequential test cannot be split: --shard"));
        }
        let scale = if self.logistic { Scale::Logistic } else { Scale::Normalised };
        let sprt = Sprt { elo0: self.elo0, elo1: self.elo1, scale, alpha: self.alpha, beta: self.beta };
        let players = [self.a.as_str().into(), self.b.as_str().into()];
        let mut prepared = Prepared::new(self.game, &players, 2, Format::RoundRobin, &self.play)?;
        let mut decider = Decider::new(sprt);
        prepared.play(self.games.div_ceil(2).saturating_mul(2), &mut decider)?;
        let finished = prepared.finish();
        let (low, high) = sprt.bounds();
        let Decider { ratio, pairs, verdict, .. } = decider;
        wire::print_line(format_args!(
            "sprt [{}, {}] {}: {} after {pairs} pairs, LLR {ratio:.2} in [{low:.2}, {high:.2}]",
            self.elo0,
            self.elo1,
            if self.logistic { "logistic" } else { "normalised" },
            match verdict {
                Verdict::Passed => "passed",
                Verdict::Failed => "failed",
                Verdict::Undecided => "undecided",
            }
        ))?;
        finished
    }
}

/// A sequential test over the pairs in their order, so that it decides alike however the games overtake each other.
struct Decider {
    sprt: Sprt,
    waiting: BTreeMap<u64, f64>,
    next: u64,
    tally: Tally,
    ratio: f64,
    pairs: u64,
    verdict: Verdict,
}

impl Decider {
    fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            waiting: BTreeMap::new(),
            next: 0,
            tally: Tally::default(),
            ratio: 0.0,
            pairs: 0,
            verdict: Verdict::Undecided,
        }
    }
}

impl Judge for Decider {
    fn add(&mut self, record: &Record) -> bool {
        let seat = record.seats.iter().position(|&player| player == 0).unwrap_or(0);
        self.waiting.insert(record.game, record.played.points[seat]);
        while self.verdict == Verdict::Undecided {
            let (Some(&first), Some(&second)) =
                (self.waiting.get(&self.next), self.waiting.get(&(self.next + 1)))
            else {
                break;
            };
            self.waiting.remove(&self.next);
            self.waiting.remove(&(self.next + 1));
            self.next += 2;
            self.pairs += 1;
            self.tally.add_pair(first, second);
            let sample = self.tally.sample();
            self.ratio = self.sprt.ratio(&sample);
            self.verdict = self.sprt.verdict(&sample);
        }
        self.verdict != Verdict::Undecided
    }

    fn running_score(&self, standing: &Standing) -> String {
        let (low, high) = self.sprt.bounds();
        let elo = standing.estimate(0, 1).map_or(String::new(), |elo| format!(", Elo {}", elo.text()));
        format!("LLR {:.2} in [{low:.2}, {high:.2}]{elo}", self.ratio)
    }
}
