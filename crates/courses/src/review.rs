//! Costly moves of a game that is over: the better move, the cost, and reasons that are proven.
//!
//! The values come from the analysis of the project's own player. [`Reason`]s are facts of the rules, or proofs.

use crate::drawing::Language;
use crate::duel::Rules;
use crate::play::{Play, counted};
use crate::registry::Game;
use search_core::Position as _;
use std::collections::BTreeMap;
use std::fmt;
use wire::analysis::{Info, Value};

/// Number of mistakes of a seat that [`mistakes`] returns.
pub const MOST: usize = 3;
/// The number that stands for a decided game; no evaluation reaches it.
const DECIDED: f64 = 10_000.0;

/// The best lines of each position that was analysed, best first, by its ply.
pub type Findings = BTreeMap<usize, Vec<Info>>;

/// A move that cost something.
#[derive(Debug)]
pub struct Mistake {
    /// The number of moves before it.
    pub nth: usize,
    /// The seat that played it.
    pub seat: usize,
    /// The better line, from the better move on.
    pub better: Vec<String>,
    /// The loss of value, in the game's own unit.
    pub cost: Cost,
    /// The reasons, which are facts.
    pub reasons: Vec<Box<dyn Reason>>,
}

/// The cost of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cost {
    /// A won game was not won any more, or not as far as the search sees: the plies to the win, if known.
    Win(Option<u32>),
    /// The move loses by force: the plies to the end, if known. Before it the loss was not seen, which is no proof that
    /// there was none.
    Loss(Option<u32>),
    /// A lost game was lost sooner, by this number of plies.
    Sooner(u32),
    /// Both values are exact: the difference in the game's unit.
    Exact(f64),
    /// An estimate in the game's unit, by a search to this depth.
    Points(f64, u32),
}

/// A reason for the cost of a move.
pub trait Reason: fmt::Debug + Send {
    /// Returns the reason in words.
    fn say(&self, language: Language) -> String;

    /// Checks the reason by another way than that by which it was found.
    fn holds(&self) -> bool;
}

/// A move with its better one, for the reasons.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The opening of the game.
    pub opening: &'a str,
    /// The number of players.
    pub seats: usize,
    /// The moves before.
    pub before: &'a [String],
    /// The move that was played, in the notation of records.
    pub played: &'a str,
    /// The better one.
    pub better: &'a str,
    /// The better line, from the better move on.
    pub line: &'a [String],
    /// The moves of the game after the one that was played.
    pub after: &'a [String],
    /// The best line after the move, for the next player, and its value.
    pub answer: Option<&'a Info>,
}

impl Moment<'_> {
    /// Returns the positions before the move, after it and after the better one.
    pub(crate) fn positions<R: Rules>(&self, rules: &R) -> Option<[R::Position; 3]> {
        let mut before = rules.start(self.opening).ok()?;
        for text in self.before {
            let mv = rules.read(&before, text)?;
            before.play(mv);
        }
        let after = |text: &str| {
            let mut after = before.clone();
            after.play(rules.read(&before, text)?);
            Some(after)
        };
        let [played, better] = [after(self.played)?, after(self.better)?];
        Some([before, played, better])
    }
}

/// Returns a value as people see it: an estimate is no larger than the margin of any game.
#[must_use]
pub fn bounded(game: Game, value: Value) -> Value {
    match (value, game.assignment().most()) {
        (Value::Points(points), Some(most)) => Value::Points(points.clamp(-most, most)),
        _ => value,
    }
}

/// Returns a value as a number.
fn number(value: Value) -> f64 {
    match value {
        Value::Points(points) | Value::Exact(points) => points.clamp(-DECIDED / 2.0, DECIDED / 2.0),
        Value::Win(plies) => DECIDED - f64::from(plies.unwrap_or(200)),
        Value::Loss(plies) => f64::from(plies.unwrap_or(200)) - DECIDED,
        Value::Draw => 0.0,
    }
}

/// Returns a value from the other side, a ply earlier.
fn turned(value: Value) -> Value {
    match value {
        Value::Points(points) => Value::Points(-points),
        Value::Exact(margin) => Value::Exact(-margin),
        Value::Win(plies) => Value::Loss(plies.map(|plies| plies + 1)),
        Value::Loss(plies) => Value::Win(plies.map(|plies| plies + 1)),
        Value::Draw => Value::Draw,
    }
}

impl Cost {
    fn of(best: Value, played: Value, depth: u32) -> Self {
        match (best, played) {
            (Value::Win(_), Value::Win(_)) => Self::Sooner(0),
            (Value::Win(plies), _) => Self::Win(plies),
            (Value::Loss(Some(late)), Value::Loss(Some(soon))) => Self::Sooner(late.saturating_sub(soon)),
            (Value::Loss(_), _) => Self::Sooner(0),
            (_, Value::Loss(plies)) => Self::Loss(plies),
            (Value::Exact(best), Value::Exact(played)) => Self::Exact(best - played),
            (best, played) => Self::Points(number(best) - number(played), depth),
        }
    }

    /// Returns the cost in words.
    #[must_use]
    pub fn say(self, game: Game, unit: &str, language: Language) -> String {
        let plies = |plies: Option<u32>| {
            plies.map_or_else(String::new, |plies| {
                let plies = counted(plies, language, ["demi-coup", "demi-coups"], ["ply", "plies"]);
                format!(" {} {plies}", language.choose("en", "in"))
            })
        };
        let by = match game.proves_values() {
            true => language.choose("c'est prouvé", "by proof"),
            false => language.choose("selon la recherche", "as the search sees it"),
        };
        let number = |number: &str| language.number(number);
        match (self, language) {
            (Self::Win(of), Language::French) => format!("le gain{} était là ({by})", plies(of)),
            (Self::Win(of), Language::English) => format!("a win{} was there ({by})", plies(of)),
            (Self::Loss(of), Language::French) => format!("ce coup perd{} ({by})", plies(of)),
            (Self::Loss(of), Language::English) => format!("this move loses{} ({by})", plies(of)),
            (Self::Sooner(of), Language::French) => {
                format!(
                    "la perte vient {} plus tôt ({by})",
                    counted(of, language, ["demi-coup", "demi-coups"], ["", ""])
                )
            }
            (Self::Sooner(of), Language::English) => {
                format!("the loss came {} sooner ({by})", counted(of, language, ["", ""], ["ply", "plies"]))
            }
            (Self::Exact(cost), Language::French) => {
                format!("perte exacte : {} ({unit})", number(&cost.to_string()))
            }
            (Self::Exact(cost), Language::English) => format!("gave away {cost} {unit}, exactly"),
            (Self::Points(cost, _), Language::French) => {
                format!("perte : {} ({unit}), selon la recherche", number(&format!("{cost:.1}")))
            }
            (Self::Points(cost, _), Language::English) => {
                format!("cost {cost:.1} {unit} as the search sees it")
            }
        }
    }
}

/// Returns the value of move `nth` and the depth of its search: in the list of its position, and by the position after
/// it, whichever is better for the mover.
fn played(play: &dyn Play, findings: &Findings, nth: usize) -> Option<(Value, u32)> {
    let text = &play.moves()[nth];
    let ranked = findings.get(&nth)?.iter().find(|info| info.line.first() == Some(text));
    // With more than two players the next one's value says nothing of this one's.
    let next = findings.get(&(nth + 1)).and_then(|lines| lines.first()).filter(|_| play.seats() == 2);
    let ranked = ranked.map(|info| (info.value, info.depth));
    let next = next.map(|info| (turned(info.value), info.depth));
    match (ranked, next) {
        (Some(ranked), Some(next)) => Some(if number(ranked.0) > number(next.0) { ranked } else { next }),
        (ranked, next) => ranked.or(next),
    }
}

/// Returns the value of the best move after `nth` moves, that of the move played there, the depth of the shallower of the
/// two searches, and the difference. `None` if too little is known.
#[must_use]
pub fn compared(play: &dyn Play, findings: &Findings, nth: usize) -> Option<(Value, Value, u32, f64)> {
    let best = findings.get(&nth)?.first()?;
    let (played, depth) = played(play, findings, nth)?;
    let [value, played] = [best.value, played].map(|value| bounded(play.game(), value));
    // A player alone counts the turns still needed: fewer are better.
    let sign = if play.seats() == 1 { -1.0 } else { 1.0 };
    Some((value, played, depth.min(best.depth), sign * (number(value) - number(played))))
}

/// Returns the cost of move `nth`, and its size for comparisons. `None` if it cost less than the game's least.
fn cost(play: &dyn Play, findings: &Findings, nth: usize) -> Option<(Cost, f64)> {
    if findings.get(&nth)?.first()?.line.first() == Some(&play.moves()[nth]) {
        return None;
    }
    let (best, played, depth, size) = compared(play, findings, nth)?;
    let cost = match Cost::of(best, played, depth) {
        Cost::Sooner(plies) if plies < 2 => return None,
        Cost::Points(..) => Cost::Points(size, depth),
        cost => cost,
    };
    (size >= play.game().assignment().least_cost()).then_some((cost, size))
}

/// Returns the costs of all moves that cost something and were the player's own, with their sizes, in the order of the
/// game.
fn costs(play: &dyn Play, findings: &Findings) -> Vec<(usize, Cost, f64)> {
    let missed: Vec<usize> = play.missed().into_iter().map(|(nth, _)| nth).collect();
    let own = (0..play.moves().len()).filter(|nth| !missed.contains(nth));
    own.filter_map(|nth| cost(play, findings, nth).map(|(cost, size)| (nth, cost, size))).collect()
}

/// Returns the numbers of all moves that cost something, in the order of the game.
#[must_use]
pub fn costly(play: &dyn Play, findings: &Findings) -> Vec<usize> {
    costs(play, findings).into_iter().map(|(nth, ..)| nth).collect()
}

/// Returns the costliest moves of each seat, at most [`MOST`], the costliest of all first.
#[must_use]
pub fn mistakes(play: &dyn Play, findings: &Findings) -> Vec<Mistake> {
    let mut found: Vec<Vec<(usize, Cost, f64)>> = vec![Vec::new(); play.seats()];
    for one in costs(play, findings) {
        found[play.by(one.0)].push(one);
    }
    let mut all = Vec::new();
    for (seat, mut costs) in found.into_iter().enumerate() {
        costs.sort_by(|a, b| b.2.total_cmp(&a.2));
        costs.truncate(MOST);
        for (nth, cost, size) in costs {
            let better = findings[&nth][0].line.clone();
            let moment = Moment {
                opening: play.opening(),
                seats: play.seats(),
                before: &play.moves()[..nth],
                played: &play.moves()[nth],
                better: &better[0],
                line: &better,
                after: &play.moves()[nth + 1..],
                answer: findings.get(&(nth + 1)).and_then(|lines| lines.first()),
            };
            let reasons = play.game().assignment().reasons(&moment);
            all.push((size, Mistake { nth, seat, better, cost, reasons }));
        }
    }
    all.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.nth.cmp(&other.nth)));
    all.into_iter().map(|(_, mistake)| mistake).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn info(value: Value, line: &str) -> Info {
        let line = line.split(' ').map(str::to_owned).collect();
        Info { rank: 1, depth: 9, value, nodes: 1, millis: 1, line }
    }

    #[test]
    fn the_costliest_moves_of_each_seat_come_first_and_good_ones_never() {
        // A game whose moves are clicks.
        let is_wanted = |play: &mut Box<dyn Play>| {
            let first = play.next(0, &[]).remove(0);
            play.play(&first).is_ok()
        };
        let plays = || registry::all().into_iter().filter_map(|game| game.open("", 2).ok());
        let mut play = plays().find_map(|mut play| is_wanted(&mut play).then_some(play)).unwrap();
        play.cut(0);
        for at in 0..6 {
            let mv = play.next(at, &[]).remove(0);
            play.play(&mv).unwrap();
        }
        let moves = play.moves().to_vec();
        let points = [0.0, 9.0, 9.0, 0.0, 5.0, -5.0];
        let findings: Findings =
            (0..6).map(|nth| (nth, vec![info(Value::Points(points[nth]), "other moves")])).collect();
        let found = mistakes(play.as_ref(), &findings);
        // From 0 to -9, from 9 to -9, from 9 to 0, from 0 to -5; the fifth costs nothing, and of the last one nothing is known.
        let told: Vec<_> = found.iter().map(|one| (one.nth, one.seat, one.cost)).collect();
        let points = |cost| Cost::Points(cost, 9);
        assert_eq!(
            told,
            [(1, 1, points(18.0)), (0, 0, points(9.0)), (2, 0, points(9.0)), (3, 1, points(5.0))]
        );
        assert_eq!(costly(play.as_ref(), &findings), [0, 1, 2, 3]);
        let best: Findings = (0..6).map(|nth| (nth, vec![info(Value::Points(3.0), &moves[nth])])).collect();
        assert!(mistakes(play.as_ref(), &best).is_empty());
    }

    #[test]
    fn no_move_of_othello_costs_more_than_a_game_can() {
        let mut play = registry::find("othello").unwrap().open("", 2).unwrap();
        let mv = play.next(0, &[]).remove(0);
        play.play(&mv).unwrap();
        let findings: Findings =
            (0..2).map(|nth| (nth, vec![info(Value::Points(99.3), "other moves")])).collect();
        assert_eq!(mistakes(play.as_ref(), &findings)[0].cost, Cost::Points(128.0, 9));
        let cost = Cost::Points(2.6, 9);
        let said = cost.say(play.game(), "pions", Language::French);
        assert_eq!(said, "perte : 2,6 (pions), selon la recherche");
    }

    #[test]
    fn a_cost_is_that_of_the_proofs_where_there_are_any() {
        let cost = |best, played| Cost::of(best, played, 5);
        assert_eq!(cost(Value::Win(Some(5)), Value::Points(1.0)), Cost::Win(Some(5)));
        assert_eq!(cost(Value::Points(1.0), Value::Loss(Some(4))), Cost::Loss(Some(4)));
        assert_eq!(cost(Value::Loss(Some(10)), Value::Loss(Some(4))), Cost::Sooner(6));
        assert_eq!(cost(Value::Exact(8.0), Value::Exact(-2.0)), Cost::Exact(10.0));
        assert_eq!(cost(Value::Exact(8.0), Value::Points(-2.0)), Cost::Points(10.0, 5));
        let game = registry::all().into_iter().find(|game| game.proves_values()).unwrap();
        let said = Cost::Exact(6.0).say(game, "discs", Language::English);
        assert_eq!(said, "gave away 6 discs, exactly");
        let said = Cost::Sooner(1).say(game, "", Language::French);
        assert_eq!(said, "la perte vient 1 demi-coup plus tôt (c'est prouvé)");
    }
}
