//! Tests of builds.

use super::*;
use std::time::Duration;

#[test]
fn folders_have_plain_names_and_no_two_the_same() {
    let name = |name: &str| folder_name(&Entry::new(name, ""), Path::new("x"));
    assert_eq!(name("Ana"), "Ana");
    let names =
        ["Ana B", "Ana-B", "Ana/B", "../Ana B", "..", "Cléa", "Clèa", "王", &"x".repeat(300)].map(name);
    let taken = name(&names[0]);
    assert_ne!(taken, names[0], "it looks like another one's");
    for (nth, name) in names.iter().enumerate() {
        assert!(
            name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-') && name.len() < 80,
            "{name}"
        );
        assert!(!name.is_empty() && !names[..nth].contains(name), "{names:?}");
    }
}

fn builder(place: PathBuf) -> Builder<'static> {
    let supervisor = Box::leak(Box::new(Supervisor::new()));
    let game = courses::registry::all()[0];
    Builder { game, place, supervisor, sandbox: None, rust: None }
}

#[test]
fn nothing_is_built_in_a_folder_of_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let builder = builder(folder.path().to_owned());
    fs::write(folder.path().join("thesis.txt"), "mine").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o2750)).unwrap();
    let refused = builder.lock().unwrap_err().to_string();
    assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o7777, 0o2750);
    assert!(refused.contains("holds other files"), "{refused}");
    fs::remove_file(folder.path().join("thesis.txt")).unwrap();
    drop(builder.lock().unwrap());
    fs::create_dir(folder.path().join("Ana")).unwrap();
    drop(builder.lock().unwrap());
}

/// Builds the work of a folder and returns the output of its program.
fn output_of(work: &Path) -> String {
    output_within(None, work)
}

fn output_within(sandbox: Option<Sandbox>, work: &Path) -> String {
    let place = tempfile::tempdir().unwrap();
    let builder = Builder { sandbox, ..builder(place.path().join("built")) };
    let _lock = builder.lock().unwrap();
    let built = builder.build(&Entry::new("Ana", ""), work).unwrap();
    assert_eq!(built.error, None, "{built:?}");
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &built.command]).current_dir(&built.folder).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn make_finds_the_times_and_the_empty_folders_of_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("ana");
    let makefile = "joueur: obj/a\n\tcp obj/a joueur\nobj/a: a.sh\n\tcp a.sh obj/a\n";
    let made = |name: &str, text: &str, seconds: u64| {
        fs::write(work.join(name), text).unwrap();
        fs::set_permissions(work.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds);
        fs::File::open(work.join(name)).unwrap().set_modified(time).unwrap();
    };
    fs::create_dir_all(work.join("obj")).unwrap();
    made("Makefile", makefile, 0);
    made("a.sh", "#!/bin/sh\necho new\n", 30);
    assert_eq!(output_of(&work), "new\n", "an empty folder");
    // What was handed in is older than its source.
    made("obj/a", "#!/bin/sh\necho old\n", 10);
    made("joueur", "#!/bin/sh\necho old\n", 20);
    assert_eq!(output_of(&work), "new\n");
    for (end, words) in [("zip", ["zip", "-qr"]), ("tar", ["tar", "-cf"])] {
        let archive = folder.path().join(format!("ana.{end}"));
        let mut pack = std::process::Command::new(words[0]);
        let packed = pack.arg(words[1]).arg(&archive).arg(".").current_dir(&work).status();
        match packed {
            Ok(status) if status.success() => assert_eq!(output_of(&archive), "new\n", "{end}"),
            _ => println!("skipped: {} is missing", words[0]),
        }
    }
}

#[test]
fn absolute_paths_of_a_build_lead_to_the_work() {
    use courses::sandbox::{Mode, Options};
    let work = tempfile::tempdir().unwrap();
    let make = "joueur: base\n\tprintf '#!/bin/sh\\ncat $(CURDIR)/data/w\\n' >joueur\n\tchmod +x joueur\n\
                base:\n\trm data/old\n\tmkdir obj\n\techo made >>data/w\n";
    let mut tree = Tree::default();
    tree.put("src/Makefile", make);
    tree.put("src/data/w", "own\n");
    tree.put("src/data/old", "");
    tree.write(work.path()).unwrap();
    let auto = Options::new(Mode::Auto);
    let plain = Options { namespaces: false, ..auto.clone() };
    for options in [Options::new(Mode::Off), plain, auto] {
        let sandbox = Sandbox::new(&options).unwrap();
        assert_eq!(output_within(sandbox, work.path()), "own\nmade\n", "{options:?}");
    }
}

#[test]
fn no_end_of_a_build_is_that_of_a_failed_copy() {
    let folder = tempfile::tempdir().unwrap();
    let (made, _) = builder(folder.path().join("built")).run(folder.path(), "exit 97", "").unwrap();
    assert_eq!(made.unwrap_err(), "exit code 1");
}

#[test]
fn a_link_to_a_makefile_is_one() {
    let work = tempfile::tempdir().unwrap();
    fs::create_dir(work.path().join("src")).unwrap();
    let makefile = "joueur: src/a.sh\n\tcp src/a.sh joueur\n\tchmod +x joueur\n";
    fs::write(work.path().join("src/Makefile"), makefile).unwrap();
    fs::write(work.path().join("src/a.sh"), "#!/bin/sh\necho own\n").unwrap();
    std::os::unix::fs::symlink("src/Makefile", work.path().join("Makefile")).unwrap();
    assert_eq!(output_of(work.path()), "own\n");
}

#[test]
fn a_makefile_that_makes_no_program_leaves_the_script() {
    let work = tempfile::tempdir().unwrap();
    let name = courses::registry::all()[0].assignment().programs()[0];
    for makefile in ["test:\n\ttrue\n", "test:\n\tfalse\n"] {
        fs::write(work.path().join("Makefile"), makefile).unwrap();
        fs::write(work.path().join(format!("{name}.py")), "print('own')\n").unwrap();
        assert_eq!(output_of(work.path()), "own\n", "{makefile}");
    }
    let other = work.path().join("main.py");
    fs::rename(work.path().join(format!("{name}.py")), other).unwrap();
    assert_eq!(output_of(work.path()), "own\n", "of another name");
}

#[test]
fn make_makes_anew_what_was_compiled_elsewhere() {
    let name = courses::registry::all()[0].assignment().programs()[0];
    let makefile = format!("{name}: a.o\n\tcat a.o >{name}\n\tchmod +x {name}\na.o: a.txt\n\tcp a.txt a.o\n");
    let script = "#!/bin/sh\necho new\n";
    let foreign = [0xcf, 0xfa, 0xed, 0xfe];
    // A program without its right to start, one of another system, one of this system's, and an object file.
    let works: [&[(&str, bool)]; 4] = [
        &[(name, false), ("a.o", false)],
        &[(name, true), ("a.o", false)],
        &[(name, true)],
        &[("a.o", false)],
    ];
    for work in works {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Makefile"), &makefile).unwrap();
        fs::write(folder.path().join("a.txt"), script).unwrap();
        let earlier = std::time::SystemTime::now() - Duration::from_secs(100);
        wire::file::set_changed(&folder.path().join("a.txt"), earlier).unwrap();
        for (file, is_executable) in work {
            let path = folder.path().join(file);
            let bytes = if *is_executable { b"\x7fELF" } else { &foreign };
            fs::write(&path, bytes).unwrap();
            let mode = if *is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        assert_eq!(output_of(folder.path()), "new\n", "{work:?}");
    }
}

#[test]
fn a_program_counts_that_was_made_before_make_failed() {
    let name = courses::registry::all()[0].assignment().programs()[0];
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let makefile = |own: &str| {
        format!("all: {own} rapport\n{own}: a.txt\n\tcp a.txt {own}\n\tchmod +x {own}\nrapport:\n\tfalse\n")
    };
    write("a.txt", "#!/bin/sh\necho made\n");
    write("Makefile", &makefile(name));
    assert_eq!(output_of(folder.path()), "made\n");
    write("Makefile", &makefile("outil"));
    let builder = builder(folder.path().with_extension("built"));
    let _lock = builder.lock().unwrap();
    let built = builder.build(&Entry::new("Ana", ""), folder.path()).unwrap();
    fs::remove_dir_all(&builder.place).unwrap();
    assert_eq!(built.error.as_deref(), Some("make: exit code 2"), "a tool is not the program");
}

#[test]
fn cargo_looks_for_nothing_above_the_work() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").unwrap();
    fs::create_dir(folder.path().join(".cargo")).unwrap();
    fs::write(folder.path().join(".cargo/config.toml"), "of the teacher").unwrap();
    let work = folder.path().join("ana");
    let mut tree = Tree::default();
    tree.put("Cargo.toml", "[package]\nname = \"joueur\"\nversion = \"0.1.0\"\n");
    tree.put("src/main.rs", "fn main() {}");
    tree.write(&work).unwrap();
    let builder = builder(folder.path().join("built"));
    let _lock = builder.lock().unwrap();
    assert_eq!(builder.build(&Entry::new("Ana", ""), &work).unwrap().error, None);
}

#[test]
fn cargos_programs_are_found_wherever_it_puts_them() {
    let main = "fn main() { println!(\"new\"); }";
    let package = "[package]\nname = \"joueur\"\nversion = \"0.1.0\"\n";
    let works: [&[(&str, &str)]; 3] = [
        // A member with the program's name.
        &[
            ("Cargo.toml", "[workspace]\nmembers = [\"joueur\"]\n"),
            ("joueur/Cargo.toml", package),
            ("joueur/src/main.rs", main),
        ],
        // A library for other languages, and a program of an earlier build.
        &[
            ("Cargo.toml", &format!("{package}[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n[workspace]\n")),
            ("src/lib.rs", ""),
            ("src/main.rs", main),
            ("target/release/joueur", "#!/bin/sh\necho old\n"),
            ("joueur", "#!/bin/sh\necho old\n"),
        ],
        // The student's processor.
        &[
            ("Cargo.toml", &format!("{package}[workspace]\n")),
            (".cargo/config.toml", &format!("[build]\ntarget = \"{}\"\n", host())),
            ("src/main.rs", main),
        ],
    ];
    for files in works {
        let work = tempfile::tempdir().unwrap();
        let mut tree = Tree::default();
        for (path, text) in files {
            match text.starts_with("#!") {
                true => tree.put_executable(*path, *text),
                false => tree.put(*path, *text),
            }
        }
        tree.write(work.path()).unwrap();
        assert_eq!(output_of(work.path()), "new\n", "{files:?}");
    }
}

/// The kind of this machine, as cargo names it.
fn host() -> String {
    let output = std::process::Command::new("rustc").arg("-vV").output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    told.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

#[test]
fn a_shortage_of_the_machine_is_no_fault_of_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("ana");
    fs::create_dir(&work).unwrap();
    fs::write(work.join("Bot.java"), "class Bot { static void main(String[] a) {} }").unwrap();
    let mut tool = Recipe::of(&unpacked(&work).unwrap(), &courses::registry::all()[0]).unwrap();
    assert_eq!(tool.tool(), Some("javac"));
    tool.script = None;
    assert_eq!(tool.tool(), None);
    assert!(!builder(folder.path().join("built")).finds("a tool that nobody has"));
    assert!(run::has_space(Path::new("/proc/self/no/folder")).is_err());
    let mounts = fs::read_to_string("/proc/mounts").unwrap();
    let is_noexec = |mount: &str| mount.contains(" /proc proc ") && mount.contains("noexec");
    assert_eq!(run::is_without_programs(Path::new("/proc")), mounts.lines().any(is_noexec));
}

#[test]
fn a_build_that_failed_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let (work, tool) = (folder.path().join("ana"), folder.path().join("tool"));
    fs::create_dir(&work).unwrap();
    let made = "printf '#!/bin/sh\\n' >joueur && chmod +x joueur";
    fs::write(work.join("Makefile"), format!("all:\n\ttest -e {} && {made}\n", tool.display())).unwrap();
    let (builder, entry) = (builder(folder.path().join("built")), Entry::new("Ana", ""));
    let _lock = builder.lock().unwrap();
    let failed = builder.build(&entry, &work).unwrap();
    assert!(failed.error.is_some());
    assert_eq!(builder.kept(&entry, &work, true).unwrap(), Some(failed));
    assert_eq!(builder.kept(&entry, &work, false).unwrap(), None);
    fs::write(&tool, "").unwrap();
    let built = builder.build(&entry, &work).unwrap();
    assert_eq!(built.error, None);
    assert_eq!(builder.kept(&entry, &work, false).unwrap(), Some(built));
}

#[test]
fn a_class_of_connect5s_first_interface_plays_by_the_second() {
    use std::io::Write as _;
    use std::process::Stdio;
    if !std::process::Command::new("javac")
        .arg("-version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        println!("skipped: there is no javac here");
        return;
    }
    let text = |package: &str, import: &str, body: &str| {
        format!(
            "package {package};\n{import}\npublic class JoueurArtificiel implements Joueur {{\n{body}\n}}\n"
        )
    };
    let find = "for (int at = 0; ; at++) if (g.getData()[at / 7][at % 7] == 0)";
    let array = format!(
        "@Override public int[] getProchainCoup(Grille g, int delais) {{ System.out.println(g + \" \" + \
         g.nbLibre()); {find} return new int[]{{at / 7, at % 7}}; }}"
    );
    let position = format!(
        "private int own = 9; @Override public Position getAction(Grille grille, int delais) {{ Grille g = \
         grille.clone(); if (new GrilleVerificateur().getGagnant(g) == 2) return new Position(4, g.get(0, 0)); \
         {find} return new Position(at / 7, at % 7); }}\npublic String getAuteurs() {{ return \"Ana\\nBo\"; }}"
    );
    let both = [
        text("connect5.ia", "import connect5.Grille; import connect5.Joueur;", &array),
        text("inf4230.connect5.ia", "import inf4230.connect5.*;", &position),
    ];
    let first = "5 7\n0000000\nN000000\n0B00000\n0000000\n0000000\n100\n";
    let second = "5 7\nNBBBBB0\nNNNN000\n0000000\n0000000\n0000000\n100\n0\n";
    for (text, expected) in
        both.iter().zip(["connect5.ia.JoueurArtificiel\nREADY\n0 0\n0 6\n", "Ana Bo\nREADY\n0 0\n4 1\n"])
    {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("Ana");
        fs::create_dir_all(work.join("ia")).unwrap();
        fs::write(work.join("ia/JoueurArtificiel.java"), text).unwrap();
        let game = courses::registry::find("connect5").unwrap();
        let builder = Builder { game, ..builder(folder.path().join("built")) };
        let _lock = builder.lock().unwrap();
        let built = builder.build(&Entry::new("Ana", ""), &work).unwrap();
        assert_eq!(built.error, None, "{built:?}");
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &built.command])
            .current_dir(&built.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("{first}{second}").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{text}");
        assert_eq!(output.status.code(), Some(0));
    }
}
