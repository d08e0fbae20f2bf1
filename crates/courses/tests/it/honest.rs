//! Honest programs run unchanged.

use super::support::{options, output, sandbox};
use courses::peer::{Command, Peer, Supervisor};
use courses::sandbox::{Options, Sandbox};
use std::fs;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Returns true if a program is found by `PATH`. Says that the test is skipped otherwise.
pub fn is_here(program: &str) -> bool {
    let found = std::env::var_os("PATH")
        .is_some_and(|paths| std::env::split_paths(&paths).any(|folder| folder.join(program).is_file()));
    if !found {
        println!("skipped: there is no {program} on this machine");
    }
    found
}

/// Runs a command inside and outside. Both must say the same.
fn runs_alike(text: &str, folder: &Path, input: &str) {
    let mut command = Command::split(text).unwrap();
    command.folder = Some(folder.to_owned());
    let (outside, _) = output(command.clone(), None, input);
    let (inside, ended) = output(command, Some(&sandbox(&options())), input);
    assert!(!outside.is_empty());
    assert_eq!(inside, outside, "{text}: {}", ended.errors);
    assert_eq!(ended.refusals, [], "{text} is honest");
}

#[test]
fn python_imports_starts_threads_and_writes_temporary_files() {
    if !is_here("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("helper.py"), "def twice(x): return 2 * x\n").unwrap();
    let program = "import getpass, helper, json, random, subprocess, sys, tempfile, threading\n\
                   print(getpass.getuser() != '')\n\
                   threading.Thread(target=lambda: None).start()\n\
                   with tempfile.NamedTemporaryFile('w') as file: file.write('x')\n\
                   print(helper.twice(int(sys.stdin.readline())), json.dumps([1]))\n\
                   sys.stdout.flush()\n\
                   print(subprocess.run(['echo', 'child'], capture_output=True, text=True).stdout)\n";
    fs::write(folder.path().join("bot.py"), program).unwrap();
    runs_alike("python3 bot.py", folder.path(), "21\n");
}

#[test]
fn a_c_program_with_a_dynamic_loader_runs() {
    if !is_here("cc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
                  int main(void) { double x; if (scanf(\"%lf\", &x) != 1) return 1;\n\
                  char *p = malloc(1 << 20); p[9] = 1; printf(\"%.3f\\n\", sqrt(x) + p[9]); return 0; }\n";
    fs::write(folder.path().join("bot.c"), source).unwrap();
    let built = std::process::Command::new("cc")
        .args(["bot.c", "-o", "bot", "-lm"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(built.success());
    runs_alike("./bot", folder.path(), "2\n");
}

#[test]
fn a_java_machine_runs() {
    if !is_here("java") || !is_here("javac") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "public class Bot { public static void main(String[] a) throws Exception {\n\
                  int x = new java.util.Scanner(System.in).nextInt();\n\
                  Thread t = new Thread(() -> System.out.println(\"thread\")); t.start(); t.join();\n\
                  java.io.File f = java.io.File.createTempFile(\"abc\", \"d\");\n\
                  System.out.println(2 * x + \" \" + f.exists()); f.delete(); } }\n";
    fs::write(folder.path().join("Bot.java"), source).unwrap();
    let built =
        std::process::Command::new("javac").arg("Bot.java").current_dir(folder.path()).status().unwrap();
    assert!(built.success());
    runs_alike("java -cp . Bot", folder.path(), "21\n");
}

#[test]
fn a_java_machine_keeps_within_the_bound_on_memory() {
    if !is_here("java") || !is_here("javac") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // 50 MB that stay, and 4 GB of garbage.
    let source = "public class Bot { static byte[][] kept = new byte[50][]; public static void main(String[] a) {\n\
                  for (int i = 0; i < 4000; i++) kept[i % 50] = new byte[1 << 20];\n\
                  System.out.println(kept.length); System.err.println(\"done\"); } }\n";
    fs::write(folder.path().join("Bot.java"), source).unwrap();
    let built =
        std::process::Command::new("javac").arg("Bot.java").current_dir(folder.path()).status().unwrap();
    assert!(built.success());
    for (text, answer, errors) in [
        ("java -cp . Bot", "50\n", "done\n"),
        // More than the bound that it is told.
        ("java -Xms390m -cp . Bot", "50\n", "done\n"),
        ("sh -c 'exec java -cp . Bot 2>&1'", "50\ndone\n", ""),
    ] {
        let mut command = Command::split(text).unwrap();
        command.folder = Some(folder.path().to_owned());
        let (text, ended) = output(command, Some(&sandbox(&options())), "");
        assert_eq!((text.as_str(), ended.errors.as_str()), (answer, errors));
    }
}

#[test]
fn the_limit_of_a_player_holds_inside_and_outside() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::split("sh -c 'read word; ulimit -v'").unwrap();
    command.folder = Some(folder.path().to_owned());
    command.memory = Some(300 << 20);
    for sandbox in [None, Some(&sandbox(&options()))] {
        assert_eq!(output(command.clone(), sandbox, "go\n").0, "307200\n", "{sandbox:?}");
    }
}

#[test]
fn a_java_machine_behind_a_script_has_a_heap_of_the_limit() {
    if !is_here("java") || !is_here("javac") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "public class Bot { public static void main(String[] a) {\n\
                  System.out.println(Runtime.getRuntime().maxMemory() >> 20); } }\n";
    fs::write(folder.path().join("Bot.java"), source).unwrap();
    let built =
        std::process::Command::new("javac").arg("Bot.java").current_dir(folder.path()).status().unwrap();
    assert!(built.success());
    let script = folder.path().join("joueur");
    fs::write(&script, "#!/bin/sh\nexec java -XX:+UseSerialGC -cp . Bot\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::split(&script.to_string_lossy()).unwrap();
    command.folder = Some(folder.path().to_owned());
    command.memory = Some(256 << 20);
    let (inside, ended) = output(command.clone(), Some(&sandbox(&options())), "");
    // The machine counts one of its two spaces for young objects alone.
    assert!(
        inside.trim().parse().is_ok_and(|heap: u32| (240..=256).contains(&heap)),
        "{inside} {}",
        ended.errors
    );
    assert!(output(command, None, "").0.trim().parse::<u32>().is_ok());
}

#[test]
fn memory_that_is_not_used_does_not_count() {
    if !is_here("cc") {
        return;
    }
    let sandbox = sandbox(&options());
    if !sandbox.has_groups() {
        println!("skipped: this system offers no control group for memory that is not used");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <stdio.h>\n#include <sys/mman.h>\n#include <unistd.h>\n\
                  int main(void) { for (int kind = 1; kind < 3; kind++) {\n\
                  char *p = mmap(0, 1L << 36, 3, (kind == 1 ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);\n\
                  if (p == MAP_FAILED) return 1; p[1L << 35] = 1; }\n\
                  usleep(300000); puts(\"alive\"); return 0; }\n";
    fs::write(folder.path().join("bot.c"), source).unwrap();
    let built = std::process::Command::new("cc")
        .args(["bot.c", "-o", "bot"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(built.success());
    runs_alike("./bot", folder.path(), "");
}

#[test]
fn a_program_finds_its_files_in_a_folder_that_others_may_not_open() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("net.bin"), "weights\n").unwrap();
    for name in ["net.bin", "."] {
        let mode = fs::Permissions::from_mode(if name == "." { 0o700 } else { 0o600 });
        fs::set_permissions(folder.path().join(name), mode).unwrap();
    }
    // `test -r` asks by access(2), and `cat` opens.
    runs_alike("sh -c 'test -r net.bin && env test -r net.bin && cat net.bin'", folder.path(), "");
}

#[test]
fn a_program_that_is_a_link_reads_both_folders() {
    let folder = tempfile::tempdir().unwrap();
    let [named, store] = ["named", "store"].map(|name| folder.path().join(name));
    [&named, &store].into_iter().for_each(|place| fs::create_dir(place).unwrap());
    fs::write(named.join("data.txt"), "beside the link\n").unwrap();
    fs::write(store.join("bot.sh"), "cat \"$(dirname \"$0\")/data.txt\" ../store/bot.sh\n").unwrap();
    std::os::unix::fs::symlink("../store/bot.sh", named.join("bot.sh")).unwrap();
    runs_alike(&format!("sh {}/bot.sh", named.display()), &named, "");
    runs_alike(&format!("sh {}/bot.sh", named.display()), &store, "");
}

#[test]
fn an_interpreter_named_by_its_path_reads_its_installation() {
    if !is_here("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("python3")
        .args(["-m", "venv", "--without-pip", "v"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    if !made.success() {
        println!("skipped: this Python makes no virtual environment");
        return;
    }
    let entries = fs::read_dir(folder.path().join("v/lib")).unwrap();
    let packages = entries.map(|entry| entry.unwrap().path().join("site-packages")).next().unwrap();
    fs::write(packages.join("helper.py"), "word = 'of the environment'\n").unwrap();
    let ana = folder.path().join("ana");
    fs::create_dir(&ana).unwrap();
    fs::write(ana.join("bot.py"), "import helper, json; print(helper.word)\n").unwrap();
    runs_alike("../v/bin/python bot.py", &ana, "");
}

#[test]
fn a_program_opens_its_streams_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "read line < /dev/stdin; echo $line > /dev/stdout; echo b > /dev/fd/1; echo c > /dev/stderr; echo d";
    runs_alike(&format!("sh -ec '{text}'"), folder.path(), "a\n");
    // The same where standard output is a terminal.
    let text = "echo b > /dev/stdout; echo c > /dev/fd/1; test -t 0 < /dev/stdout; echo d";
    let mut command = Command::split(&format!("sh -ec '{text}'")).unwrap();
    command.terminal = true;
    let (text, ended) = output(command, Some(&sandbox(&options())), "");
    assert_eq!(text, "b\r\nc\r\nd\r\n", "{}", ended.errors);
}

#[test]
fn a_refused_read_names_the_path_and_the_option_that_opens_it() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let net = elsewhere.path().canonicalize().unwrap().join("net.bin");
    fs::write(&net, "weights\n").unwrap();
    fs::write(folder.path().join("bot.sh"), format!("cat {}\n", net.display())).unwrap();
    let command = Command::split(&format!("sh {}/bot.sh", folder.path().display())).unwrap();
    let closed = sandbox(&options());
    if closed.layers().landlock == 0 {
        println!("skipped: this system offers {}", closed.layers().words());
        return;
    }
    let (text, ended) = output(command.clone(), Some(&closed), "");
    assert_eq!(text, "");
    let hint = format!("the sandbox refused {0}: --allow {0} lets it be read", net.display());
    assert!(ended.errors.trim_end().ends_with(&format!("[{hint}]")), "{}", ended.errors);
    assert_eq!(ended.remarks, [hint]);
    let opened = sandbox(&Options { allow: vec![elsewhere.path().to_owned()], ..options() });
    assert_eq!(output(command, Some(&opened), "").0, "weights\n");
}

#[test]
fn a_pipe_cannot_be_allowed_by_its_name() {
    let (reader, _writer) = std::io::pipe().unwrap();
    let allow = vec![format!("/proc/self/fd/{}", reader.as_raw_fd()).into()];
    let error = Sandbox::new(&Options { allow, ..options() }).unwrap_err().to_string();
    assert!(error.starts_with("--allow /proc/self/fd/"), "{error}");
}

/// A program that waits for nobody may leave the work to another process.
#[test]
fn the_processor_time_of_all_processes_is_told() {
    if !is_here("python3") {
        return;
    }
    let works = "import time\nwhile time.process_time() < 0.8: pass\nprint('done')";
    let script = format!("(python3 -c \"{works}\" &)");
    let command = Command { words: ["sh", "-c", &script].map(str::to_owned).to_vec(), ..Command::default() };
    let (text, ended) = output(command, Some(&sandbox(&options())), "");
    assert_eq!(text, "done\n");
    assert!(ended.cpu > Duration::from_millis(400), "{:?}", ended.cpu);
}

/// Scripts with job control and `timeout` make such a group.
#[test]
fn a_program_with_a_group_of_its_own_plays_on_when_another_ends() {
    if !is_here("python3") {
        return;
    }
    let supervisor = Supervisor::new();
    let repeats = "import os, sys; os.setpgrp(); [print(line, end='', flush=True) for line in sys.stdin]";
    let words = ["python3", "-c", repeats].map(str::to_owned).to_vec();
    let command = Command { words, sandbox: Some(sandbox(&options())), ..Command::default() };
    let deadline = Instant::now() + Duration::from_secs(20);
    let start = || Peer::spawn(&supervisor, &command).unwrap();
    let answer = |peer: &mut Peer<'_>| {
        peer.send(b"one\n", deadline)
            .and_then(|()| peer.line(deadline))
            .map_err(|trouble| trouble.to_string())
    };
    let mut stays = start();
    assert_eq!(answer(&mut stays).as_deref(), Ok("one"));
    start().close(b"");
    assert_eq!(answer(&mut stays).as_deref(), Ok("one"));
}

#[test]
fn a_program_has_a_clean_environment_and_its_own_home() {
    let (text, _) = output(
        Command::split("sh -c 'echo $CARGO_MANIFEST_DIR; echo $HOME; echo x > $HOME/f && cat $HOME/f'")
            .unwrap(),
        Some(&sandbox(&options())),
        "",
    );
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "");
    assert!(lines[1].contains("referee-scratch-"), "{text}");
    assert_eq!(lines[2], "x");
}
