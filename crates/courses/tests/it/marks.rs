//! Report cards and checks of protocols.

use super::games::PLAYERS;
use courses::compliance::Examiner;
use courses::course::{Conditions, GameSetup};
use courses::drawing::Language;
use courses::fault::Trouble;
use courses::marking::{Card, Games, Gauntlet, Marker, Patience, Results};
use courses::peer::Supervisor;
use courses::player::Player;
use courses::record::Record;
use courses::registry::{self, Game};
use courses::results::{Line, Tally};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// Plays the games of a gauntlet one after the other. Notes what the clock decided.
#[derive(Default)]
struct InTurn {
    by_the_clock: RefCell<Vec<String>>,
}

impl Games for InTurn {
    fn is_void(&self, what: &str, _: Instant, _: &mut u32) -> Result<bool, Trouble> {
        self.by_the_clock.borrow_mut().push(what.to_owned());
        Ok(false)
    }

    fn gauntlet(&self, marker: &Marker<'_>, gauntlet: &Gauntlet<'_>) -> Result<Results, Trouble> {
        let mut players = vec![marker.player.clone()];
        players.extend(gauntlet.opponents.iter().cloned());
        let mut results = Results {
            order: (0..players.len()).collect(),
            lines: vec![Line::default(); players.len()],
            players,
            records: Vec::new(),
            duels: BTreeMap::<usize, Tally>::new(),
        };
        for number in 0..gauntlet.openings {
            for other in 1..results.players.len() {
                for seats in [vec![0, other], vec![other, 0]] {
                    if marker.patience.is_over() {
                        continue;
                    }
                    let opening = gauntlet.course.opening(number);
                    let game = results.records.len() as u64;
                    let played = gauntlet.course.play(&mut GameSetup {
                        players: seats.iter().map(|&player| &results.players[player]).collect(),
                        opening: &opening,
                        seed: marker.seed + game,
                        conditions: marker.conditions,
                        supervisor: marker.supervisor,
                        processor: None,
                        observer: None,
                    })?;
                    let seat = usize::from(seats[0] != 0);
                    let hung = |(of, fault): &(usize, _)| *of == seat && Patience::is_tried_by(fault);
                    marker.patience.hear(played.faults.iter().any(hung));
                    results.duels.entry(other).or_default().add(played.points[seat]);
                    for (&player, points) in seats.iter().zip(&played.points) {
                        results.lines[player].games += 1;
                        results.lines[player].points += points;
                    }
                    let names = seats.iter().map(|&player| results.players[player].name.clone()).collect();
                    let course = gauntlet.course.name().to_owned();
                    let record = Record {
                        game,
                        group: game / 2,
                        course,
                        seats,
                        names,
                        opening,
                        seed: marker.seed,
                        played,
                    };
                    results.records.push(record);
                }
            }
        }
        Ok(results)
    }

    fn games_an_opening(&self, players: usize, _: usize) -> Result<u64, Trouble> {
        Ok(2 * (players as u64 - 1))
    }
}

fn conditions(game: Game) -> Conditions {
    Conditions {
        time: game.defaults().time,
        grace: Duration::from_secs(2),
        watchdog: Duration::from_secs(2),
        start_up: Duration::from_secs(5),
        ..Conditions::default()
    }
}

/// Marks a program with few games. Returns its card and the number of criteria.
fn marked(game: Game, command: &str) -> (Card, usize) {
    marked_by(&InTurn::default(), game, command)
}

fn marked_by(games: &InTurn, game: Game, command: &str) -> (Card, usize) {
    let player: Player = command.parse().unwrap();
    let supervisor = Supervisor::new();
    let marker = Marker {
        player: &player,
        others: &[],
        conditions: &conditions(game),
        supervisor: &supervisor,
        games,
        seats: 2,
        depth: 2,
        seed: 1,
        concurrency: 1,
        quick: true,
        crashes: AtomicU64::new(0),
        patience: Patience::default(),
        is_by_the_clock: Cell::new(false),
        told: &|_| {},
    };
    let scheme = game.marking().unwrap();
    (scheme.card(&marker).unwrap(), scheme.scheme(&marker).unwrap().len())
}

/// Returns the points of a card, of what programs can mark, and their maximum.
fn points(card: &Card) -> (f64, f64) {
    let items = card.items.iter().filter_map(|item| Some((item.points?, item.of)));
    items.fold((0.0, 0.0), |(points, of), (more, most)| (points + more, of + most))
}

#[test]
fn a_program_that_crashes_at_once_has_a_whole_card_without_points() {
    for game in registry::all() {
        let (card, criteria) = marked(game, "sh -c 'exit 3'");
        assert_eq!(card.items.len(), criteria, "{game}");
        let (points, of) = points(&card);
        assert!(points == 0.0 && of > 0.0, "{game}: {points} of {of}");
    }
}

#[test]
fn a_bonus_for_speed_is_marked_again_if_the_referee_was_stopped() {
    let games = InTurn::default();
    marked_by(&games, super::game("uttt"), "sh -c 'exit 3'");
    assert_eq!(games.by_the_clock.take(), ["sh -c exit 3: bonus: the tree's speed"]);
}

#[test]
fn right_programs_have_their_points() {
    if !super::honest::is_here("python3") {
        return;
    }
    for (name, script, least) in
        [("connect5", "connect5.py", 0.5), ("moules", "moules.py", 0.2), ("uttt", "uttt.py", 0.2)]
    {
        let (card, _) = marked(super::game(name), &format!("python3 {PLAYERS}/{script}"));
        let (points, of) = points(&card);
        assert!(points >= least * of, "{name}: {points} of {of}: {card:?}");
    }
}

/// Checks a program. Returns the number of violations and the report in both languages.
fn checked(game: Game, command: &str) -> (usize, [String; 2]) {
    let player: Player = command.parse().unwrap();
    let (conditions, supervisor) = (conditions(game), Supervisor::new());
    let mut examiner = Examiner::new(&player, &conditions, &supervisor, Examiner::WHOLE);
    game.compliance().unwrap().check(&mut examiner).unwrap();
    let words = [Language::French, Language::English].map(|language| examiner.steps.words(language));
    (examiner.steps.violations(), words)
}

#[test]
fn wrong_programs_violate_each_protocol_and_are_told_so_in_both_languages() {
    for game in registry::all() {
        for command in ["sh -c 'exit 3'", "cat", "echo 7 7"] {
            let (violations, [french, english]) = checked(game, command);
            assert!(violations > 0, "{game}: {command}: {english}");
            assert!(french.contains("FAUX") && english.contains("WRONG"), "{game}: {command}: {english}");
        }
    }
}

#[test]
fn right_programs_violate_nothing() {
    if !super::honest::is_here("python3") {
        return;
    }
    for (name, script, most) in
        [("connect5", "connect5.py", 0), ("moules", "moules.py", 0), ("uttt", "uttt.py", 2)]
    {
        let (violations, [_, english]) = checked(super::game(name), &format!("python3 {PLAYERS}/{script}"));
        assert_eq!(violations, most, "{english}");
    }
}
