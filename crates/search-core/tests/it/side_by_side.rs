//! Moves valued side by side.

use crate::games::{Corner, CornerExpert, Take};
use search_core::side_by_side::{FlagClock, side_by_side};
use search_core::{Control, Limits, Options, Score, Search, Stopwatch, Table, negamax};
use std::sync::atomic::AtomicBool;

#[test]
fn every_move_gets_the_value_that_plain_negamax_gives_it() {
    let stop = AtomicBool::new(false);
    let clock = FlagClock::start(&stop);
    let mut last = Vec::new();
    let think = |after: &Corner, depth| {
        let control = Control::new(FlagClock::limits(depth), &clock);
        let mut table = Table::with_bytes(1 << 12);
        Search::new(CornerExpert, *after, &mut table, &control, Options::EXACT).think(&mut |_| {})
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
