//! What a player knows of its game.

use super::{Kind, Search};
use crate::limits::Searched;
use crate::position::Position;
use crate::score::{Depth, Score, Window};
use crate::table::Entry;

/// The move type of an expert's game.
pub type MoveOf<E> = <<E as Expert>::Position as Position>::Move;
/// The undo type of an expert's game.
pub type UndoOf<E> = <<E as Expert>::Position as Position>::Undo;

/// What a node knows of itself when it asks its expert.
#[derive(Debug, Clone, Copy)]
pub struct Node<M> {
    /// The scores that matter.
    pub window: Window,
    /// Plies left.
    pub depth: Depth,
    /// The position's key; 0 where the node is too shallow to ask for it.
    pub key: u64,
    /// What the table knows.
    pub entry: Option<Entry<M>>,
}

/// What a player knows of its game: accumulators, evaluation, candidates, selectivity. A hook that takes the whole
/// search may search in turn.
pub trait Expert: Sized {
    /// The game.
    type Position: Position;

    /// Nodes with fewer plies left never ask for the key.
    const TABLE_FROM: Depth = 1;

    /// A move was played: incremental evaluation follows.
    #[inline]
    fn played(&mut self, _mv: MoveOf<Self>, _undo: &UndoOf<Self>, _now: &Self::Position) {}

    /// The last move is about to be taken back.
    #[inline]
    fn undone(&mut self) {}

    /// The mover's prospects in a position where the game goes on.
    fn evaluate(&mut self, position: &Self::Position) -> Score;

    /// Adds the moves worth trying, each with the game's own rank (higher first): `search.picker.add(mv, rank)`.
    /// By default every legal move, equally ranked.
    #[inline]
    fn candidates(search: &mut Search<'_, Self>, _node: &Node<MoveOf<Self>>) {
        search.position.moves(&mut search.picker);
    }

    /// Whether the table's score of this node may be trusted: not where a repetition could make it another.
    #[inline]
    fn trusts_table(_search: &Search<'_, Self>, _node: &Node<MoveOf<Self>>) -> bool {
        true
    }

    /// Before any move is tried: `Some` is the node's value (a static win, a cut by a shallow search).
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), passed up from a search of its own.
    #[inline]
    fn before_moves<K: Kind>(
        _search: &mut Search<'_, Self>,
        _node: &Node<MoveOf<Self>>,
    ) -> Searched<Option<Score>> {
        Ok(None)
    }

    /// How deep to look behind the `nth` move tried (from 0): `node.depth - 1`, more to extend it, less to reduce it
    /// (it is searched again if it surprises), `None` to skip it. By default late moves are reduced by one or two
    /// plies where [`Options::reductions`](super::Options::reductions) asks for it.
    #[inline]
    fn depth_for<K: Kind>(
        search: &Search<'_, Self>,
        node: &Node<MoveOf<Self>>,
        _mv: MoveOf<Self>,
        nth: usize,
    ) -> Option<Depth> {
        let late = search.options.reductions && !K::PV && nth >= 3 && node.depth >= 3;
        Some(node.depth - 1 - Depth::from(late) - Depth::from(late && nth >= 12))
    }

    /// The value at the depth limit. By default [`evaluate`](Self::evaluate); a game may go on to quieter positions.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), passed up from a search of its own.
    #[inline]
    fn leaf(search: &mut Search<'_, Self>, _window: Window) -> Searched {
        Ok(search.expert.evaluate(&search.position))
    }
}
