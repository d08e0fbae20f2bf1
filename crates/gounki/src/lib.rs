//! Gounki, the board game with stacks and rebounds: rules, evaluations, robots, and the course's command line.
//!
//! - [`rules`]: positions, moves, their text forms, whole games.

#![forbid(unsafe_code)]

pub mod rules;
