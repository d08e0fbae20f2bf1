//! Reasons for the cost of a move in ultimate tic-tac-toe.

use super::{Uttt, names};
use crate::drawing::Language;
use crate::review::{Moment, Reason};
use search_core::Position as _;
use uttt::rules::{Cell, State};

/// A fact about the move, with the positions after it and after the better one.
#[derive(Debug)]
struct Fact {
    kind: Kind,
    played: State,
    better: State,
}

/// The lines of a board, and of the nine boards.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The opponent may choose the board, and may not after the better move.
    Choice,
    /// The opponent can win the game at once, and cannot after the better move.
    Mate,
    /// The opponent can win a board at once so that one board alone can still stop a line, and cannot after the better
    /// move: the board, the line, and that last board.
    Line(usize, [usize; 3], usize),
    /// The opponent is sent to a board that it can win at once, and is not by the better move.
    Board(usize),
}

fn after(state: &State, cell: Cell) -> State {
    let mut next = *state;
    next.play(cell);
    next
}

/// Returns true if the mover can win the game at once.
fn mates(state: &State) -> bool {
    state.outcome().is_none()
        && state.move_list().into_iter().any(|cell| after(state, cell).winner() == Some(state.mover()))
}

/// Returns the board that the mover is sent to, if it can win that board at once.
fn gift(state: &State) -> Option<usize> {
    let board = state.forced()?;
    let won = state.won(state.mover());
    let wins = |cell: Cell| after(state, cell).won(state.mover()) != won;
    (state.outcome().is_none() && state.move_list().into_iter().any(wins)).then_some(board)
}

/// Returns a board that the mover can win at once, a line of boards of which it then has two, and the last board of the
/// line, which is still open.
fn threat(state: &State) -> Option<Kind> {
    if state.outcome().is_some() {
        return None;
    }
    let (mover, won) = (state.mover(), state.won(state.mover()));
    let has = |of: u16, board: usize| of >> board & 1 == 1;
    state.move_list().into_iter().find_map(|cell| {
        let next = after(state, cell);
        let board = cell.board();
        if next.won(mover) == won || next.outcome().is_some() {
            return None;
        }
        LINES.into_iter().filter(|line| line.contains(&board)).find_map(|line| {
            let owned = line.iter().filter(|&&of| has(next.won(mover), of)).count();
            let last = line.into_iter().find(|&of| !has(next.closed(), of))?;
            (owned == 2).then_some(Kind::Line(board, line, last))
        })
    })
}

/// Names the boards of a line.
fn named(line: [usize; 3]) -> String {
    line.map(|board| names::board(board).to_string()).join("-")
}

impl Reason for Fact {
    fn say(&self, language: Language) -> String {
        match (self.kind, language) {
            (Kind::Choice, Language::French) => "l'adversaire pouvait choisir son plateau".to_owned(),
            (Kind::Choice, Language::English) => "you sent the opponent where any board was open".to_owned(),
            (Kind::Mate, Language::French) => "l'adversaire pouvait gagner tout de suite".to_owned(),
            (Kind::Mate, Language::English) => "the opponent could win at once".to_owned(),
            (Kind::Line(board, line, last), Language::French) => {
                let (board, line, last) = (names::board(board), named(line), names::board(last));
                format!(
                    "l'adversaire pouvait prendre le plateau {board} : le plateau {last} est alors le dernier qui arrête la ligne {line}"
                )
            }
            (Kind::Line(board, line, last), Language::English) => {
                let (board, line, last) = (names::board(board), named(line), names::board(last));
                format!(
                    "the opponent could win board {board}: board {last} is then the last that can stop the line {line}"
                )
            }
            (Kind::Board(board), Language::French) => {
                format!(
                    "l'adversaire était envoyé au plateau {}, qu'il pouvait gagner d'un coup",
                    names::board(board)
                )
            }
            (Kind::Board(board), Language::English) => {
                format!("the opponent was sent to board {}, where one move won it", names::board(board))
            }
        }
    }

    /// Looks at the cells of every move instead of the state's summary.
    fn holds(&self) -> bool {
        let boards = |state: &State| {
            let mut boards: Vec<usize> = state.move_list().into_iter().map(Cell::board).collect();
            boards.dedup();
            boards
        };
        let lines = |state: &State, board: usize| {
            let owner = |within: usize| state.at(Cell::at(board, within));
            state.move_list().into_iter().filter(|cell| cell.board() == board).any(|cell| {
                let own = |within: usize| within == cell.within() || owner(within) == Some(state.mover());
                LINES
                    .iter()
                    .any(|line| line.contains(&cell.within()) && line.iter().all(|&within| own(within)))
            })
        };
        match self.kind {
            Kind::Choice => boards(&self.played).len() > 1 && boards(&self.better).len() == 1,
            Kind::Mate => mates(&self.played) && !mates(&self.better),
            Kind::Line(board, line, last) => {
                let owner = |state: &State, board: usize| {
                    let wins = |side| {
                        LINES.iter().any(|line| {
                            line.iter().all(|&within| state.at(Cell::at(board, within)) == Some(side))
                        })
                    };
                    [state.mover(), state.mover().other()].into_iter().find(|&side| wins(side))
                };
                let is_full =
                    |state: &State, board| (0..9).all(|within| state.at(Cell::at(board, within)).is_some());
                let side = self.played.mover();
                let rest: Vec<usize> = line.into_iter().filter(|&of| of != board).collect();
                let other = rest.iter().copied().find(|&of| of != last);
                boards(&self.played).contains(&board)
                    && lines(&self.played, board)
                    && other.is_some_and(|other| owner(&self.played, other) == Some(side))
                    && owner(&self.played, last).is_none()
                    && !is_full(&self.played, last)
            }
            Kind::Board(board) => boards(&self.played) == [board] && lines(&self.played, board),
        }
    }
}

pub(super) fn reasons(rules: &Uttt, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
    let Some([_, played, better]) = moment.positions(rules) else { return Vec::new() };
    // With one board left there is no choice.
    let open = |state: &State| (0x1ff & !state.closed()).count_ones();
    let is_free = |state: &State| state.outcome().is_none() && state.forced().is_none() && open(state) > 1;
    let kind = if mates(&played) && !mates(&better) {
        Kind::Mate
    } else if is_free(&played) && better.outcome().is_none() && better.forced().is_some() {
        Kind::Choice
    } else if let Some(line) = threat(&played).filter(|_| threat(&better).is_none()) {
        line
    } else if let Some(board) = gift(&played).filter(|_| gift(&better).is_none()) {
        Kind::Board(board)
    } else {
        return Vec::new();
    };
    vec![Box::new(Fact { kind, played, better })]
}
