//! Passes descriptors from a process that is being started to this program.

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

/// Makes a pair of connected sockets: this program's end, and the process's.
pub(super) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let ends = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    Ok(ends)
}

/// Sends bytes with up to one descriptor. It makes system calls alone.
pub(super) fn send(end: &OwnedFd, bytes: &[u8], passed: Option<&OwnedFd>) -> rustix::io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let passed = passed.map(|passed| [passed.as_fd()]);
    if let Some(passed) = &passed {
        control.push(SendAncillaryMessage::ScmRights(passed));
    }
    sendmsg(end, &[IoSlice::new(bytes)], &mut control, SendFlags::empty()).map(drop)
}

/// Receives `bytes`, as many as were sent, and the descriptor that came with them.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if the process ended without sending them.
pub(super) fn receive(end: &OwnedFd, bytes: &mut [u8]) -> io::Result<Option<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let expected = bytes.len();
    let count = loop {
        let mut buffers = [IoSliceMut::new(bytes)];
        match recvmsg(end, &mut buffers, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Ok(message) => break message.bytes,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    if count != expected {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut all) => all.next(),
        _ => None,
    }))
}
