//! The sandbox without the feature `peers`: no program is started, so none is confined.

mod network;

pub use network::Network;

/// No sandbox. No value of it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {}

impl Sandbox {
    pub(crate) fn holds_own(&self) -> bool {
        match *self {}
    }
}
