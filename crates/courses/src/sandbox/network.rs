//! The network of a program.

/// The part of the network that a program's course gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Network {
    /// No sockets.
    #[default]
    None,
    /// A TCP client of this port.
    Client(u16),
    /// A TCP server on this port.
    Server(u16),
}
