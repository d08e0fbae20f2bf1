//! The costliest moves of a game: what is said of them holds.

use courses::drawing::Language;
use courses::play::own::Terms;
use courses::play::{Clicked, Play};
use courses::puzzle::{Goal, Puzzle};
use courses::registry::{self, Game};
use courses::review::{Cost, Findings, Mistake, Moment, Reason, compared, mistakes};
use courses::strength::Strength;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Stopwatch};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use wire::analysis::{Info, Listener, Value};

/// Plays a random legal move, and returns its text.
fn stray(play: &mut dyn Play, random: &mut Xoshiro256PlusPlus) -> String {
    let at = play.moves().len();
    let mut path = Vec::new();
    loop {
        let next = play.next(at, &path);
        let click = &next[random.random_range(0..next.len())];
        match play.press(at, &path, click, Language::English) {
            Clicked::Move(text) => {
                play.play(&text).unwrap();
                return text;
            }
            Clicked::Chosen(longer) if longer.len() > path.len() => path = longer,
            _ => path.clear(),
        }
    }
}

fn opening(game: Game) -> &'static str {
    match game.name() {
        "connect5" => "9x9",
        "moules" => "maze 7 items 7 size 13x11 dunes 30 mussels 4 beers 2 frites 2 turns 40",
        _ => "",
    }
}

#[test]
fn every_reason_of_random_games_holds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let all: [(&str, &[&str]); 4] = [
        ("othello", &["Corner", "Parity"]),
        ("uttt", &["Mate", "Choice", "Line(", "Board("]),
        ("connect5", &["kind: Five", "TwoFives"]),
        ("moules", &["Nearer"]),
    ];
    for (name, wanted) in all {
        let game = registry::find(name).unwrap();
        let (mut said, mut kinds) = (0, String::new());
        for _ in 0..8 {
            let mut play = game.open(opening(game), 2).unwrap();
            while play.mover(play.moves().len()).is_some() {
                let before = play.moves().to_vec();
                let better = stray(play.as_mut(), &mut random);
                play.cut(before.len());
                let played = stray(play.as_mut(), &mut random);
                let moment = Moment {
                    opening: play.opening(),
                    seats: 2,
                    before: &before,
                    played: &played,
                    better: &better,
                    line: &[],
                    after: &[],
                    answer: None,
                };
                for reason in game.reasons(&moment) {
                    assert!(reason.holds(), "{name} {before:?} {played}, not {better}: {reason:?}");
                    for kind in wanted.iter().filter(|kind| format!("{reason:?}").contains(*kind)) {
                        kinds += kind;
                    }
                    for language in [Language::French, Language::English] {
                        assert!(reason.say(language).len() > 20);
                    }
                    said += 1;
                }
            }
        }
        assert!(said > 10, "{name}: {said} reasons");
        for kind in wanted {
            assert!(kinds.contains(kind), "{name}: no {kind}");
        }
    }
}

/// Analyses the position after `at` moves until a search has visited this many positions.
fn analysed(play: &dyn Play, at: usize, nodes: u64) -> Option<Vec<Info>> {
    let mut analyst = play.game().own_analyst(16 << 20)?;
    let stop = AtomicBool::new(false);
    let mut lines: Vec<Info> = Vec::new();
    let mut report = |info: &Info| {
        if info.rank == 1 {
            lines.clear();
        }
        lines.push(info.clone());
        if info.nodes >= nodes {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let moves = play.game().analysis().map_or(1, |program| program.moves);
    analyst.study(&play.analysed(at)?, &mut Listener::new(moves, &stop, &mut report)).unwrap();
    (!lines.is_empty()).then_some(lines)
}

#[test]
fn the_line_of_a_win_at_gounki_ends_with_the_man_who_leaves_and_is_a_reason() {
    let gounki = registry::find("gounki").unwrap();
    let wins: Vec<&Puzzle> =
        gounki.puzzles().iter().filter(|puzzle| puzzle.goal == Goal::WinWithin(5)).take(6).collect();
    let mut said = 0;
    for puzzle in &wins {
        let mut play = gounki.open(&puzzle.opening, 2).unwrap();
        puzzle.line[..2].iter().for_each(|mv| play.play(mv).unwrap());
        let answer = analysed(play.as_ref(), 2, NODES).unwrap().swap_remove(0);
        let Value::Win(Some(plies)) = answer.value else { panic!("{answer:?}") };
        assert!(plies > 3 || answer.line.last().is_some_and(|mv| mv.ends_with('#')), "{answer:?}");
        let [before, played] = [&puzzle.line[..1], &puzzle.line[1..2]];
        let moment = Moment {
            opening: &puzzle.opening,
            seats: 2,
            before,
            played: &played[0],
            better: &played[0],
            line: &[],
            after: &[],
            answer: Some(&answer),
        };
        for reason in gounki.reasons(&moment) {
            assert!(reason.holds() && kind(reason.as_ref()) == "Runner", "{reason:?}");
            said += 1;
        }
    }
    assert!(wins.len() == 6 && said > 3, "{said} of {}", wins.len());
}

/// Plays a game of weak own players, with some random moves.
fn game_of(game: Game, random: &mut Xoshiro256PlusPlus) -> Box<dyn Play> {
    let opening = opening(game);
    let mut play = game.open(opening, 2).unwrap();
    let terms = Terms { strength: Strength::Level(3), limits: Some(Limits::nodes(300)), memory: 1 << 20 };
    let mut players: Vec<_> = (0..2).map(|_| game.own_player(opening, 2, &terms).unwrap()).collect();
    while let Some(mover) = play.mover(play.moves().len()).filter(|_| play.moves().len() < 150) {
        if play.moves().len() < 2 || random.random_range(0..6) == 0 {
            stray(play.as_mut(), random);
        } else {
            let chosen = players[mover].choose(play.moves(), &Stopwatch::start()).unwrap();
            play.play(&chosen.text).unwrap();
        }
    }
    play
}

/// Positions of the search whose statements are audited; the audit's search has twenty times as many.
const NODES: u64 = 3_000;

/// Returns the error in what is said of a move, as the larger search sees it.
fn refuted(play: &dyn Play, mistake: &Mistake) -> Option<String> {
    if let Some(reason) = mistake.reasons.iter().find(|reason| !reason.holds()) {
        return Some(format!("{reason:?}"));
    }
    let positions = [mistake.nth, mistake.nth + 1];
    let findings: Findings =
        positions.iter().filter_map(|&at| Some((at, analysed(play, at, 20 * NODES)?))).collect();
    let Some((best, played, _, size)) = compared(play, &findings, mistake.nth) else {
        return Some("the larger search does not see the move".to_owned());
    };
    let holds = match mistake.cost {
        // Said of the better move alone: the one that was played may win as well, but later.
        Cost::Win(plies) => matches!(best, Value::Win(found) if found <= plies) && size > 0.0,
        // Said of the move alone: the better one may lose as well, but later.
        Cost::Loss(plies) => played == Value::Loss(plies) && size > 0.0,
        Cost::Sooner(plies) => match (best, played) {
            (Value::Loss(Some(late)), Value::Loss(Some(soon))) => late == soon + plies,
            _ => false,
        },
        Cost::Exact(cost) => (size - cost).abs() < 1e-9,
        Cost::Points(..) => size > 0.0,
    };
    (!holds).then(|| format!("best {best:?}, played {played:?}"))
}

/// Returns the name of a reason's kind.
fn kind(reason: &dyn Reason) -> String {
    let text = format!("{reason:?}");
    let kind = text.split("kind: ").nth(1).unwrap_or(&text);
    kind.chars().take_while(|c| c.is_alphanumeric()).collect()
}

/// Draws statements from games of our own and checks each. `AUDIT_SEED` and `AUDIT_COUNT` change the draw.
#[test]
#[ignore = "minutes: cargo test --release -p courses --test it -- --ignored --nocapture a_hundred_statements"]
fn a_hundred_statements_about_our_games_stand_a_search_of_twenty_times_the_nodes() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (seed, count) = (number("AUDIT_SEED", 1), number("AUDIT_COUNT", 100) as usize);
    let only = std::env::var("AUDIT_GAME").unwrap_or_default();
    let games: Vec<Game> =
        registry::all().into_iter().filter(|game| only.is_empty() || game.name() == only).collect();
    let mut wrong = 0;
    for game in &games {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut said, mut reasons, mut proven) = (0, 0, 0);
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        let wanted = count / games.len();
        while said < wanted {
            let play = game_of(*game, &mut random);
            let plies = 0..play.moves().len();
            let findings: Findings =
                plies.filter_map(|at| Some((at, analysed(play.as_ref(), at, NODES)?))).collect();
            let mut found = mistakes(play.as_ref(), &findings);
            // Two of a game, so that the statements come from many games.
            while found.len() > 2 {
                found.remove(random.random_range(0..found.len()));
            }
            for mistake in found.into_iter().take(wanted - said) {
                said += 1;
                reasons += mistake.reasons.len();
                mistake
                    .reasons
                    .iter()
                    .for_each(|reason| *kinds.entry(kind(reason.as_ref())).or_default() += 1);
                proven += usize::from(!matches!(mistake.cost, Cost::Points(..)));
                if let Some(why) = refuted(play.as_ref(), &mistake) {
                    wrong += 1;
                    println!("{game} {:?} ply {}: {mistake:?}: {why}", play.moves(), mistake.nth);
                }
            }
        }
        println!(
            "{game}: {said} statements, {proven} of decided or exact values, {reasons} reasons {kinds:?}; {wrong} false so far"
        );
    }
    assert_eq!(wrong, 0);
}
