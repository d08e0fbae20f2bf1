//! Twenty-six attacks, one process each, and the layers that stop them.

use super::support::{attack, attacker, options, output, sandbox};
use courses::peer::{Command, Peer, Supervisor};
use courses::sandbox::{Network, Options, Sandbox};
use std::collections::BTreeSet;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The things that attacks are aimed at: files, sockets and processes outside the sandbox.
struct Targets {
    folder: tempfile::TempDir,
    tcp: TcpListener,
    udp: UdpSocket,
    _unix: UnixListener,
}

impl Targets {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, file) in [("peer", "bot.py"), ("hidden", "tests.txt"), ("home", "letter.txt")] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join(file), "secret").unwrap();
        }
        Self {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            _unix: UnixListener::bind(folder.path().join("socket")).unwrap(),
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The file that an attack leaves in the shared folder of temporary files.
fn temporary() -> PathBuf {
    std::env::temp_dir().join(format!("left-by-{}", std::process::id()))
}

/// An attack's number in the table of `SECURITY.md`, and its order to the attacker. `peer` is another program's process.
fn orders(targets: &Targets, peer: u32) -> Vec<(u32, String)> {
    let path = |name: &str| targets.path(name).display().to_string();
    let own = std::process::id();
    vec![
        (1, format!("read {}", path("peer/bot.py"))),
        (2, format!("read {}", path("hidden/tests.txt"))),
        (3, format!("read {}", path("home"))),
        (3, format!("watch {}", path("home"))),
        (4, "read /etc/shadow".into()),
        (5, format!("memory-of {own}")),
        (6, format!("command-of {own}")),
        (7, format!("write {}", temporary().display())),
        (8, format!("links {}", path("hidden/tests.txt"))),
        (9, format!("tcp {}", targets.tcp.local_addr().unwrap())),
        (10, format!("udp {}", targets.udp.local_addr().unwrap())),
        (11, format!("unix {}", path("socket"))),
        (12, "dns".into()),
        (13, "forks 2000".into()),
        (14, "memory 64".into()),
        (14, "memory-of-many 8 128".into()),
        (14, "memory-of-threads 8 128".into()),
        (14, "memory-by-name 64".into()),
        (14, "memory-shared 64".into()),
        (14, "memory-left 16".into()),
        (14, "page-tables".into()),
        (14, "descriptors-of-many 8 100".into()),
        (14, "buffer".into()),
        (14, "pages-given".into()),
        (14, "thread-apart".into()),
        (14, "table-apart".into()),
        (14, "rulesets".into()),
        (14, "mappings 16".into()),
        (14, "memory-kept 24".into()),
        (14, "memory-of-orphans 8 90".into()),
        (15, "disk 64".into()),
        (15, "disk-unlinked 64".into()),
        (15, "many-files 100000".into()),
        (15, "disk-below 40 249".into()),
        (15, "disk-below 100 1".into()),
        (15, "disk-closed".into()),
        (15, "attributes".into()),
        (16, "sparse".into()),
        (18, format!("ptrace {peer}")),
        (19, format!("signal {own}")),
        (20, format!("signal {peer}")),
        (21, "sibling".into()),
        (22, "namespaces".into()),
        (23, format!("limits {peer}")),
        (24, "inject".into()),
        (25, format!("rights {}", path("home/letter.txt"))),
        (26, format!("scheduling {peer}")),
    ]
}

/// Returns the numbers of the attacks that succeed.
fn successes(options: &Options) -> BTreeSet<u32> {
    let sandbox = sandbox(options);
    let (targets, supervisor) = (Targets::new(), Supervisor::new());
    let mut open = BTreeSet::new();
    let waiting = attacker(&sandbox, Network::None);
    let (other, answer) = attack(&supervisor, &waiting, "wait");
    assert_eq!(answer, "done: waiting");
    for (number, order) in orders(&targets, other.id().unwrap()) {
        if order.starts_with("memory-kept") && !sandbox.has_groups() {
            println!("skipped: this system offers no control group for {order}");
            continue;
        }
        let mut command = attacker(&sandbox, Network::None);
        command.terminal = number == 24;
        let (peer, answer) = attack(&supervisor, &command, &order);
        println!("{number:>2} {order}: {answer}");
        // In namespaces a program may have a `/tmp` of its own.
        let is_own = number == 7 && !temporary().exists();
        if answer.starts_with("done") && !is_own {
            open.insert(number);
        }
        if order.starts_with("memory-kept") {
            assert!(answer.contains("it used more than 512 MB of memory"), "{answer}");
        }
        peer.close(b"");
    }
    other.close(b"");
    let inherited = inherited_descriptor(&supervisor, &sandbox);
    open.extend(inherited.then_some(17));
    open.extend(daemon_stays(&supervisor, &sandbox).then_some(21));
    open
}

/// Returns true if a program reads a descriptor that this program left open.
pub fn inherited_descriptor(supervisor: &Supervisor, sandbox: &Sandbox) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    fs::write(&path, "inherited").unwrap();
    let file = fs::File::open(&path).unwrap();
    // Without the flag by which files are closed when a program starts.
    let left = rustix::io::dup(&file).unwrap();
    assert!(left.as_raw_fd() > 2);
    let (peer, answer) = attack(supervisor, &attacker(sandbox, Network::None), "descriptors inherited");
    println!("17 {answer}");
    peer.close(b"");
    answer.starts_with("done")
}

/// Returns true if a program leaves a process that lives on after its game.
fn daemon_stays(supervisor: &Supervisor, sandbox: &Sandbox) -> bool {
    // Another number for each daemon, as tests run beside each other.
    static COUNT: AtomicU32 = AtomicU32::new(10);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let seconds = format!("9{}.{count}", std::process::id());
    let (peer, answer) = attack(supervisor, &attacker(sandbox, Network::None), &format!("daemon {seconds}"));
    println!("21 {answer}");
    let lives = || {
        fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|word| word == seconds.as_bytes())
        })
    };
    // Another test's end may have killed it already: this program looks for the orphans of all its games.
    assert_eq!(answer, "done: left");
    peer.close(b"");
    // It was killed with the game, and may take a moment to end.
    let deadline = Instant::now() + Duration::from_secs(5);
    while lives() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    lives()
}

/// The attacks that no layer stops, by what holds: true for the card's words, too.
fn expected(sandbox: &Sandbox) -> BTreeSet<u32> {
    let layers = sandbox.layers();
    let mut open = BTreeSet::new();
    if layers.missing().iter().any(|name| name.starts_with("Landlock ABI 6")) {
        open.extend([19, 20]);
    }
    if layers.missing().iter().any(|name| name == "a limit on processes") {
        open.insert(13);
    }
    if !layers.spare_user && layers.namespaces.is_err() {
        open.insert(25);
    }
    open
}

fn holds(options: &Options) {
    let sandbox = sandbox(options);
    if sandbox.layers().landlock == 0 || !sandbox.layers().calls {
        println!("skipped: this system offers {}", sandbox.layers().words());
        return;
    }
    println!("layers: {}", sandbox.layers().words());
    assert_eq!(successes(options), expected(&sandbox), "{}", sandbox.layers().words());
}

#[test]
fn attacks_fail_with_all_that_the_system_offers() {
    holds(&options());
}

#[test]
fn attacks_fail_without_namespaces_and_with_older_kernels_but_those_named() {
    for (landlock, groups) in [(7, false), (4, false), (2, true)] {
        holds(&Options { landlock, namespaces: false, groups, ..options() });
    }
}

/// The attacks are real: outside the sandbox they succeed.
#[test]
fn attacks_succeed_without_a_sandbox() {
    let (targets, supervisor) = (Targets::new(), Supervisor::new());
    let sandbox = sandbox(&options());
    let mut outside = courses::peer::Command { sandbox: None, ..attacker(&sandbox, Network::None) };
    outside.environment.push(("TMPDIR".into(), targets.folder.path().display().to_string()));
    let (other, _) = attack(&supervisor, &outside, "wait");
    let mut stopped = Vec::new();
    for (number, order) in orders(&targets, other.id().unwrap()) {
        // Those that depend on the user and the machine, or would harm it.
        if [4, 5, 13, 14, 15, 16, 18, 22, 23, 24].contains(&number) {
            continue;
        }
        let (peer, answer) = attack(&supervisor, &outside, &order);
        if !answer.starts_with("done") {
            stopped.push((number, order, answer));
        }
        peer.close(b"");
    }
    other.close(b"");
    let _ = fs::remove_file(temporary());
    assert!(stopped.is_empty(), "{stopped:?}");
}

#[test]
fn pages_that_fork_leaves_to_several_processes_are_counted_once() {
    for namespaces in [true, false] {
        let (sandbox, supervisor) = (sandbox(&Options { namespaces, ..options() }), Supervisor::new());
        let command = attacker(&sandbox, Network::None);
        let (peer, answer) = attack(&supervisor, &command, "memory-forked 200 4");
        peer.close(b"");
        assert_eq!(answer, "done: 200 MiB, 4 processes");
    }
}

#[test]
fn a_client_of_tcp_reaches_its_port_and_no_other() {
    let sandbox = sandbox(&options());
    let (targets, supervisor) = (Targets::new(), Supervisor::new());
    if sandbox.layers().missing().iter().any(|name| name.starts_with("Landlock ABI 4")) {
        println!("skipped: this system offers {}", sandbox.layers().words());
        return;
    }
    let own = targets.tcp.local_addr().unwrap();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let (client, other) = (Network::Client(own.port()), other.local_addr().unwrap());
    for (network, order, reaches) in [
        (client, format!("tcp {own}"), true),
        (client, format!("tcp-from 0.0.0.0:0 {own}"), true),
        (client, format!("tcp-from 0.0.0.0:47813 {own}"), false),
        (client, format!("tcp {other}"), false),
        (Network::Server(own.port()), format!("tcp {own}"), false),
    ] {
        let (peer, answer) = attack(&supervisor, &attacker(&sandbox, network), &order);
        assert_eq!(answer.starts_with("done"), reaches, "{network:?} {order}: {answer}");
        peer.close(b"");
    }
    for order in ["dns".to_owned(), format!("unix {}", targets.path("socket").display())] {
        let command = attacker(&sandbox, Network::Client(own.port()));
        let (peer, answer) = attack(&supervisor, &command, &order);
        assert!(answer.starts_with("stopped"), "{order}: {answer}");
        peer.close(b"");
    }
}

#[test]
fn a_server_answers_the_referee_and_reaches_no_other_port() {
    let supervisor = Supervisor::new();
    let target = TcpListener::bind("127.0.0.1:0").unwrap();
    target.set_nonblocking(true).unwrap();
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for namespaces in [true, false] {
        let sandbox = sandbox(&Options { namespaces, ..options() });
        let own = free();
        let mut peer = Peer::spawn(&supervisor, &attacker(&sandbox, Network::Server(own.port()))).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let order = format!("serve {} {}\n", own.port(), target.local_addr().unwrap());
        peer.send(order.as_bytes(), deadline).unwrap();
        let has_own_network = sandbox.layers().namespaces.is_ok();
        if has_own_network {
            // Not even its own port is seen from outside.
            std::thread::sleep(Duration::from_millis(100));
            assert!(std::net::TcpStream::connect(own).is_err(), "{own}");
        }
        peer.call(own.port(), deadline).unwrap();
        let answer = peer.line(deadline).unwrap();
        assert!(answer.starts_with("stopped"), "{answer}");
        assert!(target.accept().is_err(), "somebody reached another port");
        println!("with {}: {answer}", sandbox.layers().words());
        peer.close(b"");
    }
}

#[test]
fn a_server_that_ends_or_never_listens_is_not_waited_for() {
    let supervisor = Supervisor::new();
    for (words, kind) in [("true", "Crash"), ("cat", "SlowStart")] {
        let command = courses::peer::Command::split(words).unwrap();
        let command = courses::peer::Command {
            network: Network::Server(1),
            sandbox: Some(sandbox(&options())),
            ..command
        };
        let mut peer = Peer::spawn(&supervisor, &command).unwrap();
        let trouble = peer.call(1, Instant::now() + Duration::from_millis(300)).unwrap_err();
        assert!(format!("{trouble:?}").contains(kind), "{words}: {trouble:?}");
        peer.close(b"");
    }
}

/// Nothing of a program's folder is left after it. Runs in a process of its own, with few descriptors.
/// C's `tmpfile()` and many students have this name in their programs.
#[test]
fn a_program_that_lies_elsewhere_has_a_tmp_of_its_own() {
    let sandbox = sandbox(&options());
    let (elsewhere, temporary) = (Path::new(env!("CARGO_TARGET_TMPDIR")), std::env::temp_dir());
    let is_apart = temporary == Path::new("/tmp") && !elsewhere.starts_with("/tmp");
    if sandbox.layers().namespaces.is_err() || !is_apart {
        println!("skipped: {}, {}", sandbox.layers().words(), elsewhere.display());
        return;
    }
    let name = format!("/tmp/of-{}", std::process::id());
    let script =
        format!("echo a >{name}; cat {name}; echo b >$TMPDIR/x; cat $TMPDIR/x; ls -d {name} $TMPDIR | wc -l");
    for (folder, expected) in [(elsewhere, "a\nb\n2\n"), (&*temporary, "b\n1\n")] {
        let folder = tempfile::tempdir_in(folder).unwrap();
        fs::write(folder.path().join("bot.sh"), &script).unwrap();
        let mut command = Command::split("sh bot.sh").unwrap();
        command.folder = Some(folder.path().to_owned());
        let (told, ended) = output(command, Some(&sandbox), "");
        assert_eq!(told, expected, "{ended:?}");
        assert!(!Path::new(&name).exists());
    }
}

#[test]
fn the_scratch_folder_goes_with_its_process() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    const ALONE: &str = "COURSES_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        alone.args(["attacks::the_scratch_folder_goes_with_its_process", "--exact"]);
        let output = alone.env("TMPDIR", folder.path()).env(ALONE, "1").output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{output:?}");
        return;
    }
    let few = Rlimit { current: Some(256), ..getrlimit(Resource::Nofile) };
    setrlimit(Resource::Nofile, few).unwrap();
    let supervisor = Supervisor::new();
    let left = || {
        let entries = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
        entries.map(|entry| entry.path()).filter(|path| is_scratch(path)).collect::<Vec<_>>()
    };
    for namespaces in [true, false] {
        let sandbox = sandbox(&Options { namespaces, ..options() });
        for order in ["disk 2", "disk-below 3000 1", "disk-closed"] {
            let (peer, answer) = attack(&supervisor, &attacker(&sandbox, Network::None), order);
            assert_eq!(answer == "done: 32 MiB", order == "disk 2", "{answer}");
            assert_eq!(left().len(), 1, "{order}");
            peer.close(b"");
            assert_eq!(left(), [""; 0].map(PathBuf::from), "{order}");
        }
    }
}

fn is_scratch(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("referee-scratch-"))
}

#[test]
fn a_peer_without_a_process_has_no_number() {
    let supervisor = Supervisor::new();
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = std::net::TcpStream::connect(door.local_addr().unwrap()).unwrap();
    assert_eq!(Peer::adopt(&supervisor, stream).unwrap().id(), None);
}
