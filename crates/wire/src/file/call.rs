//! The kinds of system calls that change files or carry bytes.

/// A kind of system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Open or create a file.
    Open,
    /// Write bytes.
    Write,
    /// Sync a file to the disk.
    Sync,
    /// Change a file's mode.
    Mode,
    /// Change a file's owner.
    #[cfg(unix)]
    Owner,
    /// Set an extended attribute of a file.
    #[cfg(all(target_os = "linux", feature = "attributes"))]
    Attribute,
    /// Rename a file over another.
    Rename,
    /// Change a file's length.
    Resize,
    /// Receive bytes of a pipe or a connection.
    Receive,
    /// Send bytes over a pipe or a connection.
    Send,
}
