//! What each assignment says of itself: names, players, options, marks, and its own players in this process.

use courses::assignment::Drawing;
use courses::course::{Conditions, GameSetup};
use courses::drawing::Language;
use courses::options::GameOptions;
use courses::peer::Supervisor;
use courses::play;
use courses::play::own::Terms;
use courses::player::Player;
use courses::registry::{self, Game};
use courses::strength::Strength;
use search_core::limits::Stopwatch;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use wire::analysis::{Info, Listener};

const LANGUAGES: [Language; 2] = [Language::French, Language::English];

fn beginning(game: Game) -> String {
    game.beginning("", 1).unwrap_or_else(|| game.start("").unwrap())
}

#[test]
fn every_assignment_is_described_in_both_languages() {
    let mut names = BTreeSet::new();
    for game in registry::all() {
        for language in LANGUAGES {
            assert!(!game.title(language).is_empty() && !game.nickname(language).is_empty());
            assert!(!game.summary(language).is_empty() && !game.summary(language).ends_with('.'), "{game}");
        }
        for program in game.executables() {
            assert!(names.insert(*program), "{program} belongs to one game");
            assert!(registry::is_own(program));
        }
        for protocol in game.protocols() {
            assert_eq!(registry::protocol(protocol), Some(*protocol));
        }
        for (english, french) in game.phrases() {
            assert!(!english.is_empty() && !french.is_empty(), "{game}: {english:?} {french:?}");
        }
        for (key, french, english) in game.keys() {
            assert!(!key.is_empty() && !french.is_empty() && !english.is_empty(), "{game}: {key}");
        }
        for (form, meaning) in game.forms() {
            assert!(!form.is_empty() && !meaning.is_empty(), "{game}");
        }
        for option in game.options() {
            assert!(!option.name.starts_with('-') && !option.meaning.is_empty(), "{game}: {}", option.name);
        }
        for seat in 0..*game.seats().end() {
            assert!(!game.swatch(seat).is_empty() || game.badge(seat).is_some(), "{game}: seat {seat}");
        }
        assert!(game.badge(0).is_none_or(|badge| badge.contains("<svg") || badge.contains("<g")), "{game}");
        assert!(!game.style().contains('<'), "{game}: rules of style alone");
        assert!(play::open(game, game.sample(), 2).is_ok(), "{game}: {}", game.sample());
        let server = game.server().map(|server| LANGUAGES.map(|language| server.journal(language)));
        assert!(server.is_none_or(|[french, english]| !french.is_empty() && french != english), "{game}");
        assert!(game.marks().is_none_or(|marks| marks.a_point > 0.0 && !marks.scale.is_empty()), "{game}");
    }
}

#[test]
fn every_strength_names_a_player_that_the_command_line_takes() {
    for game in registry::all() {
        let opening = beginning(game);
        let levels = (1..=10).map(Strength::Level).chain([Strength::Millis(250)]);
        let players: Vec<String> = levels
            .map(|strength| {
                let opponent = game.opponent(strength, &opening);
                assert!(opponent.player.parse::<Player>().is_ok(), "{game}: {}", opponent.player);
                // The level itself stands for the depth.
                let depth = format!("{strength:?}");
                let level = strength.level(game.levels());
                let player = opponent.player.replace("{depth}", &depth);
                format!("{player} {:?} {:?}", opponent.time, level.map(|level| level.random_percent))
            })
            .collect();
        let different: BTreeSet<&String> = players.iter().collect();
        assert_eq!(different.len(), players.len(), "{game}: each level is a player of its own: {players:?}");
        if let Some(shown) = game.demonstration() {
            assert_eq!(shown.players.len(), shown.sides.len(), "{game}");
            assert!(!shown.title.is_empty() && shown.millis > 0, "{game}");
            let players = shown.players.iter().all(|player| player.parse::<Player>().is_ok());
            assert!(players && play::open(game, shown.opening, shown.players.len()).is_ok(), "{game}");
        }
    }
}

#[test]
fn own_players_in_this_process_play_legal_moves_and_find_them_again() {
    for game in registry::all() {
        let (opening, seats) = (beginning(game), *game.seats().start());
        let terms = Terms { strength: Strength::Level(1), limits: None, memory: 1 << 20 };
        let mut player = game.own_player(&opening, seats, &terms).unwrap();
        let mut play = play::open(game, &opening, seats).unwrap();
        for _ in 0..6 {
            let chosen = player.choose(play.moves(), &Stopwatch::start()).unwrap();
            play.play(&chosen.text).unwrap_or_else(|error| panic!("{game}: {}: {error}", chosen.text));
        }
        // A game taken back.
        let known = play.moves()[0].clone();
        play.cut(1);
        let chosen = player.choose(play.moves(), &Stopwatch::start()).unwrap();
        play.play(&chosen.text).unwrap();
        assert_eq!(play.moves()[0], known);
        let nonsense = vec!["no\u{1}move".to_owned()];
        assert!(game.name() == "moules" || player.choose(&nonsense, &Stopwatch::start()).is_err(), "{game}");
    }
}

#[test]
fn own_analysts_value_a_position_until_they_are_stopped() {
    for game in registry::all() {
        let Some(mut analyst) = game.own_analyst(1 << 22) else { continue };
        let play = play::open(game, &beginning(game), 2).unwrap();
        let stop = AtomicBool::new(false);
        let mut found: Vec<Info> = Vec::new();
        let mut report = |info: &Info| {
            found.push(info.clone());
            // Two findings are enough.
            stop.store(found.len() > 1, Ordering::Relaxed);
        };
        let watch = Stopwatch::start();
        let elapsed = || search_core::Clock::elapsed(&watch);
        let late = || {
            if elapsed() > Duration::from_secs(20) {
                stop.store(true, Ordering::Relaxed);
            }
            elapsed()
        };
        let position = play.analysed(0).unwrap();
        analyst.study(&position, &mut Listener::timed(3, &stop, &late, &mut report)).unwrap();
        assert!(!found.is_empty(), "{game}: {position}");
        let mut silent = |_: &Info| {};
        let error =
            analyst.study("x\u{1}", &mut Listener::timed(3, &stop, &elapsed, &mut silent)).unwrap_err();
        assert!(!error.to_string().is_empty(), "{game}");
    }
}

#[test]
fn courses_describe_their_settings_and_draw_openings_by_seeds() {
    for game in registry::all() {
        let options = GameOptions { depth: 3, ..GameOptions::default() };
        let course = options.course(game, 2).unwrap();
        assert_eq!(course.name(), game.name());
        assert!(!course.setting().is_empty() && course.own("--x").ends_with("--x"));
        assert!(course.own_of_positions("").parse::<Player>().is_ok());
        course.check_openings().unwrap();
        let recorded = game.assignment().recorded(&options, 2, &course.setting()).unwrap();
        assert_eq!(recorded.name(), game.name());
        let openings: BTreeSet<String> = (0..20).map(|number| course.opening(number)).collect();
        assert!(openings.len() > 10, "{game}: {} of 20 differ", openings.len());
        let drawing = Drawing { plies: 4, level: 10_000, positions: 0, options: &options };
        assert!(!game.drawn_by(&drawing).is_empty());
        let drawn: Vec<Option<String>> = (0..6).map(|seed| game.draw_opening(&drawing, seed)).collect();
        for opening in drawn.iter().flatten() {
            let found = courses::openings::read(game, opening, (12, 12), None);
            assert!(found.is_ok_and(|found| found.lines.len() == 1), "{game}: {opening}");
        }
        assert_eq!(drawn, (0..6).map(|seed| game.draw_opening(&drawing, seed)).collect::<Vec<_>>(), "{game}");
        let conditions = options.conditions(game).unwrap();
        assert!(conditions.limits().contains("watchdog 60 s"), "{}", conditions.limits());
        let watchdog = GameOptions { watchdog: 0.0, ..GameOptions::default() };
        assert!(watchdog.conditions(game).unwrap_err().to_string().contains("--watchdog 0"));
        if game.has_size() {
            let sized = GameOptions { size: Some("7by7".to_owned()), ..GameOptions::default() };
            let error = sized.course(game, 2).err().unwrap().to_string();
            assert!(error.contains("7by7"), "{error}");
            assert!(!game.sized("", "9x9").is_empty() || game.beginning("9x9", 1).is_some(), "{game}");
        }
    }
}

#[test]
fn a_built_in_player_is_asked_for_one_move_of_a_position() {
    for game in registry::all() {
        let course = GameOptions { depth: 2, ..GameOptions::default() }.course(game, 2).unwrap();
        let player: Player = "builtin:greedy".parse().unwrap();
        let (supervisor, conditions, opening) = (Supervisor::new(), Conditions::default(), course.opening(0));
        let setup = GameSetup {
            players: vec![&player],
            opening: &opening,
            seed: 1,
            conditions: &conditions,
            supervisor: &supervisor,
            processor: None,
            observer: None,
        };
        match course.ask(&setup) {
            Ok(asked) => {
                course.check_moves(&opening, &[asked.mv]).unwrap();
                assert!(course.check_moves(&opening, &["no\u{1}move".to_owned()]).is_err(), "{game}");
            }
            Err(trouble) => {
                assert!(trouble.to_string().contains("no positions"), "{game}: {trouble}");
                assert!(course.check_moves(&opening, &[]).is_err());
            }
        }
    }
}
