//! Names of boards and cells on pages: boards A to I, their cells 1 to 9, as in `E5`. Records, files and protocols have
//! the assignment's numbers from 0 to 80.

use uttt::rules::Cell;

const BOARDS: &[u8; 9] = b"ABCDEFGHI";

/// Returns the name of a board from 0 to 8.
pub fn board(board: usize) -> char {
    char::from(BOARDS[board])
}

/// Returns the name of a cell.
pub fn cell(cell: Cell) -> String {
    format!("{}{}", board(cell.board()), cell.within() + 1)
}

/// Returns the cell of a name in capitals or small letters.
pub fn read(name: &str) -> Option<Cell> {
    let &[board, digit @ b'1'..=b'9'] = name.as_bytes() else { return None };
    let board = BOARDS.iter().position(|of| of.eq_ignore_ascii_case(&board))?;
    Some(Cell::at(board, usize::from(digit - b'1')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_a_name_of_its_own_that_is_read_again() {
        let all: Vec<Cell> = (0..Cell::COUNT).filter_map(Cell::new).collect();
        assert!(
            all.iter().all(|&of| read(&cell(of)) == Some(of) && read(&cell(of).to_lowercase()) == Some(of))
        );
        assert_eq!(cell(Cell::new(40).unwrap()), "E5");
        assert!(["40", "E0", "J1", "E", "E10", ""].iter().all(|name| read(name).is_none()));
    }

    #[test]
    fn moves_are_typed_by_name_and_recorded_by_number() {
        use crate::assignment::Assignment as _;
        let start = |text: &str| super::super::assignment::Ultimate.start(text).unwrap();
        assert_eq!([start("E5 e1 0"), start("40 36")], ["40 36 0", "40 36"]);
    }
}
