//! The files of the folder.

use static_page::site::files;

#[test]
fn a_wrong_argument_is_told_apart_from_a_folder_that_cannot_be_written() {
    let place = std::env::temp_dir().join(format!("static-page-arguments-{}", std::process::id()));
    std::fs::create_dir(&place).unwrap();
    let module = place.join("module.wasm");
    std::fs::write(&module, "module").unwrap();
    let (folder, module) = (place.join("page"), module.to_str().unwrap());
    let ended = |folder: &std::path::Path, words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_static-page"));
        let output = command.arg(folder).args(words).output().unwrap();
        assert!(String::from_utf8(output.stderr).unwrap().lines().count() <= 1);
        output.status.code()
    };
    let (good, game) = (format!("uttt={module}"), format!("chess={module}"));
    for words in [&[&*game][..], &["uttt=/no/module"], &["uttt=/dev/zero"], &[&good, &good]] {
        assert_eq!(ended(&folder, words), Some(2), "{words:?}");
    }
    assert!(!folder.exists());
    assert_eq!(ended(&std::path::Path::new(module).join("page"), &[&good]), Some(1));
    assert_eq!(ended(&folder, &[&good]), Some(0));
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn every_address_of_a_page_is_a_file_of_the_folder_and_none_is_absolute() {
    let files = files(&[("uttt".to_owned(), b"module".to_vec())]).unwrap();
    let mut seen = 0;
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        let text = std::str::from_utf8(bytes).unwrap();
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        for address in text.split(" href=\"").chain(text.split(" src=\"")).skip(1) {
            let address = address.split(['"', '?', '#']).next().unwrap();
            if address.starts_with('<') || address.is_empty() {
                continue;
            }
            assert!(!address.starts_with('/') && !address.contains(':'), "{name}: {address}");
            let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
            for part in address.split('/') {
                match part {
                    ".." => drop(path.pop()),
                    "." | "" => {}
                    part => path.push(part),
                }
            }
            let mut path = path.join("/");
            if address.ends_with('/') {
                path = format!("{path}/index.html").trim_start_matches('/').to_owned();
            }
            assert!(files.contains_key(&path), "{name}: {address} leads to {path}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen} addresses");
}

#[test]
fn games_that_are_not_in_the_folder_cannot_be_chosen_and_say_so() {
    let files = files(&[("uttt".to_owned(), b"module".to_vec())]).unwrap();
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let home = text("en/index.html");
    let card = |game: &str| {
        let (_, card) = home.split_once(&format!("value=\"{game}\"")).unwrap();
        card.split("</label>").next().unwrap().to_owned()
    };
    let (here, absent) = (card("uttt"), card("othello"));
    assert!(here.starts_with(" checked") && here.contains("rules"), "{here}");
    assert!(absent.starts_with(" disabled") && absent.contains("not in this folder"), "{absent}");
    assert!(!absent.contains("rules"), "{absent}");
    let puzzles = text("fr/puzzles.html");
    assert!(
        puzzles.contains("<option value=\"othello\" disabled") && puzzles.contains("<option value=\"uttt\">")
    );
}

#[test]
fn games_that_are_kept_stand_on_the_first_page_and_on_replay() {
    let files = files(&[("uttt".to_owned(), b"module".to_vec())]).unwrap();
    for (page, title) in
        [("fr/open.html", "Vos parties"), ("en/open.html", "Your games"), ("en/index.html", "Games")]
    {
        let text = String::from_utf8(files[page].clone()).unwrap();
        let place = text.split("<section id=\"kept\"").nth(1).unwrap_or_else(|| panic!("{page}"));
        assert!(place.contains(&format!("hidden><h2>{title}</h2><ul></ul>")), "{page}: {place}");
        assert!(place.contains("&quot;othello&quot;:&quot;Othello&quot;"), "{page}: {place}");
        assert!(text.contains("href=\"../games.js\""), "{page} loads the list: {text}");
    }
}

#[test]
fn another_module_has_another_name_and_is_another_version() {
    let [one, other] = ["one", "other"].map(|text| files(&[("uttt".to_owned(), text.into())]).unwrap());
    let name = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        files.keys().find(|name| name.ends_with(".wasm")).cloned().unwrap()
    };
    assert_ne!(name(&one), name(&other));
    assert_ne!(one["sw.js"], other["sw.js"]);
    assert_eq!(one["en/index.html"], other["en/index.html"]);
}

#[test]
fn the_scripts_name_every_file_that_they_import() {
    let files = files(&[]).unwrap();
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".js")) {
        let text = std::str::from_utf8(bytes).unwrap();
        for import in text.split(" from './").chain(text.split("import './")).skip(1) {
            let import = import.split('\'').next().unwrap();
            assert!(!import.ends_with(".js") || files.contains_key(import), "{name} imports {import}");
        }
    }
}

#[test]
fn the_pages_load_all_their_scripts_at_once() {
    let files = files(&[]).unwrap();
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    for (page, own) in [("fr/index.html", "forms.js"), ("en/play.html", "board.js")] {
        for script in [own, "local.js", "modules.js", "server.js", "workers.js"] {
            let link = format!("<link rel=\"modulepreload\" href=\"../{script}\">");
            assert_eq!(text(page).matches(&link).count(), 1, "{page}: {script}");
        }
    }
}
