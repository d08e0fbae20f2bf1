//! Moves valued side by side.

use crate::games::{Corner, CornerHeuristics, Take};
use search_core::side_by_side::{FlagClock, best_side_by_side, side_by_side};
use search_core::{Clock, Control, Limits, Options, Report, Score, Search, Stopwatch, Table, negamax};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[test]
fn every_move_gets_the_value_that_plain_negamax_gives_it() {
    let stop = AtomicBool::new(false);
    let clock = FlagClock::start(&stop);
    let mut last = Vec::new();
    let think = |after: &Corner, depth: search_core::Depth| {
        let control = Control::new(FlagClock::limits(depth), &clock);
        let table = Table::with_bytes(1 << 12);
        Search::new(CornerHeuristics, *after, &table, &control, Options::EXACT).think(&mut |_| {})
    };
    side_by_side(&Corner { squares: 7 }, 20, &clock, think, |_, moves, _| last = moves.to_vec());
    let watch = Stopwatch::start();
    let control = Control::new(Limits::default(), &watch);
    let (score, best) = negamax(&mut Corner { squares: 7 }, 20, 0, &control, &mut |_| Score::DRAW).unwrap();
    assert_eq!((last[0].score, Some(last[0].line[0])), (score, best));
    assert_eq!(last.iter().map(|ranked| ranked.line[0]).collect::<Vec<_>>(), [Take(1), Take(2)]);
    assert!(last.iter().all(|ranked| ranked.proven) && last[1].score.is_loss());
}

#[test]
fn a_flag_ends_it_before_a_word() {
    let stop = AtomicBool::new(true);
    let clock = FlagClock::start(&stop);
    let think = |_: &Corner, _| search_core::Report::empty();
    side_by_side(&Corner { squares: 9 }, 20, &clock, think, |_, _, _| panic!("nothing is finished"));
}

#[test]
fn every_depth_is_told_with_its_nodes_and_a_clock_that_runs_until_the_flag() {
    let stop = AtomicBool::new(false);
    let clock = FlagClock::start(&stop);
    assert!(FlagClock::limits(3).hard.is_some() && FlagClock::limits(3).depth == Some(3));
    std::thread::sleep(Duration::from_millis(2));
    assert!(clock.elapsed() >= Duration::from_millis(2) && clock.so_far() >= Duration::from_millis(2));
    assert!(clock.elapsed() < FlagClock::limits(3).hard.unwrap());
    let mut told = Vec::new();
    let mut asked = Vec::new();
    // The search is misleading: the value of move 1 grows with the depth.
    let think = |after: &Corner, depth: search_core::Depth| {
        asked.push(depth);
        let score = if after.squares == 8 { -depth } else { 0 };
        let proven = depth == 3;
        Report { score: Score::new(score), nodes: 10, depth, proven, ..Report::empty() }
    };
    side_by_side(&Corner { squares: 9 }, 9, &clock, think, |depth, moves, nodes| {
        told.push((depth, moves.iter().map(|ranked| ranked.score.value()).collect::<Vec<_>>(), nodes));
    });
    assert_eq!(asked, [1, 1, 1, 1, 2, 2, 3, 3]);
    assert_eq!(told, [(1, vec![1, 0], 20), (2, vec![1, 0], 40), (3, vec![2, 0], 60), (4, vec![3, 0], 80)]);
    // A proven end is one ply farther from the root.
    let think = |_: &Corner, _| Report { score: Score::loss_in(4), ..Report::empty() };
    let mut last = Vec::new();
    side_by_side(&Corner { squares: 9 }, 9, &clock, think, |_, moves, _| last = moves.to_vec());
    assert!(last.iter().all(|ranked| ranked.score == Score::win_in(5) && ranked.proven), "{last:?}");
    let think = |_: &Corner, _| Report { score: Score::win_in(4), ..Report::empty() };
    side_by_side(&Corner { squares: 9 }, 9, &clock, think, |_, moves, _| last = moves.to_vec());
    assert!(last.iter().all(|ranked| ranked.score == Score::loss_in(5) && ranked.proven), "{last:?}");
    // The move itself takes the last square.
    side_by_side(&Corner { squares: 1 }, 9, &clock, think, |_, moves, _| last = moves.to_vec());
    assert!(last[0].score == Score::win_in(1) && last[0].proven, "{last:?}");
    stop.store(true, Ordering::Relaxed);
    assert!(clock.elapsed() > FlagClock::limits(3).hard.unwrap());
}

#[test]
fn beyond_depth_one_the_best_moves_alone_are_looked_at() {
    let stop = AtomicBool::new(false);
    let clock = FlagClock::start(&stop);
    let think = |after: &Corner, depth| {
        let control = Control::new(FlagClock::limits(depth), &clock);
        let table = Table::with_bytes(1 << 12);
        Search::new(CornerHeuristics, *after, &table, &control, Options::EXACT).think(&mut |_| {})
    };
    let mut told = Vec::new();
    let of = (&[Take(1), Take(2)][..], 1);
    best_side_by_side(&Corner { squares: 7 }, of, 20, &clock, think, |_, moves, _| told.push(moves.to_vec()));
    assert!(told.iter().all(|moves| moves.len() == 1));
    let last = &told.last().unwrap()[0];
    assert!(last.proven && last.score.is_win() && last.line[0] == Take(1), "{last:?}");
}
