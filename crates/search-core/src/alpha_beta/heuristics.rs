//! The heuristics that a game adds to the search.

use super::{NodeType, Search};
use crate::limits::Searched;
use crate::position::Position;
use crate::score::{Depth, Score, Window};
use crate::table::Entry;
use std::ops::Range;

/// The move type of the heuristics' game.
pub type MoveOf<E> = <<E as Heuristics>::Position as Position>::Move;
/// The undo type of the heuristics' game.
pub type UndoOf<E> = <<E as Heuristics>::Position as Position>::Undo;

/// A node, as its heuristics sees it. Depths are in units of [`Heuristics::ONE_PLY`].
#[derive(Debug, Clone, Copy)]
pub struct Node<M> {
    /// The scores that matter.
    pub window: Window,
    /// Depth left.
    pub depth: Depth,
    /// The position's key; 0 where the node is too shallow to ask for it.
    pub key: u64,
    /// The table's entry.
    pub entry: Option<Entry<M>>,
}

/// The fate of a move at its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// It is left out: the node's value may be another than with it (but see [`Heuristics::SOUND_LOSSES`]).
    Skip,
    /// It and all moves behind it are left out: the same as [`Skip`](Self::Skip) for each of them, without picking
    /// them.
    SkipRest,
    /// The node's value is known without this move and those behind it. It is not stored in the table.
    Value(Score),
    /// It is searched.
    Search {
        /// The depth behind it: `node.depth - ONE_PLY`, more to extend it, less to reduce it for good.
        depth: Depth,
        /// The null-window search looks so much less deep first; where it surprises, the move is searched again (see
        /// [`Heuristics::depth_again`]). The first move of a node is never reduced.
        reduction: Depth,
    },
}

impl Plan {
    /// The move is searched to this depth.
    #[inline]
    #[must_use]
    pub const fn to(depth: Depth) -> Self {
        Self::Search { depth, reduction: 0 }
    }

    /// The move is searched to this depth; from the fourth on a ply less deep first, from the thirteenth on two, unless
    /// too few are left.
    #[inline]
    #[must_use]
    pub const fn late(depth: Depth, nth: usize, one_ply: Depth) -> Self {
        if nth < 3 || depth < 2 * one_ply {
            return Self::to(depth);
        }
        Self::Search { depth, reduction: if nth >= 12 { 2 * one_ply } else { one_ply } }
    }
}

/// The heuristics of a game: accumulators, evaluation, candidates, selectivity. A hook that takes the whole
/// search may search in turn. What a game leaves at its default is not compiled into its search.
pub trait Heuristics: Sized {
    /// The game.
    type Position: Position;
    /// The game's own part of a [`Frame`](super::Frame), `()` where it has none.
    type Frame: Default;

    /// Units of depth in a ply. With 1 depths are whole plies; with more, extensions and reductions may be fractions.
    const ONE_PLY: Depth = 1;

    /// Nodes with fewer plies left never ask for the key.
    const TABLE_FROM: Depth = 1;

    /// True if the frames keep the moves of the path, static values and excluded moves.
    const FRAMES: bool = false;

    /// True if late moves are reduced (see [`Plan::late`]) unless [`plan`](Self::plan) says otherwise, where
    /// [`Options::reductions`](super::Options::reductions) allows it.
    const REDUCES: bool = false;

    /// True if the move that refuted the opponent's last move elsewhere comes early (countermove heuristic: Uiterwijk
    /// 1992). It needs [`FRAMES`](Self::FRAMES).
    const COUNTERMOVES: bool = false;

    /// True if a move that would be left out is searched all the same while all moves before it lose: then a loss is
    /// never claimed because of moves that were left out.
    const SOUND_LOSSES: bool = false;

    /// From so many plies on, all moves are looked up in the table before any is searched (enhanced transposition
    /// cutoffs: Schaeffer & Plaat 1996).
    const ENHANCED_CUTOFFS_FROM: Depth = Depth::MAX;

    /// True if the table's line of the position behind a move is asked for before the move is played, so that it is there
    /// when the node looks it up: pays where playing takes about as long as memory does. It needs a cheap
    /// [`key_after`](Self::key_after).
    const FETCHES_AHEAD: bool = false;

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

    /// Returns whether the table's score of this node may be trusted: not where a repetition could make it another.
    #[inline]
    fn trusts_table(_search: &Search<'_, Self>, _node: &Node<MoveOf<Self>>) -> bool {
        true
    }

    /// Before any move is tried: `Some` is the node's value (a static win, a cut by a margin or by a shallow search).
    /// Not asked at the root, nor in a verification search.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), passed up from a search of its own.
    #[inline]
    fn before_moves<K: NodeType>(
        _search: &mut Search<'_, Self>,
        _node: &Node<MoveOf<Self>>,
    ) -> Searched<Option<Score>> {
        Ok(None)
    }

    /// The depth at which a node is searched that [`before_moves`](Self::before_moves) did not settle: less, for
    /// instance, where the table knows no move (internal iterative reduction). Not asked at the root.
    #[inline]
    fn depth_at<K: NodeType>(_search: &Search<'_, Self>, node: &Node<MoveOf<Self>>) -> Depth {
        node.depth
    }

    /// Decides the fate of `mv`, before it is played; `nth` moves of the node were searched so far. By default all are
    /// searched, the late ones as [`REDUCES`](Self::REDUCES) says.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), passed up from a search of its own.
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

    /// The depth of the re-search of a move whose reduced search gave `score`, above alpha, where `best` was the best
    /// so far: `depth` is what it was planned for, more looks deeper, less shallower. Asked behind the move.
    #[inline]
    fn depth_again(
        _search: &mut Search<'_, Self>,
        _node: &Node<MoveOf<Self>>,
        depth: Depth,
        _score: Score,
        _best: Score,
    ) -> Depth {
        depth
    }

    /// `mv` refuted the node; the moves at `failed` in the picker had not, if they were searched: for tables of the game's
    /// own that learn from it.
    #[inline]
    fn refuted(
        _search: &mut Search<'_, Self>,
        _node: &Node<MoveOf<Self>>,
        _mv: MoveOf<Self>,
        _failed: Range<usize>,
    ) {
    }

    /// The key of the position behind a legal move, for [`ENHANCED_CUTOFFS_FROM`](Self::ENHANCED_CUTOFFS_FROM) and
    /// [`FETCHES_AHEAD`](Self::FETCHES_AHEAD). By default the move is played and taken back.
    #[inline]
    fn key_after(position: &mut Self::Position, mv: MoveOf<Self>) -> u64 {
        let undo = position.play(mv);
        let key = position.key();
        position.undo(mv, undo);
        key
    }

    /// The value at the depth limit. By default [`evaluate`](Self::evaluate); a game may go on to quieter positions.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop), passed up from a search of its own.
    #[inline]
    fn leaf(search: &mut Search<'_, Self>, _window: Window) -> Searched {
        Ok(search.heuristics.evaluate(&search.position))
    }
}
