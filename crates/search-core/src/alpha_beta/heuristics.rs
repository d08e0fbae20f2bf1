//! The heuristics that a game adds to the search.

use super::{NodeType, Search, Step};
use crate::limits::Searched;
use crate::position::Position;
use crate::score::{Depth, Score, Window};
use crate::table::Entry;

/// The move type of the heuristics' game.
pub type MoveOf<E> = <<E as Heuristics>::Position as Position>::Move;
/// The undo type of the heuristics' game.
pub type UndoOf<E> = <<E as Heuristics>::Position as Position>::Undo;

/// A node as the heuristics see it. Depths are in units of [`Heuristics::ONE_PLY`].
#[derive(Debug, Clone, Copy)]
pub struct Node<M> {
    /// The search window, alpha and beta.
    pub window: Window,
    /// The remaining depth.
    pub depth: Depth,
    /// The position's key; 0 where the node is too shallow to ask for it.
    pub key: u64,
    /// The table's entry for `key`, if there is one.
    pub entry: Option<Entry<M>>,
}

/// The treatment of one move at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Skips the move, which may change the node's value (but see [`Heuristics::SOUND_LOSSES`]).
    Skip,
    /// Skips the move and all later ones, as [`Skip`](Self::Skip) would for each, but without picking them.
    SkipRest,
    /// Searches the move.
    Search {
        /// The depth after the move: `node.depth - ONE_PLY`, more to extend it, less to reduce it for good.
        depth: Depth,
        /// The late move reduction of the first null-window search. A score above alpha leads to a re-search. The first
        /// move of a node is never reduced.
        reduction: Depth,
    },
}

impl Plan {
    /// Searches the move to `depth`, without a reduction.
    #[inline]
    #[must_use]
    pub const fn to(depth: Depth) -> Self {
        Self::Search { depth, reduction: 0 }
    }

    /// Searches the move to `depth`, reduced by one ply from the fourth move on and by two from the thirteenth on. With
    /// less than two plies left nothing is reduced.
    #[inline]
    #[must_use]
    pub const fn late(depth: Depth, nth: usize, one_ply: Depth) -> Self {
        if nth < 3 || depth < 2 * one_ply {
            return Self::to(depth);
        }
        Self::Search { depth, reduction: if nth >= 12 { 2 * one_ply } else { one_ply } }
    }
}

/// A game's additions to the search: incremental evaluation, move candidates, pruning, reductions and extensions.
///
/// A hook that takes the whole search may itself search. Defaults are not compiled into the search.
pub trait Heuristics: Sized {
    /// The position type of the game.
    type Position: Position;
    /// The game's own data in each [`Frame`](super::Frame); `()` for none.
    type Frame: Default;

    /// The number of depth units in a ply. More than 1 allows extensions and reductions by fractions of a ply.
    const ONE_PLY: Depth = 1;

    /// The least remaining plies at which a node computes its key and probes the table.
    const TABLE_FROM: Depth = 1;

    /// The least remaining plies at which threads avoid each other's moves, if several search. Less shares more evenly,
    /// more costs less.
    const SHARED_FROM: Depth = 5;

    /// True if frames store the moves of the path, static values and excluded moves.
    const FRAMES: bool = false;

    /// True if late moves are reduced (see [`Plan::late`]) unless [`plan`](Self::plan) says otherwise, where
    /// [`Options::reductions`](super::Options::reductions) allows it.
    const REDUCES: bool = false;

    /// True if the countermove heuristic (Uiterwijk 1992) orders moves. Requires [`FRAMES`](Self::FRAMES).
    const COUNTERMOVES: bool = false;

    /// True if a move is never skipped while all earlier moves lose. A proven loss then holds for all moves.
    const SOUND_LOSSES: bool = false;

    /// True if the table entry of the next position is prefetched before a move is played. This pays where playing a move
    /// takes about as long as a memory access. Requires a cheap [`key_after`](Self::key_after).
    const FETCHES_AHEAD: bool = false;

    /// True if [`observe`](Self::observe) is told of every step. If false, no step is compiled.
    const OBSERVES: bool = false;

    /// Called at every step of the search, if [`OBSERVES`](Self::OBSERVES) is set.
    #[inline]
    fn observe(_search: &mut Search<'_, Self>, _step: Step<MoveOf<Self>>) {}

    /// Called after a move was played, to update an incremental evaluation.
    #[inline]
    fn played(&mut self, _mv: MoveOf<Self>, _undo: &UndoOf<Self>, _now: &Self::Position) {}

    /// Called before the last move is taken back.
    #[inline]
    fn undone(&mut self) {}

    /// Returns the static evaluation of a position that is not over, for the side to move.
    fn evaluate(&mut self, position: &Self::Position) -> Score;

    /// Adds the candidate moves with their ranks, higher first: `search.picker.add(mv, rank)`. By default adds every legal
    /// move with the same rank.
    #[inline]
    fn candidates(search: &mut Search<'_, Self>, _node: &Node<MoveOf<Self>>) {
        search.position.moves(&mut search.picker);
    }

    /// Called before any move is tried. `Some` ends the node with that value: a static win, a cut by a margin or by a
    /// shallow search. Not called at the root or in a verification search.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), from a search inside the hook.
    #[inline]
    fn before_moves<K: NodeType>(
        _search: &mut Search<'_, Self>,
        _node: &Node<MoveOf<Self>>,
    ) -> Searched<Option<Score>> {
        Ok(None)
    }

    /// Returns the depth of a node that [`before_moves`](Self::before_moves) did not settle: for example less without a
    /// table move (internal iterative reduction). Not called at the root.
    #[inline]
    fn depth_at<K: NodeType>(_search: &Search<'_, Self>, node: &Node<MoveOf<Self>>) -> Depth {
        node.depth
    }

    /// Decides how `mv` is searched, before it is played; `nth` is the number of moves already searched. By default all
    /// moves are searched, late ones reduced if [`REDUCES`](Self::REDUCES) is set. The options hold for this default only: a
    /// plan of your own extends, reduces and skips under [`Options::PLAIN`](super::Options::PLAIN) too.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), from a search inside the hook.
    #[inline]
    fn plan<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<MoveOf<Self>>,
        _mv: MoveOf<Self>,
        nth: usize,
    ) -> Searched<Plan> {
        let depth = node.depth - Self::ONE_PLY;
        let reduces = Self::REDUCES && !K::PV && search.options.reductions;
        Ok(if reduces { Plan::late(depth, nth, Self::ONE_PLY) } else { Plan::to(depth) })
    }

    /// Returns the key of the position after a legal move, for [`FETCHES_AHEAD`](Self::FETCHES_AHEAD). By default the
    /// move is played and taken back.
    #[inline]
    fn key_after(position: &mut Self::Position, mv: MoveOf<Self>) -> u64 {
        let undo = position.play(mv);
        let key = position.key();
        position.undo(mv, undo);
        key
    }

    /// Returns the value at the depth limit: by default [`evaluate`](Self::evaluate), or a quiescence search of the game.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), from a search inside the hook.
    #[inline]
    fn leaf(search: &mut Search<'_, Self>, _window: Window) -> Searched {
        Ok(search.heuristics.evaluate(&search.position))
    }
}
