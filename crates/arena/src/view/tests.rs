//! Pages of sessions in the states that change their buttons and words.

use crate::session::{
    Action, Analysis, Asker, Browser, Conversation, Engine, Host, Question, Refusal, Seat, Session, Settings,
    Spec, Strength, Threads, TimeControl, Viewpoint, own,
};
use courses::drawing::Language;
use courses::registry::{self, Game};
use std::time::Duration;
use wire::analysis::{Info, Value};

/// An analysis on one of two threads.
#[derive(Debug)]
struct Narrow;

impl Analysis for Narrow {
    fn ask(&self, _: Option<Question>) {}

    fn threads(&self) -> Threads {
        Threads { used: 1, chosen: 2, most: 2 }
    }
}

/// A host without engines, whose time stands.
struct Still;

impl Host for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn engine(&self, _: Conversation, _: &Spec, _: usize, _: u64) -> Option<Box<dyn Engine>> {
        None
    }

    fn analysis(&self, _: Game, _: Asker, _: u64) -> Option<Box<dyn Analysis>> {
        Some(Box::new(Narrow))
    }
}

fn browser(name: &str) -> Browser {
    Browser(name.to_owned())
}

fn engine() -> Seat {
    Seat::Engine(own(registry::find("othello").unwrap(), Strength::Level(1), 1))
}

/// Returns a game of Othello after two moves, held by one browser.
fn game(seats: Vec<Seat>, change: impl FnOnce(&mut Settings)) -> Session {
    let mut settings = Settings { seats, ..Settings::default() };
    settings.give(&browser("a"), "");
    change(&mut settings);
    let mut play = registry::find("othello").unwrap().open("", 2).unwrap();
    ["d3", "c5"].iter().for_each(|text| play.play(text).unwrap());
    Session::new(play, settings)
}

fn page(session: &Session, language: Language) -> String {
    super::session(&session.view(&Viewpoint::default(), &browser("a"), Duration::ZERO), 0, None, language)
}

fn act(session: &mut Session, action: &Action) -> Result<(), Refusal> {
    session.act(action, &browser("a"), Language::English, &Still).map(|_| ())
}

#[test]
fn after_the_flag_nobody_is_to_move_invited_or_takes_back() {
    let time = TimeControl::Game(60_000, 2_000);
    let people = || vec![Seat::Person, Seat::Person];
    let going = page(&game(people(), |settings| settings.time = Some(time)), Language::English);
    assert!(
        going.contains("<li class=\"turn\">")
            && going.contains("data-invite")
            && going.contains("data-do=\"undo\">")
    );
    let mut late = game(people(), |settings| (settings.time, settings.late) = (Some(time), Some(0)));
    let over = page(&late, Language::English);
    assert!(over.contains("white wins (time is up)"), "{over}");
    assert!(!over.contains("class=\"turn\"") && !over.contains("data-invite"), "{over}");
    assert!(over.contains("data-do=\"undo\" disabled"), "{over}");
    assert_eq!(act(&mut late, &Action::Undo), Err(Refusal::TimeUp));
    assert!(late.over().is_some());
    // A resignation can be taken back, but nobody is to move until then.
    let mut resigned = game(people(), |settings| settings.resigned = Some(1));
    assert!(!page(&resigned, Language::English).contains("class=\"turn\""));
    assert_eq!(act(&mut resigned, &Action::Undo), Ok(()));
}

#[test]
fn a_study_has_no_buttons_of_a_game() {
    let buttons = ["data-do=\"resign\"", "data-new", "data-invite"];
    let people = || vec![Seat::Person, Seat::Person];
    let played = page(&game(people(), |_| {}), Language::English);
    let studied = page(&game(people(), |settings| settings.is_study = true), Language::English);
    for button in buttons {
        assert!(played.contains(button) && !studied.contains(button), "{button}: {studied}");
    }
    assert!(studied.contains("data-do=\"undo\"") && studied.contains("data-do=\"study\""));
}

#[test]
fn engines_wait_for_nobody_where_several_people_play() {
    let of = |count: usize| {
        let mut seats = vec![Seat::Person, Seat::Person, engine()];
        seats.rotate_left(2);
        let maze = registry::find("moules").unwrap();
        let mut settings = Settings { seats, ..Settings::default() };
        settings.give(&browser("a"), "");
        (1..=count).for_each(|seat| settings.holders[seat].browser = browser(["", "a", "b"][seat]));
        Session::new(maze.open("maze 1 items 1 turns 9", 3).unwrap(), settings)
    };
    let (mut alone, mut shared) = (of(1), of(2));
    assert!(page(&alone, Language::English).contains("data-do=\"pause\""));
    assert_eq!(act(&mut alone, &Action::Pause), Ok(()));
    let shown = page(&shared, Language::English);
    assert!(!shown.contains("data-do=\"pause\"") && !shown.contains("data-do=\"step\""), "{shown}");
    assert_eq!(act(&mut shared, &Action::Pause), Err(Refusal::Shared));
    assert!(shown.contains("of 6 marks if it ended now"), "{shown}");
}

/// Returns the page of an analysis with one line.
fn studied(seats: Vec<Seat>, info: Info, language: Language) -> String {
    let mut session = game(seats, |settings| settings.is_study = true);
    act(&mut session, &Action::Study { on: true, at: None }).unwrap();
    session.found(Asker::Study, 1, 1, Ok(Some(info)), &Still);
    page(&session, language)
}

fn info(depth: u32, line: &str) -> Info {
    let line = line.split(' ').map(str::to_owned).collect();
    Info { rank: 1, depth, value: Value::Points(0.72), nodes: 9_000, millis: 900, line }
}

#[test]
fn an_analysis_says_where_the_engine_plays_that_holds_its_thread() {
    let people = vec![Seat::Person, Seat::Person];
    let other = studied(people.clone(), info(3, "d6 c3 c4"), Language::English);
    assert!(other.contains("(2 once no engine plays in <a href=\"/watch\">another game</a>)"), "{other}");
    let own = studied(vec![Seat::Person, engine()], info(3, "d6 c3 c4"), Language::French);
    assert!(own.contains("(2 quand le moteur de cette partie ne joue plus)"), "{own}");
    let mut waits = game(people.clone(), |_| {});
    act(&mut waits, &Action::Study { on: true, at: None }).unwrap();
    assert!(page(&waits, Language::English).contains("the engine starts, or waits for the processor…"));
}

#[test]
fn a_value_that_is_read_out_says_its_depth_and_a_line_that_is_cut_says_why() {
    let people = || vec![Seat::Person, Seat::Person];
    let cut = studied(people(), info(13, "d6 c3 c4"), Language::English);
    assert!(cut.contains("data-value=\"value for black at depth 13: +0.72\""), "{cut}");
    assert!(cut.contains("data-gone=\"the analysis has ended"), "{cut}");
    assert!(!page(&game(people(), |_| {}), Language::English).contains("data-gone"));
    assert!(cut.contains("A line ends where the table knows the value already"), "{cut}");
    let whole = studied(people(), info(3, "d6 c3 c4"), Language::French);
    assert!(whole.contains("data-value=\"valeur pour noir à la profondeur 3 : +0,72\""), "{whole}");
    assert!(!whole.contains("Une suite finit"), "{whole}");
}

#[test]
fn an_analysis_follows_the_page_that_is_opened_and_says_where_it_is() {
    let mut session = game(vec![Seat::Person, Seat::Person], |settings| settings.is_study = true);
    act(&mut session, &Action::Study { on: true, at: None }).unwrap();
    let shown = |session: &Session, at: usize| {
        let seen = Viewpoint { at: Some(at), path: Vec::new() };
        super::session(&session.view(&seen, &browser("a"), Duration::ZERO), 0, None, Language::English)
    };
    let waits = "the engine starts, or waits";
    assert!(shown(&session, 2).contains(waits));
    let elsewhere = shown(&session, 1);
    assert!(elsewhere.contains("elsewhere: <button") && !elsewhere.contains(waits), "{elsewhere}");
    session.turn_to(1, &browser("a"), Duration::ZERO);
    assert!(shown(&session, 1).contains(waits));
    act(&mut session, &Action::Graph { on: true, at: Some(1) }).unwrap();
    session.turn_to(2, &browser("a"), Duration::ZERO);
    assert!(shown(&session, 1).contains("the analysis of the whole game comes here soon"));
}
