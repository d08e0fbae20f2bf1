//! A class of strangers' programs in four languages, as Moodle exports it: built, marked, broken off and resumed.

use crate::support::{referee, run};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Makes the first students of `test-data/class`. `None` where a language is missing.
fn class(folder: &Path, count: usize) -> Option<String> {
    for tool in [["python3", "--version"], ["cc", "--version"], ["make", "--version"], ["javac", "-version"]]
    {
        if !Command::new(tool[0]).arg(tool[1]).output().is_ok_and(|output| output.status.success()) {
            println!("skipped: there is no {} here", tool[0]);
            return None;
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/class/make.py");
    let place = folder.join("class");
    let made = Command::new("python3").arg(script).arg(&place).arg(count.to_string()).status().unwrap();
    assert!(made.success());
    Some(place.display().to_string())
}

/// The card of a student in the output.
fn card<'a>(printed: &'a str, name: &str) -> &'a str {
    let begins = |part: &&str| {
        part.starts_with(&format!("{name}\n")) || part.starts_with(&format!("Connect5: {name}\n"))
    };
    printed
        .split("\n\n\n")
        .flat_map(|part| part.split("linux\n\n"))
        .find(begins)
        .unwrap_or_else(|| panic!("no {name}: {printed}"))
}

#[test]
fn a_class_of_strangers_is_built_marked_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(class) = class(folder.path(), 12) else { return };
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (record, csv, moodle) = (path("cards.jsonl"), path("all.csv"), path("moodle.csv"));
    let line =
        ["mark", "connect5", "--class", &class, "--quick", "--time", "300", "--start-up", "10", "--quiet"];
    let arguments = [&line[..], &["--record", &record, "--csv", &csv, "--moodle", &moodle]].concat();
    let (page, games) = (path("class.html"), path("games"));
    let pages = ["--html", &page, "--games", &games, "--anonymous", "--sandbox", "auto"];
    let arguments = [&arguments[..], &pages].concat();
    let mut first = referee(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let cards = || fs::read_to_string(&record).unwrap_or_default();
    // All builds come first, and take long on a busy machine.
    let deadline = Instant::now() + Duration::from_secs(300);
    while cards().lines().count() < 2 {
        assert!(
            Instant::now() < deadline && first.try_wait().unwrap().is_none(),
            "no two cards: {}",
            cards()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&first), Signal::INT).unwrap();
    assert_eq!(first.wait().unwrap().code(), Some(130));
    let before = cards();
    let stamp = || fs::metadata(path("class-built/Bo.json")).unwrap().modified().unwrap();
    let built = stamp();

    let output = run(&arguments);
    let (printed, told) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!((output.status.code(), told.as_str()), (Some(1), "referee: crashed: Farid\n"), "{printed}");
    assert!(cards().starts_with(&before) && cards().lines().count() == 12, "nobody is marked twice");
    assert_eq!(stamp(), built, "nobody is built twice");

    let all = fs::read_to_string(&csv).unwrap();
    let total = |name: &str| -> f64 {
        let row = all.lines().find(|line| line.starts_with(&format!("{name},"))).unwrap();
        row.rsplit(',').nth(2).unwrap().parse().unwrap()
    };
    // Both find the winning moves, in Python and in Rust. The others play, cheat, flood, or are not built.
    assert!(total("Ana") > 5.0 && total("Dina") > 5.0 && total("Bo") > 2.0 && total("Cy") > 2.0, "{all}");
    assert!(total("Hana") < 1.0 && total("Ines") < 1.0 && total("Jo") == 0.0 && total("Léa") == 0.0, "{all}");
    assert!(
        card(&printed, "Jo").contains("make: exit code 2") && printed.contains("int int main"),
        "{printed}"
    );
    assert!(card(&printed, "Léa").contains("tp1.zip: the files are too large"), "{printed}");
    assert!(fs::read_to_string(&moodle).unwrap().contains("\nParticipant 10012,Léa,0.00,10.00,-,"));
    let shown = fs::read_to_string(&page).unwrap();
    assert!(
        !shown.contains("Dina")
            && !shown.contains("10004")
            && !shown.contains("Connect5: Bo")
            && shown.contains(">program 12</a>"),
        "{shown}"
    );
    // Every link to a game leads to its place.
    let links: Vec<&str> =
        shown.split("<a href='games/").skip(1).map(|rest| rest.split('\'').next().unwrap()).collect();
    assert!(links.len() > 12, "{links:?}");
    for link in links {
        let (file, place) = link.split_once('#').unwrap();
        let text = fs::read_to_string(folder.path().join("games").join(file)).unwrap();
        assert!(text.contains(&format!("<section id='{place}'>")) && !text.contains("Dina"), "{link}");
    }
    // The links of an archive are not made.
    assert!(fs::symlink_metadata(path("class-built/Kim/shadow")).is_err());
    assert!(fs::metadata(path("class-built/Kim/bot.py")).is_ok());
    // The attacker ends with 99 or 98 where it can read another student's work or write, and else plays.
    if card(&printed, "Eve").contains("Landlock") {
        assert!(total("Eve") > 2.0 && !card(&printed, "Eve").contains("exit code 9"), "{printed}");
    } else {
        println!("skipped: the attacker, for this system has no Landlock");
    }
}

#[test]
fn a_tournament_and_a_single_folder_are_built_too() {
    let folder = tempfile::tempdir().unwrap();
    let Some(class) = class(folder.path(), 2) else { return };
    let line = ["tournament", "connect5", "--players", &class, "--rounds", "1", "--time", "500", "--quiet"];
    let output = run(&[&line[..], &["--sandbox", "auto"]].concat());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains("Ana") && printed.contains("Bo"), "{printed}");
    let work = format!("{class}/Ana_10001_assignsubmission_file_");
    let results = folder.path().join("results.json").display().to_string();
    let line = ["mark", "connect5", "--folder", &work, "--quick", "--time", "300", "--gradescope", &results];
    let output = run(&[&line[..], &["--sandbox", "auto"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let results: serde_json::Value = serde_json::from_str(&fs::read_to_string(results).unwrap()).unwrap();
    assert!(results["score"].as_f64() > Some(5.0), "{results}");
    // A folder without work is no class.
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let output = run(&["mark", "connect5", "--class", &empty.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("expected a folder or an archive"),
        "{output:?}"
    );
}

#[test]
fn work_reads_all_its_files_and_writes_beside_them() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no python3 here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("class/ana");
    fs::create_dir_all(work.join("tp1")).unwrap();
    fs::create_dir(work.join("data")).unwrap();
    let player = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/players/connect5.py");
    let program = "import os\n\
                   above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))\n\
                   assert open(os.path.join(above, 'data', 'team.txt')).read() == 'Ana'\n\
                   assert open('book.txt').read() == 'd4' and open('../data/team.txt').read() == 'Ana'\n\
                   open('log.txt', 'w').write('begun')\n";
    fs::write(work.join("tp1/joueur.py"), format!("{program}{}", fs::read_to_string(player).unwrap()))
        .unwrap();
    fs::write(work.join("tp1/book.txt"), "d4").unwrap();
    fs::write(work.join("data/team.txt"), "Ana").unwrap();
    let class = folder.path().join("class").display().to_string();
    let line = ["tournament", "connect5", "--players", &class, "--player", "builtin:first", "--rounds", "1"];
    let log = folder.path().join("class-built/ana/tp1/log.txt");
    for sandbox in ["auto", "off"] {
        let record = folder.path().join(sandbox).display().to_string();
        let output = run(&[&line[..], &["--record", &record, "--quiet", "--sandbox", sandbox]].concat());
        assert!(output.status.success(), "{output:?}");
        let games = fs::read_to_string(&record).unwrap();
        assert!(games.contains("\"moves\":[\"") && !games.contains("\"faults\":[["), "{sandbox}: {games}");
        assert_eq!(log.exists(), sandbox == "off", "{sandbox}");
    }
    // A class that was moved is built again.
    for name in ["class", "class-built"] {
        let moved = folder.path().join(format!("other-{name}"));
        fs::rename(folder.path().join(name), &moved).unwrap();
    }
    let class = folder.path().join("other-class").display().to_string();
    let record = folder.path().join("moved").display().to_string();
    let line = ["tournament", "connect5", "--players", &class, "--player", "builtin:first", "--rounds", "1"];
    let output = run(&[&line[..], &["--record", &record, "--quiet"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert!(!fs::read_to_string(&record).unwrap().contains("\"faults\":[["));
}

#[test]
fn two_referees_do_not_build_the_work_of_a_class_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("class/Ana")).unwrap();
    fs::create_dir_all(path("class-built")).unwrap();
    fs::write(path("class/Ana/bot.py"), "print(1)").unwrap();
    let lock = fs::File::create(path("class-built/.lock")).unwrap();
    let class = path("class").display().to_string();
    let mark = ["mark", "uttt", "--class", &class, "--quick", "-q", "--sandbox", "off"];
    // Another referee plays with the programs of older work.
    lock.lock_shared().unwrap();
    let output = run(&mark);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("class-built is in use by another referee") && error.lines().count() == 1,
        "{error}"
    );
    assert!(!path("class-built/Ana").exists());
    // Another referee builds.
    lock.unlock().unwrap();
    lock.lock().unwrap();
    let mut waiting = referee(&mark).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    BufReader::new(waiting.stderr.as_mut().unwrap()).read_line(&mut told).unwrap();
    assert!(told.contains("waiting for it"), "{told}");
    assert!(!path("class-built/Ana").exists());
    lock.unlock().unwrap();
    // The first program is started once all are built.
    let deadline = Instant::now() + Duration::from_secs(60);
    while !path("class-built/Ana.json").exists() {
        assert!(Instant::now() < deadline, "it waits for ever");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&waiting), Signal::TERM).unwrap();
    assert_eq!(waiting.wait().unwrap().code(), Some(143));
}

#[test]
fn cards_are_appended_by_one_referee_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards").display().to_string();
    let lock = fs::File::create(&cards).unwrap();
    lock.lock().unwrap();
    let output = run(&["mark", "uttt", "--player", "true", "--quick", "--record", &cards]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        (output.status.code(), error),
        (Some(2), format!("referee: {cards} is in use by another referee\n"))
    );
    assert_eq!(fs::read_to_string(&cards).unwrap(), "");
}

#[test]
fn a_shortage_of_the_system_is_no_fault_of_the_students() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("class/Ana")).unwrap();
    fs::write(path("class/Ana/bot.py"), "print(1)").unwrap();
    fs::write(path("class.csv"), "name,command\nAna,true\n").unwrap();
    for (limit, class, trouble) in [
        ("TMPDIR=/nowhere", "class.csv", "the sandbox: its scratch folder"),
        ("ulimit -n 24;", "class", "Too many open files"),
    ] {
        let mark = format!(
            "{limit} exec {} mark uttt --class {} --quick -q --sandbox auto --record {}",
            env!("CARGO_BIN_EXE_referee"),
            path(class).display(),
            path("cards").display()
        );
        let output = Command::new("sh").args(["-c", &mark]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(trouble), "{error}");
        assert_eq!(fs::read_to_string(path("cards")).unwrap_or_default(), "");
    }
}

#[test]
fn a_build_that_fills_the_disk_of_the_class_is_no_fault_of_the_students() {
    let folder = tempfile::tempdir().unwrap();
    let ana = folder.path().join("Ana");
    fs::create_dir(&ana).unwrap();
    fs::write(ana.join("Makefile"), "uttt:\n\thead -c 8000000 /dev/zero > uttt\n").unwrap();
    let apart = |script: &str| {
        let mut command = Command::new("unshare");
        let options = ["--user", "--map-root-user", "--mount", "sh", "-c"];
        command.args(options).arg(script).arg(folder.path()).output().unwrap()
    };
    if !apart("mkdir $0/disk && mount -t tmpfs tmpfs $0/disk").status.success() {
        println!("skipped: no file systems can be mounted here");
        return;
    }
    let referee = env!("CARGO_BIN_EXE_referee");
    let output = apart(&format!(
        "mount -t tmpfs -o size=6m tmpfs $0/disk && mkdir $0/disk/class && cp -r $0/Ana $0/disk/class && \
         exec {referee} mark uttt --class $0/disk/class --quick -q --sandbox off"
    ));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("no space left, so that a build failed"), "{error}");
}

#[test]
fn a_program_that_cannot_be_started_ends_neither_the_marking_nor_the_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    for (student, name, text) in [
        ("Ana", "uttt.sh", "#!/bin/nowhere-zsh\n"),
        ("Bo", "uttt", "#!/nowhere/python\n"),
        ("Cy", "uttt.py", "print(1)\n"),
    ] {
        let work = class.join(student);
        fs::create_dir_all(&work).unwrap();
        fs::write(work.join(name), text).unwrap();
        fs::set_permissions(work.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let class = class.to_str().unwrap();
    let output = run(&["mark", "uttt", "--class", class, "--quick", "--quiet"]);
    let (cards, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(cards.contains("it could not be marked: cannot start \"./uttt"), "{cards}{error}");
    assert_eq!(cards.matches("together").count(), 3, "{cards}{error}");
    let output = run(&["tournament", "uttt", "--players", class, "--rounds", "1", "--quiet"]);
    let (results, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(results.contains("crash: cannot start"), "{results}{error}");
}

#[test]
fn a_file_that_the_system_refuses_is_no_fault_of_the_students() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("class/Ana")).unwrap();
    fs::write(path("class/Ana/bot.py"), "print(1)").unwrap();
    fs::write(path("class/Ana/weights.bin"), vec![1; 1 << 20]).unwrap();
    let mark = format!(
        "exec {} mark uttt --class {} --quick -q --sandbox off --record {}",
        env!("CARGO_BIN_EXE_referee"),
        path("class").display(),
        path("cards").display()
    );
    let marked = |limit: &str| Command::new("sh").args(["-c", &format!("{limit}{mark}")]).output().unwrap();
    let output = marked("ulimit -f 512; ");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("weights.bin: File too large"), "{error}");
    assert_eq!(fs::read_to_string(path("cards")).unwrap_or_default(), "");
    let output = marked("");
    let card = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!card.contains("could not be marked") && card.contains("together"), "{card}");
}

#[test]
fn a_folder_whose_name_is_no_text_is_marked_and_kept() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    let work = class.join(std::ffi::OsStr::from_bytes(b"Andr\xe9"));
    fs::create_dir_all(&work).unwrap();
    fs::write(work.join("uttt.py"), "print(0)\n").unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (class, record, json) = (class.display().to_string(), path("cards.jsonl"), path("cards.json"));
    let line = ["mark", "uttt", "--class", &class, "--quick", "--quiet", "--sandbox", "off"];
    let arguments = [&line[..], &["--record", &record, "--json", &json]].concat();
    let cards = || (fs::read_to_string(&record).unwrap(), fs::read_to_string(&json).unwrap());
    let _ = run(&arguments);
    let first = cards();
    assert!(first.1.contains("Andr\u{fffd}"), "{}", first.1);
    // The card is known again.
    let _ = run(&arguments);
    assert_eq!(cards(), first);
}

#[test]
fn a_robot_of_gounki_reads_the_opening_that_the_referee_makes() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("class/Ana");
    fs::create_dir_all(&work).unwrap();
    let player = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/players/gounki.py");
    fs::copy(player, work.join("gounki.py")).unwrap();
    let class = folder.path().join("class").display().to_string();
    let line = ["tournament", "gounki", "--players", &class, "--player", "builtin:random", "--rounds", "1"];
    let output = run(&[&line[..], &["--quiet", "--sandbox", "auto"]].concat());
    let printed = String::from_utf8(output.stdout).unwrap();
    let row = |line: &&str| line.trim_start().starts_with("Ana ");
    let row = printed.lines().find(row).unwrap_or_else(|| panic!("{printed}"));
    assert!(row.ends_with(" none"), "{printed}");
}
