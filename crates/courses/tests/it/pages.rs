//! Each game as a page plays it: clicks to the end, every position drawn, worded and opened again.

use courses::drawing::Language;
use courses::play::{self, BoardView, Clicked, Play};
use courses::registry::{self, Game};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The moves after which a game is left. A maze of 500 turns would take long.
const LONGEST: usize = 160;
const LANGUAGES: [Language; 2] = [Language::French, Language::English];

/// Returns an opening of a game for its page.
fn beginning(game: Game, number: u64) -> String {
    game.beginning("", number).unwrap_or_else(|| game.start("").unwrap())
}

/// Plays a game by random clicks. `each` sees it before every move.
fn clicked(game: Game, seed: u64, mut each: impl FnMut(&dyn Play)) -> Box<dyn Play> {
    let mut play = play::open(game, &beginning(game, seed), *game.seats().start()).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    while play.mover(play.moves().len()).is_some() && play.moves().len() < LONGEST {
        each(&*play);
        let at = play.moves().len();
        let mut path = Vec::new();
        let text = loop {
            let next = play.next(at, &path);
            let click = &next[random.random_range(0..next.len())];
            match play.press(at, &path, click, Language::French) {
                Clicked::Chosen(longer) => path = longer,
                Clicked::Move(text) => break text,
                Clicked::Refused(reason) => panic!("{game}: {click} after {path:?}: {reason}"),
            }
        };
        play.play(&text).unwrap();
        assert_eq!(play.moves().last(), Some(&text));
    }
    play
}

/// Draws the position after `at` moves. Asserts that it is one whole picture.
fn drawn(play: &dyn Play, look: &BoardView) -> String {
    let picture = play.draw(look);
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"), "{picture}");
    assert_eq!(picture.matches("<svg").count(), picture.matches("</svg>").count());
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    picture
}

#[test]
fn every_position_is_drawn_worded_and_opened_again() {
    for game in registry::all() {
        clicked(game, 3, |play| {
            let at = play.moves().len();
            // The first positions, and a few of the others.
            if at > 4 && at % 9 != 0 {
                return;
            }
            let look =
                |interactive, language| BoardView { at, interactive, language, ..BoardView::default() };
            for language in LANGUAGES {
                assert_ne!(drawn(play, &look(true, language)), drawn(play, &look(false, language)), "{game}");
                assert_eq!(play.tally(at, language).len(), play.seats(), "{game}");
            }
            let mover = play.mover(at).unwrap();
            assert!(play.ending(at).is_none() && play.analysed(at).is_some());
            let names = LANGUAGES.map(|language| play.seat_name(mover, language));
            assert!(names.iter().all(|name| !name.is_empty()), "{game}: {names:?}");
            let position = play::start(game, &play.position(at), play.seats()).unwrap();
            let again = play::open(game, &position, play.seats()).unwrap();
            assert_eq!(again.mover(0), Some(mover), "{game} after {at}: {position}");
            let sorted = |mut clicks: Vec<String>| {
                clicks.sort();
                clicks
            };
            assert_eq!(
                sorted(again.next(0, &[])),
                sorted(play.next(at, &[])),
                "{game} after {at}: {position}"
            );
        });
    }
}

#[test]
fn games_by_clicks_come_to_an_end_with_points_and_a_reason() {
    for game in registry::all() {
        let mut ended = 0;
        for seed in 1..=3 {
            let mut play = clicked(game, seed, |_| {});
            let last = play.moves().len();
            if let Some(ending) = play.ending(last) {
                ended += 1;
                assert_eq!((play.mover(last), play.analysed(last)), (None, None), "{game}");
                assert_eq!((ending.points.len(), ending.score.len()), (play.seats(), play.seats()));
                let sum: f64 = ending.points.iter().sum();
                assert!(play.seats() != 2 || sum == 1.0, "{game}: {:?}", ending.points);
                let reasons = LANGUAGES.map(|language| play.reason(last, language));
                assert!(!reasons[0].is_empty() && !reasons[1].is_empty(), "{game}");
                drawn(&*play, &BoardView { at: last, ..BoardView::default() });
                // Nothing may be clicked any more.
                assert_eq!(play.next(last, &[]), Vec::<String>::new(), "{game}");
            }
            let text = play.moves().join(" ");
            assert!(LANGUAGES.iter().all(|&language| !play.worded(&text, language).is_empty()));
            let (first, by) = (play.moves()[0].clone(), play.by(0));
            play.cut(0);
            assert_eq!((play.moves().len(), play.mover(0)), (0, Some(by)), "{game}");
            play.play(&first).unwrap();
            assert!(play.play("no\u{1}move").is_err(), "{game}");
        }
        // Walks without a plan do not empty a maze in time.
        assert!(ended == 3 || game.name() == "moules", "{game}: {ended} of 3");
    }
}

#[test]
fn whatever_is_clicked_is_answered_and_a_refusal_says_why_in_both_languages() {
    for game in registry::all() {
        let play = play::open(game, &beginning(game, 1), *game.seats().start()).unwrap();
        let next = play.next(0, &[]);
        let mut refused = 0;
        let columns = ('a'..='p').flat_map(|column| (1..=16).map(move |row| format!("{column}{row}")));
        for click in columns
            .chain((0..90).map(|cell| cell.to_string()))
            .chain(["", "é", "-1", "N", "+"].map(str::to_owned))
        {
            let said = LANGUAGES.map(|language| play.press(0, &[], &click, language));
            match &said {
                [Clicked::Refused(french), Clicked::Refused(english)] => {
                    refused += 1;
                    assert!(!next.contains(&click), "{game}: {click}");
                    assert!(!french.is_empty() && french != english, "{game}: {click}: {french}");
                }
                [french, english] => assert_eq!(french, english, "{game}: {click}"),
            }
        }
        assert!(refused > 3, "{game}: {refused}");
    }
}

#[test]
fn an_analysis_shows_its_best_move_its_line_and_its_values_on_the_board() {
    for game in registry::all() {
        let play = clicked(game, 5, |_| {});
        let (at, moves) = (2, play.moves());
        let values = vec![(moves[2].clone(), "+1.5".to_owned()), (moves[2].clone(), "−2".to_owned())];
        let shown = BoardView {
            at,
            best: Some(moves[2].clone()),
            line: moves[2..4].to_vec(),
            values,
            ..BoardView::default()
        };
        let plain = BoardView { at, ..BoardView::default() };
        assert_ne!(drawn(&*play, &shown), drawn(&*play, &plain), "{game}");
        assert!(play.cell_of(at, &moves[2]).is_some_and(|cell| !cell.is_empty()), "{game}: {}", moves[2]);
        assert!(play.cell_of(at, "no move at all").is_none_or(|cell| !cell.is_empty()), "{game}");
        for language in LANGUAGES {
            assert!(!play.unit(language).is_empty() || play.values(language).is_some(), "{game}");
        }
    }
}

#[test]
fn what_is_no_start_of_a_game_is_refused_with_a_reason() {
    for game in registry::all() {
        for text in ["@", "@x", "@\u{0}", "zz zz zz", "🙂", &"9".repeat(20_000)] {
            let error = play::start(game, text, 2).unwrap_err().to_string();
            assert!(!error.is_empty() && error.len() < 400, "{game}: {error}");
        }
        assert!(LANGUAGES.iter().all(|&language| !game.typed(language).is_empty()), "{game}");
    }
}
