//! The others: how each seems to play, and what it will do next.

pub mod forecast;
pub mod margin;
pub mod model;
pub mod policy;
pub mod state;
