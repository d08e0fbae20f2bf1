//! `referee tune`: tunes a player's parameters by SPSA.

use super::options::PlayOptions;
use super::outputs::{put, together};
use super::play::{Hall, Judge};
use super::players;
use crate::report::tuning;
use crate::schedule::Schedule;
use crate::standing::Standing;
use crate::stats::spsa::{Course, Parameter, Probe, Spsa, filled};
use clap::Args;
use courses::options::{OutOfRange, number};
use courses::player::Player;
use courses::record::Record;
use courses::registry::Game;
use courses::store::Format;
use courses::store::Head;
use std::collections::BTreeMap;
use wire::Failure;

/// A player's parameters.
#[derive(Debug, Args)]
pub struct Tune {
    /// The assignment
    game: Game,
    /// The player; {NAME} is replaced by a parameter's value
    #[arg(long, value_name = "PLAYER")]
    player: String,
    /// A parameter: its name, start, range, and the step by which it is varied up and down; if all four are whole
    /// numbers, so is the parameter. Give the option once for each
    #[arg(
        long = "parameter",
        value_name = "NAME:START:MIN:MAX:STEP",
        required = true,
        allow_hyphen_values = true
    )]
    parameters: Vec<Parameter>,
    /// Number of iterations; each plays its pairs of games, then adjusts every parameter
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Pairs of games an iteration, each an opening played from both sides
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// The learning rate at the end: the part of its step that a parameter moves for one point more. It is several times
    /// as large at the beginning
    #[arg(long, default_value_t = 0.05, value_parser = rate)]
    rate: f64,
    #[command(flatten)]
    play: PlayOptions,
}

fn rate(text: &str) -> Result<f64, OutOfRange> {
    number(text, 1e-6..=100.0)
}

/// Placeholders that the referee fills in itself.
const RESERVED: [&str; 9] = ["seed", "time", "seat", "depth", "position", "file", "host", "port", "name"];
/// The names of the two sides.
const SIDES: [&str; 2] = ["+", "−"];

impl Tune {
    /// Plays, and prints the values found.
    ///
    /// # Errors
    /// A message on one line, and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let options = &self.play;
        let course = options.course(self.game, 2)?;
        let list: Vec<String> = self.parameters.iter().map(describe).collect();
        let setting = format!(
            "tuning {} in {} iterations of {} pairs, rate {}",
            list.join(", "),
            self.iterations,
            self.pairs,
            self.rate
        );
        let start: Vec<String> = self.parameters.iter().map(|one| one.text(one.start, 0.0)).collect();
        let player = filled(&self.player, &self.parameters, &start);
        let player = [players::player(course.as_ref(), &player)?];
        let program = player[0].fingerprint(&options.games.folder()?);
        let mut hall = Hall::open(options, self.game, course, &player, |head| Head {
            setting: format!("{}; {setting}", head.setting),
            players: vec![self.player.clone(); 2],
            names: SIDES.map(str::to_owned).to_vec(),
            programs: vec![program; 2],
            ..head
        })?;
        let schedule = Schedule::new(2, 2, Format::RoundRobin, options.games.seed).map_err(Failure::input)?;
        let search = Course { iterations: self.iterations, rate: self.rate, seed: options.games.seed };
        let mut spsa = Spsa::new(self.parameters.clone(), search);
        let games = 2 * self.pairs;
        let earlier: BTreeMap<u64, Vec<String>> =
            hall.records.iter().map(|record| (record.game, by_player(record))).collect();
        let mut leads = Leads::default();
        hall.records.iter().for_each(|record| _ = leads.add(record));
        hall.begin(self.iterations.saturating_mul(games))?;
        let mut outcome = Ok(());
        while spsa.done() < self.iterations {
            let numbers = spsa.done() * games..(spsa.done() + 1) * games;
            let probe = spsa.probe();
            let players = self.sides(&hall, &probe)?;
            // Continuing a record file of a version with other arithmetic would give different values unnoticed.
            let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
            if let Some((game, held)) = earlier.range(numbers.clone()).find(|(_, held)| **held != names) {
                let text =
                    format!("game {} of the record was played by {held:?} instead of {names:?}", game + 1);
                return Err(Failure::input(text));
            }
            leads.values = describe_values(&spsa);
            outcome = hall.play(&players, &schedule, numbers.clone(), &mut leads);
            let whole: Vec<f64> = leads.of.range(numbers).map(|(_, lead)| *lead).collect();
            if outcome.is_err() || whole.len() as u64 != games {
                break;
            }
            spsa.learn(&probe, whole.iter().sum());
        }
        hall.close();
        outcome?;
        let tuned = tuning::Tuned { head: &hall.head, spsa: &spsa, player: &self.player };
        let outputs = hall.outputs();
        let done = together([
            wire::print(wire::printable(&tuned.text(hall.records.len()))),
            put(&outputs.json, || format!("{:#}\n", tuned.json(hall.records.len()))),
            put(&outputs.html, || tuned.page(&hall.records)),
            put(&outputs.notation, || courses::notation::all(&hall.records)),
        ]);
        hall.end(done)
    }

    fn check(&self) -> Result<(), Failure> {
        for (nth, parameter) in self.parameters.iter().enumerate() {
            let name = &parameter.name;
            if RESERVED.contains(&name.as_str()) {
                return Err(Failure::input(format!(
                    "{{{name}}} is filled in by the referee and cannot be a parameter"
                )));
            }
            if self.parameters[..nth].iter().any(|other| other.name == *name) {
                return Err(Failure::input(format!("the parameter {name} is given twice")));
            }
            if !self.player.contains(&format!("{{{name}}}")) {
                return Err(Failure::input(format!("\"{}\" does not contain {{{name}}}", self.player)));
            }
        }
        if self.play.shard.is_some() {
            return Err(Failure::input(
                "--shard cannot split a tuning: each iteration depends on the one before",
            ));
        }
        Ok(())
    }

    /// Returns the player with each side's values.
    fn sides(&self, hall: &Hall<'_>, probe: &Probe) -> Result<Vec<Player>, Failure> {
        let side = |sign: &str, values: &[String]| {
            let text = filled(&self.player, &self.parameters, values);
            let mut player = players::player(hall.course.as_ref(), &text)?;
            let values: Vec<String> =
                self.parameters.iter().zip(values).map(|(p, value)| format!("{}={value}", p.name)).collect();
            player.name = format!("{sign} {}", values.join(" "));
            Ok::<_, Failure>(player)
        };
        Ok(vec![side(SIDES[0], &probe.plus)?, side(SIDES[1], &probe.minus)?])
    }
}

/// The first side's lead over the second, by game.
#[derive(Default)]
struct Leads {
    of: BTreeMap<u64, f64>,
    /// The current values, in words.
    values: String,
}

impl Judge for Leads {
    fn add(&mut self, record: &Record) -> bool {
        let seats = record.seats.iter().zip(&record.played.points);
        self.of.insert(record.game, seats.map(|(&side, p)| if side == 0 { *p } else { -p }).sum());
        false
    }

    fn running_score(&self, _: &Standing) -> String {
        self.values.clone()
    }
}

/// Returns the names of a game's players, the first side first.
fn by_player(record: &Record) -> Vec<String> {
    let mut names: Vec<(usize, String)> =
        record.seats.iter().copied().zip(record.names.iter().cloned()).collect();
    names.sort();
    names.into_iter().map(|(_, name)| name).collect()
}

fn describe(parameter: &Parameter) -> String {
    let Parameter { name, start, low, high, step, whole } = parameter;
    format!("{name}:{start}:{low}:{high}:{step}{}", if *whole { "" } else { " fractional" })
}

fn describe_values(spsa: &Spsa) -> String {
    let values = spsa.path().last().into_iter().flatten();
    let texts = spsa.parameters().iter().zip(values).map(|(parameter, value)| {
        let decimals = parameter.decimals();
        format!("{}={value:.decimals$}", parameter.name)
    });
    texts.collect::<Vec<_>>().join(" ")
}
