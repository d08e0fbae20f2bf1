use crate::{EXAMPLE, perft_rows, state};
use num_bigint::BigUint;
use proptest::prelude::*;
use search_core::testing::{conforms, random_positions};
use search_core::{Outcome, Position, perft};
use uttt::rules::{Cell, Integer, IntegerError, Picture, PositionError, Side, State, StateError};

fn cells(state: &State) -> Vec<usize> {
    state.move_list().into_iter().map(Cell::index).collect()
}

fn played(moves: &[usize]) -> State {
    moves.iter().fold(State::start(), |mut state, &cell| {
        let cell = Cell::new(cell).unwrap();
        assert!(state.is_legal(cell), "{cell} in {state}");
        state.play(cell);
        state
    })
}

/// The position of these symbols by cell and this last move.
fn edited(symbols: &[(usize, u32)], last: u32) -> Result<State, PositionError> {
    let mut number = BigUint::from(last) << 162_u32;
    for &(cell, symbol) in symbols {
        number += BigUint::from(symbol) << (2 * (80 - cell));
    }
    number.to_string().parse()
}

#[test]
fn perft_is_exact_up_to_a_million_nodes() {
    for (integer, counts) in perft_rows() {
        for (depth, &count) in counts.iter().enumerate().filter(|&(_, &count)| count < 1_000_000) {
            assert_eq!(perft(&state(&integer), depth as u32 + 1), count, "{integer}, depth {}", depth + 1);
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a minute without optimisation: cargo test --release")]
fn perft_is_exact_up_to_depth_7() {
    for (integer, counts) in perft_rows() {
        for (depth, &count) in counts.iter().take(7).enumerate() {
            assert_eq!(perft(&state(&integer), depth as u32 + 1), count, "{integer}, depth {}", depth + 1);
        }
    }
}

#[test]
fn the_laws_of_a_position_hold() {
    conforms(&State::start(), 7, 200, 81);
    for (integer, _) in perft_rows() {
        conforms(&state(&integer), 8, 20, 81);
    }
}

#[test]
fn the_empty_board_is_zero_whatever_its_last_move() {
    assert_eq!(State::start().to_string(), "0");
    for last in [0, 4, 80, 81, 127] {
        let state = edited(&[], last).unwrap();
        assert_eq!(state.move_list().len(), 81, "last {last}");
        assert_eq!((state.mover(), state.last()), (Side::X, None));
    }
}

#[test]
fn a_move_sends_the_opponent_to_the_board_of_its_cell() {
    assert_eq!(cells(&played(&[40])), [36, 37, 38, 39, 41, 42, 43, 44]);
    assert_eq!(cells(&played(&[36])), (0..9).collect::<Vec<_>>());
    assert_eq!(cells(&state(EXAMPLE)), [54, 56]);
}

#[test]
fn sent_to_a_won_board_the_mover_may_use_any_open_one() {
    // x wins board 0 with cells 0, 1 and 2; cell 9, which is cell 0 of board 1, sends o to it.
    let won = [(0, 1), (1, 1), (2, 1), (9, 1), (40, 2), (41, 2), (30, 2)];
    let state = edited(&won, 9).unwrap();
    assert_eq!(state.mover(), Side::O);
    assert_eq!((state.forced(), state.won(Side::X)), (None, 1));
    assert_eq!(cells(&state), (10..81).filter(|cell| ![30, 40, 41].contains(cell)).collect::<Vec<_>>());
}

#[test]
fn sent_to_a_full_board_too_and_a_drawn_board_counts_for_nobody() {
    // xox / xox / oxo
    let mut drawn: Vec<_> = [1, 2, 1, 1, 2, 1, 2, 1, 2].into_iter().enumerate().collect();
    drawn.push((9, 1));
    let state = edited(&drawn, 9).unwrap();
    assert_eq!((state.closed(), state.won(Side::X) | state.won(Side::O)), (1, 0));
    assert_eq!(cells(&state), (10..81).collect::<Vec<_>>());
}

#[test]
fn three_boards_in_a_line_win_and_end_the_game() {
    let win = |boards: &[usize], symbol| -> Vec<_> {
        boards.iter().flat_map(|board| (0..3).map(move |cell| (9 * board + cell, symbol))).collect()
    };
    let over = edited(&win(&[0, 4, 8], 1), 74).unwrap();
    assert_eq!((over.outcome(), over.winner()), (Some(Outcome::Loss), Some(Side::X)));
    assert!(over.move_list().is_empty() && !over.is_legal(Cell::new(10).unwrap()));
    assert_eq!(edited(&win(&[0, 4, 7], 1), 65).unwrap().outcome(), None);
    // Nine closed boards without a line are a draw, whoever has won more of them.
    let mut drawn = win(&[0, 1, 5, 6, 7], 1);
    drawn.extend(win(&[2, 3, 4, 8], 2));
    assert_eq!(edited(&drawn, 65).unwrap().outcome(), Some(Outcome::Draw));
}

#[test]
fn the_mover_is_told_by_the_last_symbol_not_by_the_counts() {
    assert_eq!(edited(&[(0, 2), (1, 2), (2, 1)], 0).unwrap().mover(), Side::X);
    assert_eq!(edited(&[(0, 1), (1, 1), (2, 1)], 0).unwrap().mover(), Side::O);
    // If the last cell is empty, x moves when the counts are equal and o otherwise; the board is still that of the last
    // move.
    let equal = edited(&[(0, 1), (1, 2)], 43).unwrap();
    assert_eq!((equal.mover(), equal.forced(), equal.last()), (Side::X, Some(7), None));
    assert_eq!(edited(&[(0, 1)], 43).unwrap().mover(), Side::O);
    assert_eq!(edited(&[(0, 2)], 43).unwrap().mover(), Side::O);
}

#[test]
fn what_is_no_position_is_refused_with_its_reason() {
    let refused = |text: &str| text.parse::<State>().unwrap_err();
    assert_eq!(refused(""), PositionError::Integer(IntegerError::Empty));
    assert_eq!(refused("-1"), PositionError::Integer(IntegerError::Negative("-1".into())));
    for text in ["x", "1e9", "0x10", "+1", " 1", "1\0", "１"] {
        assert_eq!(refused(text), PositionError::Integer(IntegerError::NotANumber(text.into())));
    }
    let wide = (BigUint::from(1_u32) << 169_u32).to_string();
    assert_eq!(refused(&wide), PositionError::Integer(IntegerError::TooLarge(wide.clone())));
    assert!(
        matches!(refused(&"9".repeat(100_000)), PositionError::Integer(IntegerError::TooLarge(text)) if text.len() < 100)
    );
    assert_eq!(edited(&[(33, 3)], 33).unwrap_err(), StateError::BadCell(Cell::new(33).unwrap()).into());
    assert_eq!(edited(&[(33, 1)], 81).unwrap_err(), StateError::BadLast(81).into());
    assert!(edited(&[(33, 1)], 80).is_ok());
}

#[test]
fn a_position_is_drawn_as_the_assignment_prescribes() {
    let expected = [
        " o  x  . | x  .  . | x  .  . ",
        " o  x  . | .  x  o | x  .  o ",
        " o  .  o | x  o  o | .  x  . ",
        "-----------------------------",
        " .  o  o | o  o  o | x  x  x ",
        " x  x  o | .  x  o | x  .  . ",
        " x  o  o | o  .  o | x  .  . ",
        "-----------------------------",
        " .  x  . | o  .  o | x  o  . ",
        " x  o  x | o  x  o | x  x  . ",
        " o  x  o | .  .  x | X  x  . ",
        "",
    ];
    assert_eq!(Picture(&state(EXAMPLE)).to_string(), expected.join("\n"));
    let last_is_o = Picture(&played(&[0, 1])).to_string();
    assert!(last_is_o.starts_with(" x  O  . |"));
    assert_eq!(Picture(&State::start()).to_string().matches(" . ").count(), 81);
}

#[test]
fn positions_that_differ_only_in_a_closed_board_are_one_to_the_table() {
    let symbols = |third| [(0, 1), (1, 1), (2, 1), (third, 2), (9, 1), (40, 2), (41, 2)];
    let (one, other) = (edited(&symbols(3), 9).unwrap(), edited(&symbols(7), 9).unwrap());
    assert_ne!(one, other);
    assert_eq!(one.key(), other.key());
    assert_ne!(edited(&symbols(3), 9).unwrap().key(), edited(&symbols(30), 9).unwrap().key());
}

proptest! {
    #[test]
    fn any_integer_of_169_bits_survives_and_any_text_is_no_panic(words in any::<[u64; 3]>(), text in "\\PC{0,60}") {
        let number = words.iter().fold(BigUint::default(), |number, &word| (number << 64_u32) + word) >> 23_u32;
        let integer: Integer = number.to_string().parse().unwrap();
        prop_assert_eq!(BigUint::from(integer), number.clone());
        prop_assert_eq!(integer.to_string(), number.to_string());
        for cell in (0..81).filter_map(Cell::new) {
            let expected = (&number >> (2 * (80 - cell.index()))) & BigUint::from(3_u32);
            prop_assert_eq!(BigUint::from(integer.cell(cell)), expected);
        }
        let _ = State::try_from(integer);
        let _ = text.parse::<State>();
    }

    #[test]
    fn any_cells_make_a_position_whose_integer_is_the_same(symbols in proptest::collection::vec(0_u32..3, 81), last in 0_u32..81) {
        let symbols: Vec<_> = symbols.into_iter().enumerate().collect();
        let state = edited(&symbols, last).unwrap();
        prop_assert_eq!(state.to_string().parse::<State>().unwrap(), state);
        prop_assert_eq!(Picture(&state).to_string().lines().count(), 11);
        for cell in state.move_list() {
            let mut next = state;
            next.play(cell);
            let expected = edited_after(&symbols, cell.index(), state.mover());
            prop_assert_eq!(next.to_string(), expected);
        }
    }
}

/// The integer of the next position, computed with num-bigint.
fn edited_after(symbols: &[(usize, u32)], cell: usize, mover: Side) -> String {
    let mut number = BigUint::from(cell) << 162_u32;
    for &(index, symbol) in symbols {
        let symbol = if index == cell { mover.symbol() as u32 } else { symbol };
        number += BigUint::from(symbol) << (2 * (80 - index));
    }
    number.to_string()
}

#[test]
fn a_position_and_its_integer_are_the_same_all_through_random_games() {
    for state in random_positions(&State::start(), 3, 500, 70) {
        let again: State = state.to_string().parse().unwrap();
        assert_eq!((again, again.key()), (state, state.key()));
    }
}
