use search_core::{Heuristics, Node, Search, Visit};

/// First the dominoes that leave the opponent the least room.
pub struct Ordered;

impl Heuristics for Ordered {
    type Position = Board;
    type Frame = (); // nothing to remember for each ply
    const REDUCES: bool = true; // late moves, from step 3 on

    fn evaluate(&mut self, board: &Board) -> Score {
        balance(board)
    }
    fn candidates(search: &mut Search<'_, Self>, _: &Node<u8>) {
        let board = search.position;
        board.moves(&mut Visit(|square| {
            let mut next = board;
            next.play(square);
            search.picker.add(square, -balance(&next).value());
        }));
    }
}
