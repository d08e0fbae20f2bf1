//! Report cards: what is right earns its points, what is wrong is named.

use crate::support::{filler, games, run, shell, stdout};

fn python(script: &str) -> Option<String> {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 here");
        return None;
    }
    Some(format!("python3 {}/../../test-data/players/{script}", env!("CARGO_MANIFEST_DIR")))
}

/// The points of the criterion whose line holds `name`, and of how many.
fn points(card: &str, name: &str) -> (f64, f64) {
    let line =
        card.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name} in:\n{card}"));
    let (before, of) = line.rsplit_once('/').expect("points / of");
    let earned = before.split_whitespace().last().expect("points");
    (earned.replace(',', ".").parse().expect("a number"), of.trim().parse().expect("a number"))
}

#[test]
fn a_connect5_player_that_knows_only_the_rules_gets_a_and_not_b() {
    let Some(player) = python("connect5.py") else { return };
    let card = stdout(&["mark", "connect5", "--player", &player, "--quick", "--time", "2000"]);
    assert_eq!(points(&card, "A. respect"), (2.0, 2.0), "{card}");
    assert_eq!(points(&card, "B. reactions"), (0.0, 3.0), "{card}");
    // The cell's name, what the program writes, and the board.
    assert!(card.contains("is not among a5 (4 0)\n            a b c d e\n"), "{card}");
    assert!(points(&card, "C. the tournament").0 >= 1.0, "{card}");
}

#[test]
fn a_uttt_program_without_tree_and_print_gets_points_for_play_only() {
    let Some(player) = python("uttt.py") else { return };
    let card = stdout(&["mark", "uttt", "--player", &player, "--quick"]);
    assert_eq!(points(&card, "printing").0, 0.0, "{card}");
    assert_eq!(points(&card, "generating trees").0, 0.0, "{card}");
    assert_eq!(points(&card, "bonus").0, 0.0, "{card}");
    assert!(card.contains("against random: "), "{card}");
}

#[test]
fn a_card_counts_the_right_pictures_and_says_how_a_program_ended() {
    // It knows one picture, the empty board's, and ends every other question with 3 and a reason.
    let game: courses::registry::Game = "uttt".parse().unwrap();
    let course = courses::options::GameOptions::default().course(game, 2).unwrap();
    let empty = course.replay("", &courses::record::Played::default()).unwrap().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("empty");
    std::fs::write(&picture, empty).unwrap();
    let dies = "{ echo at 7 >&2; echo \"Error: a <b>\" >&2; exit 3; }";
    let player = format!("sh -c '[ \"$*\" = \"p 0\" ] || {dies}; cat {}' sh", picture.display());
    let file = |name: &str| folder.path().join(name).display().to_string();
    let [html, json, junit] = ["card.html", "card.json", "card.xml"].map(file);
    // The last criterion's games end so, too: crashes.
    let arguments = ["mark", "uttt", "--player", &player, "--quick", "--language", "fr"];
    let files = ["--html", &html, "--json", &json, "--junit", &junit];
    let output = run(&[&arguments[..], &files].concat());
    assert_eq!(output.status.code(), Some(1));
    let card = String::from_utf8(output.stdout).unwrap();
    assert_eq!(points(&card, "affichage"), (2.5, 10.0), "{card}");
    assert!(card.contains("1 sur 4 justes"), "{card}");
    // The reason comes before the long number.
    let died = "le code de sortie 3, une erreur ; il disait : Error: a <b>\n        ";
    assert_eq!(card.matches(&format!("    niveau 0 manque, {died}a ")).count(), 4, "{card}");
    assert_eq!(card.matches(&format!("    \"\" n'est pas un coup, {died}")).count(), 3, "{card}");
    let bonus = "0 position en ";
    let died = " s : niveau 0 manque, le code de sortie 3, une erreur ; 10 sous";
    assert!(card.contains(bonus) && card.contains(died), "{card}");
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&html).contains("il disait : Error: a &lt;b&gt;\n"), "{}", read(&html));
    assert!(read(&junit).contains("il disait : Error: a &lt;b&gt;\n"), "{}", read(&junit));
    assert!(read(&json).contains("an error; it said: Error: a <b>\\n"), "{}", read(&json));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("affichage des positions, à l'octet près : 2,5 sur 10\n"), "{told}");
    assert!(told.contains("arrêts : sh ") && !told.contains(" of "), "{told}");
}

#[test]
fn no_answer_of_a_program_that_sleeps_is_asked_for_again() {
    let uttt = std::path::Path::new(env!("CARGO_BIN_EXE_referee")).with_file_name("uttt");
    if !uttt.exists() {
        println!("skipped: uttt is not built");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // A position's second answer would be a better one.
    let script = "cd FOLDER; case $1 in p|a) exec UTTT \"$@\";; esac
        mkdir $1 2>/dev/null || exec UTTT --nodes 100000 $1
        sleep 0.3; exec UTTT --nodes 1 $1";
    let script = script.replace("FOLDER", &folder.path().display().to_string());
    let player = format!("{} sh", shell(&script.replace("UTTT", &uttt.display().to_string())));
    let card = stdout(&["mark", "uttt", "--player", &player, "--quick", "--sandbox", "off"]);
    assert!(points(&card, "the best move near the end").0 < 30.0, "{card}");
    assert!(!card.contains("asked again"), "{card}");
}

#[test]
fn a_gounki_program_that_does_not_judge_is_found_out() {
    let Some(player) = python("gounki.py") else { return };
    let mark =
        |more: [&str; 2]| stdout(&["mark", "gounki", "--player", &player, "--quick", more[0], more[1]]);
    let card = mark(["--concurrency", "1"]);
    assert_eq!(card, mark(["--concurrency", "4"]), "the marks depend on the games at once");
    assert!(card.contains("\nmarked by referee ") && card.contains(", seed 1, quick, on "), "{card}");
    assert_eq!(points(&card, "plays legal games"), (1.0, 1.0), "{card}");
    assert!(points(&card, "impossible move").0 < 1.0, "{card}");
    assert!(card.contains("was not refused"), "{card}");
}

#[test]
fn the_maze_and_othello_have_cards_too() {
    let Some(player) = python("moules.py") else { return };
    let card = stdout(&["mark", "moules", "--player", &player, "--quick"]);
    assert_eq!(points(&card, "the championship").1, 24.0, "{card}");
    let Some(player) = python("othello.py") else { return };
    let card = stdout(&["mark", "othello", "--player", &player, "--quick", "--depth", "1"]);
    assert_eq!(points(&card, "the tournament").1, 10.0, "{card}");
    assert!(card.contains("sum of the discs: "), "{card}");
}

#[test]
fn a_program_that_hangs_is_asked_a_few_questions_only() {
    // It never answers: each of the 58 questions and games would be waited for to its limit.
    let began = std::time::Instant::now();
    let arguments = ["--quick", "--time", "50", "--start-up", "0.5"];
    let card = stdout(&[&["mark", "connect5", "--player", "sleep 600"], &arguments[..]].concat());
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    assert_eq!(points(&card, "A. respect"), (0.0, 2.0), "{card}");
    assert_eq!(points(&card, "C. the tournament"), (0.0, 5.0), "{card}");
    assert_eq!(card.matches("the rest was not asked: it hangs").count(), 3, "{card}");
    // It begins a game and hangs at its first move: all games are lost, three of them by playing.
    let card = stdout(&[&["mark", "othello", "--player", "cat"], &arguments[..]].concat());
    assert_eq!(points(&card, "the tournament"), (0.0, 10.0), "{card}");
    assert!(card.contains("sum of the discs: -384"), "{card}");
    // Each fault once: those that were seen, and those that were not asked for.
    let faults = ["    3 × slow start: ", "    3 × hang: "].map(|line| card.matches(line).count());
    assert_eq!((faults, card.matches(" × hang").count()), ([1, 1], 1), "{card}");
}

#[test]
fn a_class_is_marked_into_the_gradebook_and_goes_on_where_it_was() {
    let Some(player) = python("uttt.py") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let class = format!(
        "[[player]]\nname = \"Ana\"\ncommand = \"{player}\"\n\n[[player]]\nname = \"Bo\"\ncommand = \"sh -c 'kill -9 $$'\"\n\n[[player]]\nname = \"Cy\"\ncommand = \"./cy/uttt\"\n"
    );
    std::fs::write(path("class.toml"), class).unwrap();
    let class = path("class.toml");
    let arguments = ["mark", "uttt", "--class", &class, "--quick", "--quiet", "--record", &path("cards")];
    let outputs = ["--csv", &path("class.csv"), "--json", &path("class.json"), "--html", &path("class.html")];
    let output = run(&[&arguments[..], &outputs].concat());
    // Bo's program crashed.
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "referee: crashed: Bo\n");
    let csv = std::fs::read_to_string(path("class.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("name,") && lines[0].ends_with(",total,of,crashes"), "{csv}");
    assert!(lines[1].starts_with("Ana,") && lines[1].ends_with(",0") && lines[2].starts_with("Bo,"), "{csv}");
    // Cy's program is not there: nothing of the same scale.
    let of = |line: &str| line.rsplit(',').nth(1).unwrap().to_owned();
    assert_eq!((of(lines[3]), lines[3]), (of(lines[1]), "Cy,0.0,0.0,0.0,0.0,0.0,80,0"), "{csv}");
    let page = std::fs::read_to_string(path("class.html")).unwrap();
    assert!(page.contains("it could not be marked: cannot start"), "{page}");
    assert!(page.contains("<section id='Ana'><h2>Ana</h2>"), "{page}");
    let cards: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path("class.json")).unwrap()).unwrap();
    assert_eq!(cards[1]["player"]["name"], "Bo");
    // Nobody is marked again.
    let before = std::fs::read_to_string(path("cards")).unwrap();
    assert_eq!(before.lines().count(), 3);
    let again = run(&[&arguments[..], &outputs].concat());
    assert_eq!(again.stdout, output.stdout);
    assert_eq!(std::fs::read_to_string(path("cards")).unwrap(), before);
}

#[test]
fn a_program_that_is_not_there_has_nothing_of_the_whole_scale_of_each_course() {
    for (game, scale) in [("connect5", 10), ("gounki", 8), ("moules", 24), ("othello", 10), ("uttt", 80)] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(path("c.csv"), "name,command\nCy,./cy/player\n").unwrap();
        let line = ["mark", game, "--quick", "--class", &path("c.csv"), "--csv", &path("out.csv")];
        let printed = stdout(&[&line[..], &["--language", "en"]].concat());
        let csv = std::fs::read_to_string(path("out.csv")).unwrap();
        assert!(csv.trim_end().ends_with(&format!(",0.0,{scale},0")), "{game}: {csv}");
        assert!(printed.contains(&format!("0.0 / {scale}")), "{printed}");
        // Every criterion has its French name, in the gradebook its own.
        let french = stdout(&[&line[..], &["--language", "fr"]].concat());
        assert_eq!(std::fs::read_to_string(path("out.csv")).unwrap(), csv);
        assert!(
            french.contains(&format!("0,0 / {scale}")) && french.contains("il n'a pas pu être noté : "),
            "{french}"
        );
        for (french, english) in french.lines().zip(printed.lines()).filter(|(_, line)| line.contains(" / "))
        {
            assert_ne!(
                french.rsplit_once("  ").unwrap().0.trim(),
                english.rsplit_once("  ").unwrap().0.trim()
            );
        }
    }
}

#[test]
fn crashes_of_connect5_outside_of_games_are_told() {
    // It plays the tournament's games, and dies at every question on another grid.
    let player = filler("[ $l = 12 ] || kill -9 $$");
    let output = run(&["mark", "connect5", "--player", &player, "--quick", "--time", "2000"]);
    let card = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{card}{told}");
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines.last().is_some_and(|line| line.starts_with("referee: crashed: sh -c")), "{told}");
    // A line for each criterion, as it is marked.
    let marked = lines.iter().filter(|line| line.contains(" of "));
    assert!(marked.count() == 3 && !told.contains('\u{1b}'), "{told}");
    assert!(card.contains("signal 9") && !card.contains(" × crash"), "{card}");
}

#[test]
fn cards_of_another_marking_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (bot, cards) = (folder.path().join("bot.sh"), folder.path().join("cards"));
    std::fs::write(&bot, "echo 0").unwrap();
    let player = format!("sh {}", bot.display());
    let cards = cards.to_string_lossy().into_owned();
    let mark = |game: &str, more: &[&str]| {
        let line = ["mark", game, "--player", &player, "--record", &cards];
        run(&[&line[..], more].concat())
    };
    let first = mark("uttt", &["--quick"]);
    assert!(first.status.success(), "{first:?}");
    assert_eq!(mark("uttt", &["--quick"]).stdout, first.stdout);
    let before = std::fs::read(&cards).unwrap();
    let refused = |game: &str, more: &[&str]| {
        let output = mark(game, more);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.lines().count() == 1, "{told}");
        assert_eq!(std::fs::read(&cards).unwrap(), before);
        told.split_once("cards holds another marking: ").unwrap_or_else(|| panic!("{told}")).1.to_owned()
    };
    assert_eq!(refused("gounki", &["--quick"]), "assignment uttt instead of gounki\n");
    assert_eq!(refused("uttt", &[]), "tests: a quick look instead of the whole scheme\n");
    assert_eq!(refused("uttt", &["--quick", "--seed", "2"]), "seed 1 instead of 2\n");
    for more in [["--time", "50"], ["--memory", "64"], ["--watchdog", "5"], ["--depth", "2"]] {
        assert!(refused("uttt", &[&["--quick"][..], &more].concat()).starts_with("limits: "));
    }
    assert!(refused("uttt", &["--quick", "--against", "builtin:first"]).starts_with("opponents [] instead"));
    std::fs::write(&bot, "echo 1").unwrap();
    assert!(refused("uttt", &["--quick"]).ends_with("bot.sh\" has changed\n"));
}

#[test]
fn a_name_in_latin_1_costs_nothing() {
    let (Some(connect5), Some(gounki), Some(moules)) =
        (python("connect5.py"), python("gounki.py"), python("moules.py"))
    else {
        return;
    };
    let card = |game: &str, player: &str| {
        let time: &[&str] = if game == "gounki" { &[] } else { &["--time", "1000"] };
        stdout(&[&["mark", game, "--quick", "--player", player], time].concat())
    };
    // A line of a team, a banner, and a complaint.
    let speaks = |program: &str, bytes: &str| {
        shell(&format!(
            "printf 'Zo{bytes} Dupont\\n'; printf '{bytes}t{bytes}\\n' >&2; exec {program} \"$@\""
        )) + " sh"
    };
    for bytes in ["\\303\\251", "\\351"] {
        let a = card("connect5", &speaks(&connect5, bytes));
        assert_eq!(points(&a, "A. respect"), (2.0, 2.0), "{bytes}: {a}");
        let b = card("gounki", &speaks(&gounki, bytes));
        assert_eq!(points(&b, "a person against the robot"), (1.0, 1.0), "{bytes}: {b}");
        assert_eq!(points(&b, "(-c)"), (1.0, 1.0), "{bytes}: {b}");
    }
    let folder = tempfile::tempdir().unwrap();
    let client = std::fs::read_to_string(moules.rsplit(' ').next().unwrap()).unwrap();
    let earned = ["latin-1", "utf-8"].map(|coding| {
        let path = folder.path().join(coding);
        let coded = client.replace("makefile(\"rw\")", &format!("makefile(\"rw\", encoding=\"{coding}\")"));
        assert!(coded != client);
        std::fs::write(&path, coded).unwrap();
        points(&card("moules", &format!("Zoé=python3 {}", path.display())), "the championship").0
    });
    assert!(earned[0] == earned[1] && earned[0] > 0.0, "{earned:?}");
}

/// A card of connect5 for a shell script.
fn connect5_card(player: &str) -> String {
    let output =
        run(&["mark", "connect5", "--player", player, "--quick", "--time", "2000", "--start-up", "2"]);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_the_courses_tool_lets_pass_is_a_remark() {
    let player = filler(":").replace("echo READY", "echo Ready").replace("echo \"$m\"", "echo \"$m 0 x\"");
    let card = connect5_card(&player);
    assert_eq!(points(&card, "A. respect"), (2.0, 2.0), "{card}");
    assert!(card.contains("remark: READY is not in capitals\n"), "{card}");
    assert!(card.contains("remark: more on the line of an answer than \"row column\" ("), "{card}");
    // The tool waits after a line that is more than the word.
    let card = connect5_card(&filler(":").replace("echo READY", "echo \"READY \""));
    assert_eq!(points(&card, "A. respect"), (0.0, 2.0), "{card}");
    assert!(card.contains("\"READY \" is not \"READY\" alone"), "{card}");
}

#[test]
fn the_tool_of_2020_waits_for_another_word() {
    let player = filler(":").replace("echo READY", "echo PRET");
    assert_eq!(points(&connect5_card(&format!("pret:{player}")), "A. respect"), (2.0, 2.0));
    let card = connect5_card(&player);
    assert_eq!(points(&card, "A. respect"), (0.0, 2.0), "{card}");
    assert!(card.contains("\"PRET\" is not \"READY\" alone"), "{card}");
}

#[test]
fn connect5_is_asked_in_one_process_as_the_course_does() {
    let card = connect5_card(&filler("n=$((n+1)); [ $n -lt 5 ] || exit 3"));
    assert_eq!(points(&card, "A. respect"), (0.2, 2.0), "{card}");
    assert!(card.contains("4 of 36 right\n    asked again, each in a fresh process: 5 of 5 right"), "{card}");
    assert!(card.contains("not asked: it had ended at question 5"), "{card}");
    let card = connect5_card(&filler("echo thinking"));
    assert!(points(&card, "A. respect").0 < 1.5, "{card}");
    assert!(card.contains("\"thinking\" is not \"row column\": it counts as 0 0"), "{card}");
}

/// Gounki in Python with `show(turn, text)` in place of the line that writes a move.
fn gounki_that_shows(folder: &std::path::Path, show: &str) -> Option<String> {
    let player = python("gounki.py")?;
    let source = std::fs::read_to_string(player.rsplit(' ').next()?).ok()?;
    let written = "print(f\"Coup {turn} : {text}\", flush=True)";
    assert!(source.contains(written) && source.contains("    colours, turn"));
    let board = "
def look(man):
    return \"  .\" if man is None else man[0].lower() + \"s\" * man[1] + \"r\" * man[2]


def show(men, turn, flush):
    for y in range(7, -1, -1):
        print(y + 1, *(f\"{look(men.get((x, y))):>5}\" for x in range(8)), flush=flush)
    print(\"  \", *(f\"{c:>5}\" for c in \"abcdefgh\"), flush=flush)
    print(turn, flush=flush)


def main():";
    let source = source
        .replace("\ndef main():", board)
        .replace(written, show)
        .replace("    colours, turn = \"BN\", 0", &format!("    colours, turn = \"BN\", 0\n    {show}"));
    let path = folder.join("shows.py");
    std::fs::write(&path, source).ok()?;
    Some(format!("python3 {}", path.display()))
}

#[test]
fn a_gounki_program_need_not_write_its_moves_nor_flush_its_boards() {
    for show in ["show(men, turn, True)", "show(men, turn, False)"] {
        let folder = tempfile::tempdir().unwrap();
        let Some(player) = gounki_that_shows(folder.path(), show) else { return };
        let card = stdout(&["mark", "gounki", "--player", &player, "--quick", "--watchdog", "20"]);
        assert_eq!(points(&card, "a person against the robot"), (1.0, 1.0), "{show}: {card}");
        assert_eq!(points(&card, "(-c)"), (1.0, 1.0), "{show}: {card}");
    }
}

/// The robot's man on h2 stays for long.
#[test]
fn an_example_in_a_prompt_is_no_move_of_a_gounki_program() {
    let folder = tempfile::tempdir().unwrap();
    let Some(shows) = gounki_that_shows(folder.path(), "show(men, turn, True)") else { return };
    for (nth, prompt) in ["h2-h3 > ", "Coup (ex : h2-h3) ?\\n"].into_iter().enumerate() {
        let source = std::fs::read_to_string(shows.rsplit(' ').next().unwrap()).unwrap();
        let reads = "        text = sys.stdin.readline()";
        assert!(source.contains(reads));
        let asks =
            format!("        if human:\n            print(\"{prompt}\", end=\"\", flush=True)\n{reads}");
        let path = folder.path().join(format!("asks{nth}.py"));
        let writes = "        turn += 1\n        print(text)";
        std::fs::write(&path, source.replace(reads, &asks).replace("        turn += 1", writes)).unwrap();
        let player = format!("python3 {}", path.display());
        let card = stdout(&["mark", "gounki", "--player", &player, "--quick", "--watchdog", "20"]);
        assert_eq!(points(&card, "a person against the robot"), (1.0, 1.0), "{prompt}: {card}");
        assert_eq!(points(&card, "(-c)"), (1.0, 1.0), "{prompt}: {card}");
    }
}

/// It plays a2-b3 at first.
#[test]
fn a_gounki_program_that_shows_its_search_is_judged_by_the_move_that_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let Some(shows) = gounki_that_shows(folder.path(), "print(text); show(men, turn, True)") else { return };
    let path = shows.rsplit(' ').next().unwrap();
    let source = std::fs::read_to_string(path).unwrap();
    let starts = "    print(text); show(men, turn, True)\n    while";
    let (chooses, play) = ("choose(men, colours[turn % 2])", "        play(men, text)");
    assert!(source.contains(starts) && source.contains(chooses) && source.contains(play));
    let thinks = "        if turn == 0 and not human:
            print(\"profondeur 1 : b2-b3\", flush=True)
            begin = __import__(\"time\").process_time()
            while __import__(\"time\").process_time() < begin + 4: pass\n";
    let source = source
        .replace(starts, "    show(men, turn, True)\n    while")
        .replace(play, &format!("{thinks}{play}"));
    std::fs::write(path, source).unwrap();
    let record = folder.path().join("run.jsonl");
    let (player, file) = (format!("a={shows}"), record.to_string_lossy().into_owned());
    let line =
        ["--a", &player, "--b", "b=builtin:first", "--games", "2", "--max-moves", "4", "--openings", "none"];
    stdout(&[&["match", "gounki", "--quiet", "--record", &file], &line[..]].concat());
    let all = games(&record);
    let first = all.iter().find(|game| game["names"][0] == "a").unwrap();
    assert_eq!((&first["moves"][0], all.len()), (&"a2-b3".into(), 2), "{first}");
}

#[test]
fn test_mode_is_judged_by_its_boards_where_it_always_ends_with_an_error() {
    let mark = |script: &str| {
        let player = format!("{} sh", shell(script));
        // It ends with an error in games, too.
        let output = run(&["mark", "gounki", "--player", &player, "--quick", "--quiet"]);
        String::from_utf8(output.stdout).unwrap()
    };
    // It judges nothing: an illegal move adds a board, too.
    let card = mark(
        "[ $1 = -t ] && { echo 'a b c d e f g h'; while read x; do echo 'a b c d e f g h'; done; }; exit 1",
    );
    assert_eq!(points(&card, "plays legal games"), (1.0, 1.0), "{card}");
    assert_eq!(points(&card, "impossible move").0, 0.0, "{card}");
    // Its output does not depend on the moves.
    let card = mark("i=0; while [ $i -lt 400 ]; do echo 'abcdefgh 12345678'; i=$((i+1)); done; exit 1");
    assert_eq!(points(&card, "plays legal games").0, 0.0, "{card}");
    assert_eq!(points(&card, "impossible move").0, 0.0, "{card}");
    assert!(card.contains("it refuses legal moves too"), "{card}");
    // It counts them.
    let card = mark(
        "[ $1 = -t ] || exit 1; n=0; while read x; do n=$((n+1)); echo abcdefgh; done; [ $n -le 2 ] || [ $n -gt 42 ] || exit 1",
    );
    assert_eq!(points(&card, "plays legal games"), (1.0, 1.0), "{card}");
    assert_eq!(points(&card, "impossible move").0, 0.0, "{card}");
    assert_eq!(points(&card, "invalid entry").0, 0.0, "{card}");
    assert!(card.contains("\"bonjour\": it refuses legal moves too"), "{card}");
    // It reads nothing.
    let card = mark("echo 1");
    assert_eq!(points(&card, "plays legal games").0, 0.0, "{card}");
    assert!(card.contains("it writes the same for other moves, and refuses none"), "{card}");
    // It shows nothing, but judges.
    let card = mark("[ $1 = -t ] && ! grep -q bonjour");
    assert_eq!(points(&card, "plays legal games"), (1.0, 1.0), "{card}");
}

#[test]
fn a_program_that_prints_nothing_is_asked_for_its_buffer() {
    let card = stdout(&[
        "mark",
        "gounki",
        "--player",
        &shell("while read x; do :; done"),
        "--quick",
        "--watchdog",
        "1",
    ]);
    assert!(card.contains("it printed nothing: is its output flushed?"), "{card}");
}
