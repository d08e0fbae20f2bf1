//! The pages of the folder: those of the arena, with scripts that answer their requests in the browser.

use anyhow::{Context as _, Result, ensure};
use arena::view::{self, Home, Visitor, Wish};
use courses::drawing::Language;
use courses::fault::excerpt;
use courses::registry::{self, Game};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use wire::checksum;

/// The scripts of this page. `wire.js` and `streams.js` stand in for the arena's.
const SCRIPTS: [(&str, &str); 14] = [
    ("app.js", include_str!("../assets/app.js")),
    ("choose.js", include_str!("../assets/choose.js")),
    ("games.js", include_str!("../assets/games.js")),
    ("home.js", include_str!("../assets/home.js")),
    ("kept.js", include_str!("../assets/kept.js")),
    ("local.js", include_str!("../assets/local.js")),
    ("module.js", include_str!("../assets/module.js")),
    ("open.js", include_str!("../assets/open.js")),
    ("play.js", include_str!("../assets/play.js")),
    ("streams.js", include_str!("../assets/streams.js")),
    ("wire.js", include_str!("../assets/wire.js")),
    ("worker.js", include_str!("../assets/worker.js")),
    ("workers.js", include_str!("../assets/workers.js")),
    ("static.css", include_str!("../assets/static.css")),
];

/// The icons of the application.
const ICONS: [(&str, &[u8]); 2] = [
    ("icon-192.png", include_bytes!("../assets/icon-192.png")),
    ("icon-512.png", include_bytes!("../assets/icon-512.png")),
];

/// The policy for a browser: it loads only what the folder holds.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
                      img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      form-action 'self'; base-uri 'none'";

/// A page of one language.
#[derive(Clone, Copy)]
enum Page {
    Home,
    Play,
    Open,
    Puzzles,
    Search,
    Setup,
}

impl Page {
    const ALL: [Self; 6] = [Self::Home, Self::Play, Self::Open, Self::Puzzles, Self::Search, Self::Setup];

    fn file(self) -> &'static str {
        match self {
            Self::Home => "index.html",
            Self::Play => "play.html",
            Self::Open => "open.html",
            Self::Puzzles => "puzzles.html",
            Self::Search => "search.html",
            Self::Setup => "setup.html",
        }
    }

    /// Returns the address in links: a folder's first page has none.
    fn address(self) -> &'static str {
        if matches!(self, Self::Home) { "" } else { self.file() }
    }

    fn script(self) -> &'static str {
        match self {
            Self::Home => "home.js",
            Self::Play => "play.js",
            Self::Open => "open.js",
            Self::Puzzles => "puzzles.js",
            Self::Search => "thinking.js",
            Self::Setup => "setup.js",
        }
    }

    fn title(self, language: Language) -> &'static str {
        match self {
            Self::Home => language.choose("Cinq jeux", "Five games"),
            Self::Play => language.choose("Partie", "Game"),
            Self::Open => language.choose("Revoir", "Replay"),
            Self::Puzzles => language.choose("Problèmes", "Puzzles"),
            Self::Search => language.choose("Voir la recherche penser", "See the search think"),
            Self::Setup => language.choose("Composer une position", "Set up a position"),
        }
    }

    /// Returns what stands below the head of the arena's page, on which the `absent` games cannot be chosen.
    fn body(self, language: Language, absent: &[Game]) -> Result<String> {
        let visitor = Visitor { language, token: Some(String::new()), path: "/".to_owned(), is_run: false };
        let page = match self {
            Self::Home => view::home(&visitor, &Home { absent, ..Home::default() }, &Wish::default()),
            Self::Play => view::room(&visitor, "", "", "", ""),
            Self::Open => view::open(&visitor, &[]),
            Self::Puzzles => view::puzzles::puzzles(&visitor),
            Self::Search => view::thinking::page(&visitor),
            Self::Setup => view::setup::page(&visitor),
        };
        let body = page.split_once("</header>").and_then(|(_, rest)| rest.split_once("</body>"));
        let (body, _) = body.context("a page of the arena has a header and a body")?;
        // A game is named by its script, once it is open.
        let body = body.replace("data-room=\"\"", "");
        let body = absent.iter().fold(body, |body, game| {
            let option = format!("<option value=\"{}\"", game.name());
            body.replace(&option, &format!("{option} disabled"))
        });
        Ok(body
            .replace("href=\"/puzzles?", "href=\"puzzles.html?")
            .replace("href=\"/setup?", "href=\"setup.html?"))
    }
}

/// Returns the text of a script.
fn script(name: &str) -> Option<&'static str> {
    // This page's `wire.js` and `streams.js` come before the arena's.
    SCRIPTS.into_iter().chain(view::SCRIPTS).find(|(of, _)| *of == name).map(|(_, text)| text)
}

/// Returns the links that load the imports of a script at once, instead of one after the other.
fn preloads(first: &'static str) -> String {
    let text = |name: &str| script(name).unwrap_or_default();
    let names = view::imports(&[first], text, &[" from './", "import './", "import('./"]);
    names.iter().map(|name| format!("<link rel=\"modulepreload\" href=\"../{name}\">")).collect()
}

/// Returns the place for the list of the games that the browser keeps, with the games' titles for its script.
fn kept(language: Language, title: &str) -> String {
    let titles = registry::all().into_iter().map(|game| (game.name(), game.title(language).into()));
    let titles = Value::Object(titles.map(|(name, title)| (name.to_owned(), title)).collect());
    let titles = titles.to_string().replace('"', "&quot;");
    format!(
        "<section id=\"kept\" class=\"home lists\" data-titles=\"{titles}\" hidden><h2>{title}</h2><ul></ul></section>"
    )
}

/// Returns a page of the folder.
fn page(page: Page, language: Language, absent: &[Game]) -> Result<String> {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let lang = say("fr", "en");
    let current = |of: &str| if of == lang { " aria-current=\"true\"" } else { "" };
    let after = match page {
        Page::Home => format!(
            "{}<p class=\"store\">{} <button type=\"button\" id=\"export\">{}</button> \
             <label>{} <input type=\"file\" id=\"import\" accept=\".json\"></label> <span id=\"taken\" role=\"status\"></span></p>",
            kept(language, say("Parties", "Games")),
            say("Les parties restent dans ce navigateur.", "The games stay in this browser."),
            say("tout exporter", "export all"),
            say("reprendre un fichier", "take over a file"),
        ),
        Page::Play => format!(
            "<main id=\"gone\" class=\"notice\" hidden><h1>{}</h1><p>{}</p></main>",
            say("Cette partie n'existe plus", "This game is gone"),
            say(
                "Elle n'est pas gardée dans ce navigateur, ou son jeu n'a pas pu être chargé.",
                "It is not kept in this browser, or its game could not be loaded."
            ),
        ),
        Page::Open => kept(language, say("Vos parties", "Your games")),
        Page::Puzzles | Page::Search | Page::Setup => String::new(),
    };
    let (title, address, script, body) =
        (page.title(language), page.address(), page.script(), page.body(language, absent)?);
    let app = if matches!(page, Page::Puzzles | Page::Search | Page::Setup) {
        "<script type=\"module\" src=\"../app.js\"></script>"
    } else {
        ""
    };
    Ok(format!(
        "<!DOCTYPE html><html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"theme-color\" content=\"#1f6f4b\">\
         <title>{title} · Arena</title><link rel=\"icon\" href=\"../icon.svg\">\
         <link rel=\"apple-touch-icon\" href=\"../icon-192.png\"><link rel=\"manifest\" href=\"../{lang}.webmanifest\">\
         <link rel=\"stylesheet\" href=\"../style.css\"><link rel=\"stylesheet\" href=\"../static.css\">\
         {app}<script type=\"module\" src=\"../{script}\"></script>{preloads}</head><body>\
         <a class=\"skip\" href=\"#view\">{skip}</a><header><a class=\"brand\" href=\"./\">Arena</a>\
         <nav><a href=\"./\">{play}</a><a href=\"puzzles.html\">{puzzles}</a><a href=\"search.html\">{thinking}</a>\
         <a href=\"open.html\">{replay}</a></nav><span class=\"languages\">\
         <a href=\"../fr/{address}\" lang=\"fr\"{fr}>FR</a><a href=\"../en/{address}\" lang=\"en\"{en}>EN</a></span></header>\
         <p id=\"update\" hidden>{update} <button type=\"button\">{reload}</button></p>{body}{after}</body></html>",
        preloads = preloads(script),
        skip = say("aller au plateau", "skip to the board"),
        play = say("Jouer", "Play"),
        replay = say("Revoir", "Replay"),
        puzzles = say("Problèmes", "Puzzles"),
        thinking = say("Réflexion", "Thinking"),
        update = say("Une nouvelle version est prête.", "A new version is ready."),
        reload = say("la prendre", "take it"),
        fr = current("fr"),
        en = current("en"),
    ))
}

/// Returns the page that leads to one of the languages.
fn choice() -> String {
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Arena</title>\
         <link rel=\"icon\" href=\"icon.svg\"><link rel=\"stylesheet\" href=\"style.css\">\
         <script type=\"module\" src=\"choose.js\"></script></head><body><main class=\"home\"><h1>Arena</h1>\
         <p><a href=\"fr/\" lang=\"fr\">Cinq jeux</a> · <a href=\"en/\">Five games</a></p></main></body></html>"
    )
}

fn manifest(language: Language) -> String {
    let icon = |size: u32| json!({ "src": format!("icon-{size}.png"), "sizes": format!("{size}x{size}"), "type": "image/png" });
    let lang = language.code();
    json!({
        "id": "./",
        "lang": lang,
        "name": language.choose("Arena : cinq jeux", "Arena: five games"),
        "short_name": "Arena",
        "start_url": format!("{lang}/"),
        "scope": "./",
        "display": "standalone",
        "background_color": "#f4f2ee",
        "theme_color": "#1f6f4b",
        "icons": [icon(192), icon(512), { "src": "icon.svg", "sizes": "any", "type": "image/svg+xml" }],
    })
    .to_string()
}

/// Returns the files of the folder by their paths. `modules` are the games' modules, by game.
///
/// # Errors
/// If a page of the arena is not as expected.
pub fn files(modules: &[(String, Vec<u8>)]) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut absent = registry::all();
    absent.retain(|game| modules.iter().all(|(name, _)| name != game.name()));
    let mut files = BTreeMap::new();
    let mut add = |name: String, text: String| files.insert(name, text.into_bytes());
    for language in [Language::French, Language::English] {
        let lang = language.code();
        for one in Page::ALL {
            add(format!("{lang}/{}", one.file()), page(one, language, &absent)?);
        }
        add(format!("{lang}.webmanifest"), manifest(language));
    }
    add("index.html".to_owned(), choice());
    add("style.css".to_owned(), view::style());
    add("icon.svg".to_owned(), view::ICON.to_owned());
    for (name, text) in view::SCRIPTS {
        match name {
            "streams.js" => {}
            "wire.js" => drop(add("server.js".to_owned(), text.to_owned())),
            _ => drop(add(name.to_owned(), text.to_owned())),
        }
    }
    for (name, text) in SCRIPTS {
        add(name.to_owned(), text.to_owned());
    }
    let mut named = BTreeMap::new();
    for (game, bytes) in modules {
        // Another version has another name: a page never loads a module that it does not know.
        named.insert(game, format!("{game}-{:08x}.wasm", checksum(bytes) as u32));
    }
    add("modules.js".to_owned(), format!("export const modules = {};\n", json!(named)));
    for (name, bytes) in ICONS {
        files.insert(name.to_owned(), bytes.to_vec());
    }
    let worker = service_worker(&files);
    files.insert("sw.js".to_owned(), worker.into_bytes());
    for (game, bytes) in modules {
        files.insert(named[game].clone(), bytes.clone());
    }
    Ok(files)
}

/// Returns the service worker for these files.
fn service_worker(files: &BTreeMap<String, Vec<u8>>) -> String {
    let all: Vec<u8> = files.values().flatten().copied().collect();
    // A folder's first page is asked for by the folder.
    let addresses = files.keys().map(|name| name.strip_suffix("index.html").unwrap_or(name));
    let addresses: Vec<String> = addresses.map(|address| format!("./{address}")).collect();
    let mut text = String::new();
    let _ =
        writeln!(text, "const VERSION = '{:016x}';\nconst FILES = {};\n", checksum(&all), json!(addresses));
    text + include_str!("../assets/sw.js")
}

/// The largest module in bytes.
const LARGEST: u64 = 64 << 20;

/// Reads the modules of the games that the page plays.
///
/// # Errors
/// If a game is not known or given twice, or a module cannot be read.
pub fn read_modules(modules: &[(String, PathBuf)]) -> Result<Vec<(String, Vec<u8>)>> {
    let read = |(game, path): &(String, PathBuf)| -> Result<(String, Vec<u8>)> {
        ensure!(registry::find(game).is_some(), "no game is named \"{}\"", excerpt(game));
        let bytes = wire::text::read_bytes(path, LARGEST);
        let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
        Ok((game.clone(), bytes))
    };
    for (nth, (game, _)) in modules.iter().enumerate() {
        ensure!(modules[..nth].iter().all(|(other, _)| other != game), "{} is given twice", excerpt(game));
    }
    modules.iter().map(read).collect()
}

/// Writes the folder.
///
/// # Errors
/// Those of the system.
pub fn write(folder: &Path, modules: &[(String, Vec<u8>)]) -> Result<()> {
    for (name, bytes) in files(modules)? {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        }
        wire::file::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_module_that_is_no_file_too_long_or_of_no_game_is_refused() {
        let long = std::env::temp_dir().join(format!("static-page-refused-long-{}", std::process::id()));
        std::fs::File::create(&long).unwrap().set_len(LARGEST + 1).unwrap();
        for (game, path, message) in [
            ("othello", Path::new("/dev/zero"), "not a plain file"),
            ("othello", &long, "longer than"),
            ("chess", Path::new("/dev/null"), "no game is named \"chess\""),
        ] {
            let error = read_modules(&[(game.to_owned(), path.to_owned())]).unwrap_err();
            assert!(format!("{error:#}").contains(message), "{error:#}");
        }
        std::fs::remove_file(long).unwrap();
    }
}
