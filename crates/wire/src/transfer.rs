//! Calls that carry bytes of pipes and connections. Interrupted calls are repeated, and tests can make the n-th call fail.

use crate::file::call::Call;
use crate::file::calls::{call, length};
use std::io;

/// Makes a call that receives bytes. Its argument is the maximum number of bytes, `whole` unless a test shortens the call.
///
/// # Errors
/// Those of the call, except an interruption.
pub fn receive<T>(whole: usize, mut make: impl FnMut(usize) -> io::Result<T>) -> io::Result<T> {
    call(Call::Receive, || make(length(whole)))
}

/// Makes a call that sends bytes. Its argument is the maximum number of bytes, `whole` unless a test shortens the call.
///
/// # Errors
/// Those of the call, except an interruption.
pub fn send<T>(whole: usize, mut make: impl FnMut(usize) -> io::Result<T>) -> io::Result<T> {
    call(Call::Send, || make(length(whole)))
}
