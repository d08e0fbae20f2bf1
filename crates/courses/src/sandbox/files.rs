//! Landlock rules: folders to read, one folder to write, one TCP port.

use super::Network;
use super::layers::TCP;
use super::policy;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, NetPort, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, make_bitflags,
};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The rights to read, list and start.
fn reading() -> BitFlags<AccessFs> {
    make_bitflags!(AccessFs::{Execute | ReadFile | ReadDir})
}

/// The rights in the folders of processes, as the kernel reads them.
pub(super) fn of_processes() -> u64 {
    make_bitflags!(AccessFs::{ReadFile | ReadDir}).bits()
}

/// The rights to a device, by all of Landlock.
fn of_device() -> BitFlags<AccessFs> {
    make_bitflags!(AccessFs::{ReadFile | WriteFile | IoctlDev | Truncate})
}

/// The rights to a program's own terminal, as the kernel reads them: those to a device of this ABI.
pub(super) fn of_terminal(abi: i32) -> u64 {
    (of_device() & AccessFs::from_all(ABI::from(abi))).bits()
}

/// The rights in a scratch folder, as the kernel reads them: all of this ABI but those for devices and sockets.
pub(super) fn writing(abi: i32) -> u64 {
    let refused = make_bitflags!(AccessFs::{MakeChar | MakeBlock | MakeSock | IoctlDev | ResolveUnix});
    (AccessFs::from_all(ABI::from(abi)) & !refused).bits()
}

/// The files of the system that every program may use, opened once for all processes of a run.
#[derive(Debug)]
pub(super) struct System {
    abi: i32,
    places: Vec<(PathFd, BitFlags<AccessFs>)>,
}

impl System {
    pub(super) fn open(abi: i32) -> Self {
        let read = reading();
        let file = make_bitflags!(AccessFs::{ReadFile});
        let of = |paths: Vec<PathBuf>, access: BitFlags<AccessFs>| {
            paths.into_iter().filter_map(move |path| Some((PathFd::new(&path).ok()?, access, path.is_dir())))
        };
        let places = of(policy::system_folders(), read)
            .chain(of(policy::system_files(), file))
            .chain(of(policy::devices(), of_device()))
            .map(|(fd, access, is_folder)| (fd, if is_folder { access | read } else { access }))
            .collect();
        Self { abi, places }
    }
}

/// Returns the rules of a process, or `None` without Landlock. Those for its scratch folder are added once it is started,
/// when that folder has its own file system.
pub(super) fn ruleset(
    system: &System,
    readable: &[PathBuf],
    network: Network,
) -> Result<Option<OwnedFd>, RulesetError> {
    let abi = ABI::from(system.abi);
    if abi == ABI::Unsupported {
        return Ok(None);
    }
    let mut rules = Ruleset::default().handle_access(AccessFs::from_all(abi))?;
    if system.abi >= TCP {
        rules = rules.handle_access(AccessNet::from_all(abi))?;
    }
    let scopes = Scope::from_all(abi);
    if !scopes.is_empty() {
        rules = rules.scope(scopes)?;
    }
    let mut rules = rules.create()?;
    let handled = AccessFs::from_all(abi);
    for (place, access) in &system.places {
        rules = rules.add_rule(PathBeneath::new(place, *access & handled))?;
    }
    for path in readable {
        rules = beneath(rules, path, reading() & handled)?;
    }
    if system.abi >= TCP {
        rules = match network {
            Network::None => rules,
            // Many clients bind their socket to any free port, which is 0 here. They may not listen.
            Network::Client(port) => rules
                .add_rule(NetPort::new(port, AccessNet::ConnectTcp))?
                .add_rule(NetPort::new(0, AccessNet::BindTcp))?,
            Network::Server(port) => rules.add_rule(NetPort::new(port, AccessNet::BindTcp))?,
        };
    }
    Ok(rules.into())
}

/// Gives a folder and all that is in it to a user.
pub(super) fn give(folder: &Path, user: u32) -> io::Result<()> {
    std::os::unix::fs::lchown(folder, Some(user), Some(user))?;
    if folder.symlink_metadata()?.is_dir() {
        for entry in folder.read_dir()? {
            give(&entry?.path(), user)?;
        }
    }
    Ok(())
}

/// Adds a rule for a file or a folder. A path that does not exist needs none.
fn beneath(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(place) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & !AccessFs::ReadDir };
    rules.add_rule(PathBeneath::new(place, access))
}
