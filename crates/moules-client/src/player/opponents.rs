//! Opponent modelling: each opponent's policy, and its predicted moves.

pub mod forecast;
pub mod margin;
pub mod model;
pub mod policy;
pub mod state;
