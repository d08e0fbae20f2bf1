//! The process supervisor: starts players' processes, and ends each with its game, with the run or with the referee.
//!
//! Every process leads its own process group, which is killed when its game ends. A process that left its group and
//! lost its parent becomes this program's child (a subreaper, where the system supports it) and is killed then too, if it
//! is a player's ([`orphans`](super::orphans)). One
//! whose parent lives still carries the run's mark in its environment, and is killed at the end of the run. A guard, a
//! second process of this program, kills groups and marked processes if this program itself is killed. A process
//! without group and mark escapes it.

use super::command::{Command, Limit};
use super::guard::Guard;
use super::heartbeat;
use super::orphans::{self, MARK, sweep};
use super::signals;
use crate::fault::{Fault, Kind, Trouble};
use crate::sandbox::{self, Kept};
use rustix::io::Errno;
use rustix::process::{self as system, Pid, Signal};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The program that starts a script without an interpreter's line.
const SHELL: &str = "/bin/sh";

/// Starts and ends processes.
#[derive(Debug)]
pub struct Supervisor {
    mark: String,
    guard: Option<Guard>,
    stop: AtomicBool,
    started: AtomicBool,
    /// True if this program adopts orphans.
    reaps: bool,
    began: Instant,
    keeps_dialogues: AtomicBool,
    /// The refused calls of each player, with the number of processes that tried them.
    refusals: Mutex<BTreeMap<String, Vec<(Fault, u64)>>>,
}

/// All that this program has started and not ended, over all supervisors.
static RUNNING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The numbers of a running program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Running {
    /// The process that was started, the leader of the group.
    leader: Pid,
    /// The program's process, a child of this program: another one in a sandbox with namespaces. It may leave the group.
    program: Pid,
}

impl Running {
    /// True if a child of this program is the program, or a process of its group.
    pub(super) fn has(self, child: Pid, group: i32) -> bool {
        child == self.program || group == self.leader.as_raw_pid()
    }
}

/// A player's process, with what its sandbox keeps until it has ended.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) pid: Pid,
    /// The process that was started, which leads the group. In a sandbox with namespaces it ends at once.
    pub(super) child: Child,
    /// The first process of its namespace.
    first: Option<Pid>,
    pub(super) kept: Option<Kept>,
}

impl Default for Supervisor {
    fn default() -> Self {
        Self::new()
    }
}

impl Supervisor {
    /// Creates a supervisor without a guard, for a caller that is not killed.
    pub fn new() -> Self {
        heartbeat::begin();
        signals::catch_signals();
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        // Before orphans can come to this program: what is its child by now is no player's.
        let mark = format!("{}{count}", orphans::program().mark);
        Self {
            mark,
            guard: None,
            stop: AtomicBool::new(false),
            started: AtomicBool::new(false),
            began: Instant::now(),
            keeps_dialogues: AtomicBool::new(false),
            refusals: Mutex::default(),
            reaps: system::set_child_subreaper(Some(system::getpid())).is_ok(),
        }
    }

    /// Creates a supervisor with a guard, which kills the remaining processes when this process ends in any way. The
    /// guard is this executable, started as `<executable> guard MARK`, which must call [`guard`](super::guard()).
    ///
    /// # Errors
    /// If the guard cannot be started.
    pub fn guarded() -> std::io::Result<Self> {
        let mut supervisor = Self::new();
        let mut running = running();
        let guard = Guard::start(&["guard", &supervisor.mark])?;
        running.push(Running { leader: guard.pid(), program: guard.pid() });
        drop(running);
        supervisor.guard = Some(guard);
        Ok(supervisor)
    }

    /// Keeps whole dialogues, not only their last lines.
    pub fn keep_dialogues(&self) {
        self.keeps_dialogues.store(true, Ordering::Relaxed);
    }

    /// Returns true if whole dialogues are kept.
    pub fn keeps_dialogues(&self) -> bool {
        self.keeps_dialogues.load(Ordering::Relaxed)
    }

    /// Notes a call that the sandbox refused to a player's process.
    pub(super) fn report(&self, player: &str, fault: Fault) {
        /// The most different calls of a player that are kept.
        const MOST: usize = 16;
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        let of_player = refusals.entry(player.to_owned()).or_default();
        if let Some((_, count)) = of_player.iter_mut().find(|(of, _)| *of == fault) {
            *count += 1;
        } else if of_player.len() < MOST {
            of_player.push((fault, 1));
        }
    }

    /// Takes the calls that the sandbox refused to a player so far, each with the number of processes that tried it.
    pub fn take_refusals(&self, player: &str) -> Vec<(Fault, u64)> {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        refusals.remove(player).unwrap_or_default()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Asks all games in progress to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The flag that [`stop`](Self::stop) sets.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Returns true after [`stop`](Self::stop).
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Creates a folder for temporary files, which the guard, if there is one, removes too.
    ///
    /// # Errors
    /// Those of the system.
    pub fn scratch(&self) -> std::io::Result<wire::file::Scratch> {
        let scratch = sandbox::scratch(&self.mark)?;
        if self.guard.is_some() {
            scratch.guarded();
        }
        Ok(scratch)
    }

    /// Starts a player as the leader of its own process group, under its limits.
    pub(super) fn spawn(&self, command: &Command, screen: Option<&OwnedFd>) -> Result<Process, Trouble> {
        let (program, arguments) =
            command.words.split_first().ok_or_else(|| Trouble::NoProgram("an empty command line".into()))?;
        let mut builder = std::process::Command::new(program);
        // First, because it empties the environment.
        let kept = command.sandbox.as_ref().map(|sandbox| {
            let failed = |error| Trouble::Referee(format!("the sandbox: its scratch folder: {error}"));
            sandbox.attach(command, self.scratch().map_err(failed)?, &mut builder)
        });
        let mut kept = kept.transpose()?;
        builder
            .args(arguments)
            .env(MARK, &self.mark)
            .envs(command.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(match screen {
                Some(screen) => screen.try_clone().map_err(Trouble::referee)?.into(),
                None => Stdio::piped(),
            })
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        // Locked until it is recorded, so that none of its processes is taken for an orphan.
        let mut running = running();
        let spawned = match command.processor {
            Some(processor) => spawn_on(processor, &mut builder),
            None => builder.spawn(),
        };
        drop(builder);
        // Without an interpreter's line, which in the sandbox the system's library notices.
        let is_plain = |error: &std::io::Error| error.raw_os_error() == Some(Errno::NOEXEC.raw_os_error());
        if kept.is_none() && program != SHELL && spawned.as_ref().is_err_and(is_plain) {
            drop(running);
            let words = [&[SHELL.to_owned()], &*command.words].concat();
            return self.spawn(&Command { words, ..command.clone() }, screen);
        }
        let child = spawned.map_err(|error| {
            if let Some((program, first)) = kept.as_mut().and_then(Kept::abandoned) {
                end_namespace(first, program);
            }
            if let Some(error) = sandbox::error_of_step(&error) {
                return Trouble::referee(format_args!("the sandbox: {error}"));
            }
            let hint = if kept.is_some() { sandbox::unreadable(&error, command) } else { String::new() };
            let told = format!("cannot start \"{}\": {error}{hint}", command.words.join(" "));
            match () {
                () if is_shortage(&error) => Trouble::Referee(told),
                // A stranger's program that cannot be started ends no run.
                () if command.work.is_some() => Fault::new(Kind::Crash, told).into(),
                () => Trouble::NoProgram(told),
            }
        })?;
        self.started.store(true, Ordering::Relaxed);
        let leader = pid_of(&child);
        let begun = kept.as_mut().map_or(Ok((leader, None)), |kept| kept.begin(leader));
        let program = begun.as_ref().map_or(leader, |(program, _)| *program);
        running.push(Running { leader, program });
        drop(running);
        self.tell_guard('+', leader);
        let (pid, first) =
            begun.map_err(|error| Trouble::Referee(format!("the sandbox: namespaces: {error}")))?;
        let process = Process { pid, child, first, kept };
        // In the sandbox it sets its limit itself; here that is set a few microseconds after the start, while the program
        // is still being loaded.
        if process.kept.is_none()
            && let Some(Limit::Space(bytes)) = command.limit()
        {
            let limit = sandbox::lowered(system::Resource::As, bytes);
            match system::prlimit(Some(pid), system::Resource::As, limit) {
                // A process that is already gone is detected later.
                Ok(_) | Err(rustix::io::Errno::SRCH) => {}
                Err(error) => {
                    self.end(process);
                    return Err(Trouble::Referee(format!("the limit of memory: {error}")));
                }
            }
        }
        Ok(process)
    }

    /// Ends a player: kills its group, and orphans that left the group.
    pub(super) fn end(&self, process: Process) {
        let Process { pid, mut child, first, kept } = process;
        let leader = pid_of(&child);
        // The group's number is not reused until its members are reaped.
        let _ = system::kill_process_group(leader, Signal::KILL);
        if let Some(first) = first {
            end_namespace(first, pid);
        }
        let _ = child.wait();
        let mut running = running();
        running.retain(|one| one.leader != leader);
        if self.reaps {
            orphans::kill(&running);
        }
        drop(running);
        self.tell_guard('-', leader);
        // Its folder goes with the last process that may write there.
        drop(kept);
    }

    fn tell_guard(&self, sign: char, pid: Pid) {
        if let Some(guard) = &self.guard {
            guard.tell(&format!("{sign}{}", pid.as_raw_pid()));
        }
    }

    /// Kills every process that carries this run's mark, in any group. Returns their number.
    pub fn sweep(&self) -> usize {
        if !self.started.load(Ordering::Relaxed) {
            return 0;
        }
        if self.reaps {
            orphans::kill(&running());
        }
        sweep(&self.mark)
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.sweep();
        if let Some(guard) = self.guard.take() {
            let pid = guard.pid();
            guard.end();
            running().retain(|one| one.leader != pid);
        }
    }
}

/// The time that processes which were killed have to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ends all processes of a namespace: its first one, the program, and those that the program started.
fn end_namespace(first: Pid, program: Pid) {
    // The system kills all others with the first, which ends only once the program, our child too, is reaped.
    for process in [first, program] {
        let _ = system::kill_process(process, Signal::KILL);
    }
    for process in [program, first] {
        // The first would never end, if a process of the namespace had another parent that did not reap it.
        let begin = Instant::now();
        while let Ok(None) = system::waitpid(Some(process), system::WaitOptions::NOHANG)
            && begin.elapsed() < PATIENCE
        {
            std::thread::sleep(begin.elapsed().clamp(Duration::from_micros(20), Duration::from_millis(5)));
        }
    }
}

/// Returns the processors that this process may run on.
#[must_use]
pub fn processors() -> Vec<usize> {
    let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect()
}

/// Starts a process bound to a processor from its first instruction, because it inherits its parent's binding.
fn spawn_on(processor: usize, builder: &mut std::process::Command) -> std::io::Result<Child> {
    let before = sched_getaffinity(None)?;
    let mut only = CpuSet::new();
    only.set(processor);
    sched_setaffinity(None, &only)?;
    let child = builder.spawn();
    sched_setaffinity(None, &before)?;
    child
}

pub(super) fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id() as i32).expect("a child's number is positive")
}

/// Returns true if the system has no processes, files or memory left, whichever program is to be started.
fn is_shortage(error: &std::io::Error) -> bool {
    let shortages = [Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOMEM];
    error.raw_os_error().is_some_and(|code| shortages.contains(&Errno::from_raw_os_error(code)))
}
