//! The options of the sandbox that strangers' programs start in.

use clap::Args;
use courses::sandbox::{Mode, Options, Sandbox};
use std::path::PathBuf;
use wire::Failure;

/// The options of the sandbox.
#[derive(Debug, Args)]
pub struct SandboxOptions {
    /// Start programs that are not our own in a sandbox: auto, with the layers that the system offers; strict, only with all
    /// of them, and our own programs too; off
    #[arg(long, value_enum, hide_possible_values = true, value_name = "MODE", default_value = "off")]
    sandbox: Mode,
    /// A file or folder that programs in the sandbox may read besides their own; give the option once for each
    #[arg(long, value_name = "PATH")]
    allow: Vec<PathBuf>,
    /// The newest Landlock ABI to use
    #[arg(long, hide = true, value_name = "N", default_value_t = i32::MAX)]
    landlock: i32,
    /// Use no namespaces
    #[arg(long, hide = true)]
    no_namespaces: bool,
}

impl SandboxOptions {
    /// Finds the layers that hold here.
    ///
    /// # Errors
    /// If a path cannot be read, or a layer that strict mode needs is missing.
    pub fn sandbox(&self) -> Result<Option<Sandbox>, Failure> {
        self.with(Vec::new())
    }

    /// Like [`sandbox`](Self::sandbox), with more folders that programs may read.
    ///
    /// # Errors
    /// Those of [`sandbox`](Self::sandbox).
    pub fn with(&self, more: Vec<PathBuf>) -> Result<Option<Sandbox>, Failure> {
        let Self { sandbox: mode, allow, landlock, no_namespaces } = self;
        let more = if *mode == Mode::Off { Vec::new() } else { more };
        let allow = allow.iter().cloned().chain(more).collect();
        let namespaces = !no_namespaces;
        let options = Options { allow, landlock: *landlock, namespaces, ..Options::new(*mode) };
        Sandbox::new(&options).map_err(Failure::input)
    }
}

/// Describes the sandbox of a card or a record, "off" if none of its programs is in one.
pub fn words(sandbox: Option<&Sandbox>) -> String {
    sandbox.map_or_else(|| "off".to_owned(), |sandbox| sandbox.layers().words())
}
