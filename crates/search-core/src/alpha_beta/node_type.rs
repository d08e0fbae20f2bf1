//! Node types as Rust types, so that each is compiled without the code of the others.

/// A node type.
pub trait NodeType {
    /// True if the node's exact score may be needed.
    const PV: bool;
    /// True for the root.
    const ROOT: bool;
    /// True for a verification search, which leaves out the excluded move.
    const VERIFIES: bool = false;
    /// The node type of the first child.
    type First: NodeType;
}

/// The root of the search.
#[derive(Debug)]
pub struct Root;

/// A PV node: it may be part of the principal variation.
#[derive(Debug)]
pub struct Pv;

/// A null-window node: it only decides whether its value exceeds a bound.
#[derive(Debug)]
pub struct NullWindow;

/// A node searched without its presumably best move (see [`Search::without`](super::Search::without)).
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
