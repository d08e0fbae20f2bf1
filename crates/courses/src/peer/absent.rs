//! Players without the feature `peers`: no program can be started, so no value of [`Supervisor`] or [`Peer`] exists.

#![allow(missing_docs, reason = "each is documented where it does something")]
#![allow(dead_code, reason = "nothing is called")]

mod answer;
mod command;
mod ended;
mod transcript;

pub use answer::{Heard, declines};
pub use command::{Command, SplitError};
pub use ended::Ended;
pub(crate) use ended::FAREWELL;
pub(crate) use transcript::Transcript;
pub use transcript::{QUOTED, Said};

use crate::fault::{Fault, Trouble};
use crate::thought::SearchInfo;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Accepts no connection.
pub fn accept(_: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Starts no processes.
#[derive(Debug)]
pub enum Supervisor {}

impl Supervisor {
    pub fn is_stopped(&self) -> bool {
        match *self {}
    }

    pub fn stop_flag(&self) -> &AtomicBool {
        match *self {}
    }

    pub fn scratch(&self) -> io::Result<wire::file::Scratch> {
        match *self {}
    }

    pub fn keeps_dialogues(&self) -> bool {
        match *self {}
    }
}

/// No process and no connection.
#[derive(Debug)]
pub struct Peer<'a>(&'a Supervisor);

impl<'a> Peer<'a> {
    pub fn spawn(supervisor: &'a Supervisor, _: &Command) -> Result<Self, Trouble> {
        match *supervisor {}
    }

    pub fn connect(supervisor: &'a Supervisor, _: SocketAddr) -> Result<Self, Trouble> {
        match *supervisor {}
    }

    pub fn adopt(supervisor: &'a Supervisor, _: TcpStream) -> Result<Self, Trouble> {
        match *supervisor {}
    }

    pub fn divert(&mut self, _: TcpStream) -> Result<(), Trouble> {
        match *self.0 {}
    }

    pub fn call(&mut self, _: u16, _: Instant) -> Result<(), Trouble> {
        match *self.0 {}
    }

    pub fn door(&self) -> Option<&TcpListener> {
        match *self.0 {}
    }

    pub fn is_open(&self) -> bool {
        match *self.0 {}
    }

    pub fn is_gone(&self) -> bool {
        match *self.0 {}
    }

    pub fn is_silent(&mut self, _: Duration, _: Instant) -> Result<bool, Trouble> {
        match *self.0 {}
    }

    pub fn settle(&mut self, _: Instant) -> Result<(), Trouble> {
        match *self.0 {}
    }

    pub fn send(&mut self, _: &[u8], _: Instant) -> Result<(), Trouble> {
        match *self.0 {}
    }

    pub fn told(&mut self) -> Option<SearchInfo> {
        match *self.0 {}
    }

    pub fn raw_line(&mut self, _: Instant) -> Result<String, Trouble> {
        match *self.0 {}
    }

    pub fn line(&mut self, _: Instant) -> Result<String, Trouble> {
        match *self.0 {}
    }

    pub fn find_line<T>(&mut self, _: Instant, _: impl FnMut(&str) -> Option<T>) -> Result<T, Trouble> {
        match *self.0 {}
    }

    pub fn answer<T>(
        &mut self,
        _: Instant,
        _: Option<String>,
        _: impl FnMut(&str) -> Heard<T>,
        _: impl FnOnce(&str) -> Fault,
    ) -> Result<T, Trouble> {
        match *self.0 {}
    }

    pub fn refuse_unasked(&mut self, _: impl FnMut(&str) -> bool) -> Result<(), Trouble> {
        match *self.0 {}
    }

    pub fn unasked(&mut self, _: usize) -> Result<Option<String>, Trouble> {
        match *self.0 {}
    }

    pub fn refuse_more(&mut self, _: Instant, _: impl Fn(&str) -> bool) -> Result<(), Trouble> {
        match *self.0 {}
    }

    pub fn whole_output(&mut self, _: Instant) -> Result<Vec<u8>, Trouble> {
        match *self.0 {}
    }

    pub fn close(self, _: &[u8]) -> Ended {
        match *self.0 {}
    }
}
