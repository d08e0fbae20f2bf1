//! Tests of the review.

use super::*;
use crate::session::{Action, Browser, Conversation, Engine, Settings, Spec, Strength, own};
use courses::drawing::Language;
use courses::play::{self, Clicked};
use courses::registry::{self, Game};
use std::cell::Cell;
use std::sync::{Arc, Mutex};
use wire::analysis::Value;

/// The latest question to each analysis, by its number.
type Asked = Arc<Mutex<Vec<Option<Question>>>>;

#[derive(Debug)]
struct Fake(Asked, usize);

impl Analysis for Fake {
    fn ask(&self, question: Option<Question>) {
        self.0.lock().unwrap()[self.1] = question;
    }
}

/// A host whose time stands until a test changes it.
#[derive(Default)]
struct Still(Asked, Cell<Duration>);

impl Still {
    /// Returns the number of the question that an analysis works on.
    fn asked(&self, number: u64) -> Option<u64> {
        self.0.lock().unwrap()[number as usize].as_ref().map(|question| question.number)
    }
}

impl Host for Still {
    fn now(&self) -> Duration {
        self.1.get()
    }

    fn engine(&self, _: Conversation, _: &Spec, _: usize, _: u64) -> Option<Box<dyn Engine>> {
        None
    }

    fn analysis(&self, _: Game, _: Asker, number: u64) -> Option<Box<dyn Analysis>> {
        let number = number as usize;
        let mut asked = self.0.lock().unwrap();
        let count = asked.len().max(number + 1);
        asked.resize(count, None);
        Some(Box::new(Fake(Arc::clone(&self.0), number)))
    }
}

/// Returns a game of Othello that is over by resignation, and its host.
fn resigned() -> (Session, Still) {
    let game = registry::find("othello").unwrap();
    let mut play = courses::play::open(game, &courses::play::start(game, "", 2).unwrap(), 2).unwrap();
    for text in ["d3", "c3", "c4"] {
        play.play(text).unwrap();
    }
    let settings = Settings { seats: vec![Seat::Person; 2], ..Settings::default() };
    let (mut session, host) = (Session::new(play, settings), Still::default());
    act(&mut session, &Action::Resign, &host);
    (session, host)
}

fn act(session: &mut Session, action: &Action, host: &Still) {
    session.act(action, &Browser::default(), Language::English, host).unwrap();
}

fn info() -> Info {
    let line = vec!["e3".to_owned()];
    Info { rank: 1, depth: 9, value: Value::Points(0.5), nodes: 9_000, millis: 100, line }
}

/// Returns a game of two engines that is over after three moves, and its host.
fn of_engines(game: Game) -> (Session, Still) {
    let opening = game.beginning("", 1).unwrap_or_else(|| play::start(game, &game.sized("", ""), 2).unwrap());
    let mut play = game.open(&opening, 2).unwrap();
    for at in 0..3 {
        let mut path = Vec::new();
        while let Some(click) = play.next(at, &path).into_iter().next() {
            path.push(click);
            if let Clicked::Move(text) =
                play.press(at, &path[..path.len() - 1], path.last().unwrap(), Language::English)
            {
                play.play(&text).unwrap();
                break;
            }
        }
    }
    let engine = || Seat::Engine(own(game, Strength::Level(1), 1));
    let settings = Settings { seats: vec![engine(), engine()], late: Some(0), ..Settings::default() };
    let (mut session, host) = (Session::new(play, settings), Still::default());
    session.wake(&host);
    (session, host)
}

/// Answers the questions of the review: every position is worth 900 to its mover, by another move.
fn answer(session: &mut Session, host: &Still) {
    while let Some(question) = host.asked(session.review.as_ref().unwrap().number) {
        host.1.set(host.1.get() + Duration::from_secs(6));
        let before = session.review.as_ref().unwrap().at;
        let value = if session.play.seats() == 2 { 900.0 } else { 9.0 };
        let found = Info { value: Value::Points(value), line: vec!["another".into()], ..info() };
        let number = session.review.as_ref().unwrap().number;
        session.found(Asker::Study, number, question, Ok(Some(found)), host);
        let review = session.review.as_ref().unwrap();
        if review.is_complete() {
            return;
        }
        assert!(review.at < before, "the review goes on");
    }
}

#[test]
fn a_game_of_two_engines_has_its_costliest_moves_in_every_game() {
    for game in registry::all() {
        let (mut session, host) = of_engines(game);
        assert_eq!(session.play.moves().len(), 3, "{}", game.name());
        answer(&mut session, &host);
        let costly = session.review.as_ref().map(|review| review.costly().to_vec());
        // Nothing follows the last one.
        assert_eq!(costly, Some(vec![0, 1]), "{}", game.name());
        let shown = |language| {
            let (seen, browser) = <(crate::session::Viewpoint, Browser)>::default();
            crate::view::session(&session.view(&seen, &browser, host.now()), 0, None, language)
        };
        let english = shown(Language::English);
        assert!(english.contains(">The costliest moves of each player<"), "{english}");
        assert!(english.contains("<b title=\"a costly move\"> ?</b>"), "{english}");
        assert!(!english.contains("try again from here"), "nobody plays: {english}");
        assert!(shown(Language::French).contains(">Les coups les plus chers de chacun<"));
    }
}

#[test]
fn a_move_costs_the_same_in_another_line_and_back_and_when_its_game_is_opened_again() {
    let (mut session, host) = of_engines(registry::find("othello").unwrap());
    answer(&mut session, &host);
    let told = |session: &Session| {
        let review = session.review.as_ref().expect("a review");
        let mistakes = review.mistakes().expect("a complete review").iter();
        mistakes.map(|one| (one.nth, one.cost, one.better.clone())).collect::<Vec<_>>()
    };
    let (before, count) = (told(&session), session.analyses);
    assert_eq!(before.len(), 2);
    let last = session.play.moves()[2].clone();
    session.play.cut(2);
    session.review(&host);
    session.play.play(&last).unwrap();
    session.review(&host);
    // The shorter line has begun a review of its own.
    assert_eq!((told(&session), session.analyses), (before.clone(), count + 1));
    let text = crate::session::record_file(&session, crate::session::Reader::Arena);
    let (saved, records) = crate::session::read(&text).unwrap();
    let mut again = crate::session::reopen(saved.unwrap(), &records[0]).unwrap();
    again.wake(&host);
    assert_eq!((told(&again), again.analyses), (before, 0));
    // Whatever stands in a file, nothing is said of another game.
    let (saved, mut records) = crate::session::read(&text.replace("another", "")).unwrap();
    records[0].played.moves.truncate(1);
    assert!(crate::session::reopen(saved.unwrap(), &records[0]).unwrap().review.is_none());
}

#[test]
fn the_list_says_whose_moves_it_has_where_there_are_more() {
    let info = |value| vec![Info { value: Value::Points(value), line: vec!["another".into()], ..info() }];
    let shown = |seats: Vec<Seat>, is_lost: bool, language| {
        let play = registry::find("othello").unwrap().open("", 2).unwrap();
        let mut session = Session::new(play, Settings { seats, late: Some(0), ..Settings::default() });
        (0..9).for_each(|nth| {
            let first = session.play.next(nth, &[]).remove(0);
            session.play.play(&first).unwrap();
        });
        let mut review = Review::of(&session, 0, None, Duration::ZERO);
        review.loser = review.loser.filter(|_| is_lost);
        review.findings = (0..10).map(|at| (at, info(20.0))).collect();
        review.conclude(session.play.as_ref());
        session.review = Some(review);
        let (seen, browser) = <(crate::session::Viewpoint, Browser)>::default();
        crate::view::session(&session.view(&seen, &browser, Duration::ZERO), 0, None, language)
    };
    let engine = || Seat::Engine(own(registry::find("othello").unwrap(), Strength::Level(1), 1));
    let both = shown(vec![Seat::Person, Seat::Person], true, Language::English);
    assert!(both.contains(">Where did I lose? The costliest moves of each player<"), "{both}");
    assert!(
        both.contains("black 5, white 4. Here are 3 of each player at most, the costliest first:"),
        "{both}"
    );
    let both = shown(vec![Seat::Person, Seat::Person], false, Language::French);
    assert!(both.contains("En voici 3 au plus de chacun, les plus chers d'abord\u{a0}:"), "{both}");
    let one = shown(vec![engine(), Seat::Person], false, Language::English);
    assert!(
        one.contains(">The costliest moves: white<") && one.contains("white 4. Here are the 3 costliest:"),
        "{one}"
    );
}

#[test]
fn the_review_waits_for_the_position_that_is_looked_at_and_goes_on_afterwards() {
    let (mut session, host) = resigned();
    let review = 1;
    assert!(host.asked(review).is_some());
    act(&mut session, &Action::Study { on: true, at: Some(1) }, &host);
    let question = host.asked(2).expect("the position is analysed");
    assert_eq!(host.asked(review), None, "the review waits");
    session.found(Asker::Study, 2, question, Ok(Some(info())), &host);
    assert_eq!(host.asked(review), None, "the position has had no time yet");
    host.1.set(Duration::from_secs(4));
    session.found(Asker::Study, 2, question, Ok(None), &host);
    assert!(host.asked(review).is_some() && host.asked(2) == Some(question), "they share the processors");
    act(&mut session, &Action::Look { at: Some(2) }, &host);
    assert_eq!(host.asked(review), None);
    act(&mut session, &Action::Study { on: false, at: Some(2) }, &host);
    assert!(host.asked(review).is_some());
}

#[test]
fn the_analysis_of_the_whole_game_tells_how_far_it_is_and_stops() {
    let (mut session, host) = resigned();
    act(&mut session, &Action::Graph { on: true, at: Some(3) }, &host);
    let progress = |session: &Session| {
        let browser = Browser::default();
        let seen = crate::session::Viewpoint::default();
        let view = session.view(&seen, &browser, host.now());
        view.study.map(|found| (found.study.whole, found.study.progress(view.play)))
    };
    assert_eq!(progress(&session), Some((true, (0, 4))));
    let question = host.asked(2).unwrap();
    host.1.set(Duration::from_secs(1));
    session.found(Asker::Study, 2, question, Ok(Some(info())), &host);
    assert_eq!(progress(&session), Some((true, (1, 4))));
    assert!(host.asked(1).is_none() && host.asked(2) != Some(question));
    act(&mut session, &Action::Graph { on: false, at: Some(3) }, &host);
    assert_eq!(progress(&session), Some((false, (1, 4))));
}

#[test]
fn a_game_is_lost_from_where_every_later_value_is_a_loss() {
    let mut play = courses::registry::find("othello").unwrap().open("", 2).unwrap();
    for at in 0..4 {
        let first = play.next(at, &[]).remove(0);
        play.play(&first).unwrap();
    }
    let info = |value| vec![Info { rank: 1, depth: 9, value, nodes: 1, millis: 1, line: Vec::new() }];
    let values = [Value::Loss(None), Value::Points(-3.0), Value::Loss(None), Value::Exact(4.0)];
    let review = |loser| Review {
        analysis: None,
        number: 0,
        question: 0,
        waits: false,
        is_broken: false,
        moves: Vec::new(),
        seats: vec![0, 1],
        loser,
        is_late: false,
        at: 0,
        first: 0,
        began: Duration::ZERO,
        lines: Vec::new(),
        findings: values.map(info).into_iter().enumerate().collect(),
        mistakes: Vec::new(),
        costly: Vec::new(),
    };
    assert_eq!(review(Some(0)).lost_from(play.as_ref()), Some(2));
    assert_eq!(review(Some(1)).lost_from(play.as_ref()), None);
    assert_eq!(review(None).lost_from(play.as_ref()), None);
}
