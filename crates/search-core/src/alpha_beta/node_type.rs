//! Node kinds as types, so that what a kind does not do is not compiled into it.

/// A node type.
pub trait NodeType {
    /// True if its exact score may be wanted.
    const PV: bool;
    /// True if it is where the search began.
    const ROOT: bool;
    /// True if it leaves a move out to see what the others are worth.
    const VERIFIES: bool = false;
    /// The kind of its first child.
    type First: NodeType;
}

/// Where the search begins.
#[derive(Debug)]
pub struct Root;

/// A node on what may become the principal variation.
#[derive(Debug)]
pub struct Pv;

/// A node that only has to show whether it is better than a bound.
#[derive(Debug)]
pub struct NullWindow;

/// A node that is searched without its presumably best move (see [`Search::without`](super::Search::without)).
#[derive(Debug)]
pub struct Verification;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type First = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type First = Self;
}

impl NodeType for NullWindow {
    const PV: bool = false;
    const ROOT: bool = false;
    type First = Self;
}

impl NodeType for Verification {
    const PV: bool = false;
    const ROOT: bool = false;
    const VERIFIES: bool = true;
    type First = NullWindow;
}
