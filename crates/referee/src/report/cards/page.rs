//! The class on one page: a table that can be sorted, and a card for each program.

use super::{Gradebook, carried, games, text_of, total};
use crate::mark::Marked;
use crate::report::table::decimal;
use courses::drawing::{Language, escape, preformatted};
use courses::french::say;
use courses::play;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Other pages that the page of a class leads to, by their paths as seen from it.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// The folder with the pages of the games.
    pub games: Option<PathBuf>,
    /// The page of the class's tournament.
    pub tournament: Option<PathBuf>,
}

/// Returns the page.
#[must_use]
pub fn page(gradebook: &Gradebook<'_>, links: &Links) -> String {
    let (title, class, language) = (escape(gradebook.title), gradebook.marked, gradebook.language);
    let programs =
        play::counted(class.len() as u32, language, ["programme", "programmes"], ["program", "programs"]);
    let mut html = format!(
        "<!DOCTYPE html><html lang='{}'><head><meta charset='utf-8'><title>{title}{}{}</title>\
         <meta name='viewport' content='width=device-width'><style>{STYLE}</style></head>\
         <body><h1>{title}</h1><p>{programs}</p>",
        language.code(),
        language.colon(),
        language.choose("la classe", "the class"),
    );
    if let Some(tournament) = &links.tournament {
        let address = escape(&tournament.to_string_lossy());
        let name = language.choose("le tournoi de la classe", "the tournament of the class");
        let _ = write!(html, "<p><a href='{address}'>{name}</a></p>");
    }
    table(&mut html, class, language);
    let ids = ids(names_of(class));
    for (marked, id) in class.iter().zip(&ids) {
        section(&mut html, marked, id, links.games.as_deref(), language);
    }
    let _ = writeln!(html, "<script>{SCRIPT}</script></body></html>");
    html
}

/// Returns a distinct name for each program, for addresses and files: letters, figures and hyphens.
#[must_use]
pub fn ids<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let of = |name: &str| {
        let plain = name.chars().take(60);
        let plain: String = plain.map(|sign| if sign.is_alphanumeric() { sign } else { '-' }).collect();
        let mut id = plain.clone();
        let mut count = 1;
        // Some file systems do not tell capitals apart.
        while !taken.insert(id.to_lowercase()) {
            count += 1;
            id = format!("{plain}-{count}");
        }
        id
    };
    names.into_iter().map(of).collect()
}

fn names_of(class: &[Marked]) -> impl Iterator<Item = &str> {
    class.iter().map(|marked| marked.player.name.as_str())
}

/// Returns the name of the `nth` program, from 1, in a class without names.
#[must_use]
pub fn alias(nth: usize, language: Language) -> String {
    format!("{} {nth}", language.choose("programme", "program"))
}

/// The criteria that a program marks, in the order of the cards.
fn criteria(class: &[Marked]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for item in class.iter().flat_map(|marked| &marked.card.items).filter(|item| item.points.is_some()) {
        if !names.contains(&item.name.as_str()) {
            names.push(&item.name);
        }
    }
    names
}

fn table(html: &mut String, class: &[Marked], language: Language) {
    let (carried, criteria) = (carried(class), criteria(class));
    html.push_str("<div class='wide'><table class='class'><thead><tr>");
    let own = carried.iter().map(|column| (*column).to_owned());
    let names = criteria.iter().map(|name| say(name, language));
    let ends = match language {
        Language::French => ["points", "sur", "arrêts"],
        Language::English => ["points", "of", "crashes"],
    };
    let heads = [language.choose("nom", "name").to_owned()].into_iter().chain(own).chain(names);
    for head in heads.chain(ends.map(str::to_owned)) {
        let _ = write!(html, "<th aria-sort='none'><button type='button'>{}</button></th>", escape(&head));
    }
    html.push_str("</tr></thead><tbody>");
    for (marked, id) in class.iter().zip(ids(names_of(class))) {
        let (earned, of) = total(&marked.card);
        let _ = write!(html, "<tr><td><a href='#{id}'>{}</a></td>", escape(&marked.player.name));
        for column in &carried {
            let _ = write!(html, "<td>{}</td>", escape(text_of(marked, column)));
        }
        for name in &criteria {
            let item = marked.card.items.iter().find(|item| item.name == *name);
            let points = item.and_then(|item| item.points).map(|points| decimal(points, 1, language));
            let _ = write!(html, "<td class='n'>{}</td>", points.unwrap_or_default());
        }
        let (crashes, earned) = (marked.crashes, decimal(earned, 1, language));
        let _ = write!(
            html,
            "<td class='n'>{earned}</td><td class='n'>{of:.0}</td><td class='n'>{crashes}</td></tr>"
        );
    }
    html.push_str("</tbody></table></div>");
}

/// Adds the card of a program, and the links to its games.
fn section(html: &mut String, marked: &Marked, id: &str, folder: Option<&Path>, language: Language) {
    let name = escape(&marked.player.name);
    let card = preformatted(&marked.card.text(language));
    let _ = write!(html, "<section id='{id}'><h2>{name}</h2><pre>{card}</pre>");
    if let Some(folder) = folder.filter(|_| !marked.games.is_empty()) {
        html.push_str(language.choose("<p>Parties :", "<p>Games:"));
        let file = escape(&folder.join(format!("{id}.html")).to_string_lossy());
        for (nth, game) in marked.games.iter().enumerate() {
            let title = escape(&games::heading(game, language));
            let number = game.number + 1;
            let _ = write!(html, " <a href='{file}#g{nth}' title='{title}'>{number}</a>");
        }
        html.push_str("</p>");
    }
    html.push_str("</section>");
}

/// Returns the class without names: in the order of the points, numbered, without other columns. Where a card or a game
/// has the name, an entry of another column or the student's folder, it has the number instead.
#[must_use]
pub fn anonymous(class: &[Marked], language: Language) -> Vec<Marked> {
    let mut class = class.to_vec();
    // Not in the order of the class, which may be that of the names.
    let order = |marked: &Marked| (-10.0 * total(&marked.card).0) as i64;
    class.sort_by_cached_key(|marked| (order(marked), wire::checksum(marked.card.to_string().as_bytes())));
    for (nth, marked) in (1..).zip(&mut class) {
        let alias = alias(nth, language);
        let player = &marked.player;
        let folder = player.folder.iter().map(|path| path.display().to_string());
        let columns = player.columns.iter().map(|(_, text)| text.clone());
        let own = [player.command.clone(), player.name.clone()];
        let mut hidden: Vec<String> = folder.chain(own).chain(columns).collect();
        // A part of a name would hide more than it should.
        hidden.retain(|text| text.trim().chars().count() > 2);
        hidden.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let hide = |text: &mut String| {
            hidden.iter().for_each(|secret| *text = text.replace(secret.as_str(), &alias))
        };
        let name = player.name.clone();
        let card = &mut marked.card;
        // A short name is hidden where it stands alone.
        if let Some(title) = card.title.strip_suffix(&name) {
            card.title = format!("{title}{alias}");
        }
        hide(&mut card.title);
        card.items.iter_mut().flat_map(|item| &mut item.notes).chain(&mut card.refusals).for_each(hide);
        for game in &mut marked.games {
            game.names.iter_mut().filter(|of| **of == name).for_each(|of| of.clone_from(&alias));
            game.end = game.end.replace(&format!("{name}: "), &format!("{alias}: "));
            game.names.iter_mut().chain([&mut game.end]).for_each(hide);
        }
        marked.player = crate::mark::class::Entry::new(&alias, "");
    }
    class
}

#[cfg(test)]
mod tests {
    use super::super::tests::{book, class, marked};
    use super::*;
    use courses::marking::{Card, Item};

    fn class_of_one(name: &str) -> Vec<Marked> {
        let mut marked = marked(name, &[]);
        marked.card.title = format!("A course: {name}");
        vec![marked]
    }

    fn shown(class: &[Marked]) -> String {
        let links = Links { games: Some("games".into()), tournament: None };
        page(&book(class), &links)
    }

    #[test]
    fn a_page_leads_to_the_tournament_of_the_class() {
        let class = class(&[("Ana", &[])]);
        let links = Links { tournament: Some("l'an 1.html".into()), ..Links::default() };
        let page = page(&book(&class), &links);
        assert_eq!(page.matches("<a href='l&#39;an 1.html'>the tournament").count(), 1, "{page}");
        assert!(!shown(&class).contains("the tournament"));
    }

    #[test]
    fn a_row_has_the_columns_the_criteria_and_the_total() {
        let class = class(&[("Ana", &[("id", "007")]), ("Bo", &[])]);
        let page = shown(&class);
        let heads: Vec<&str> = page
            .split("<button type='button'>")
            .skip(1)
            .map(|rest| rest.split('<').next().unwrap())
            .collect();
        assert_eq!(heads, ["name", "id", "rules", "points", "of", "crashes"]);
        assert!(
            page.contains("<td>007</td><td class='n'>1.5</td><td class='n'>1.5</td><td class='n'>3</td>"),
            "{page}"
        );
        assert!(page.contains("<td>Bo</td>") || page.contains("Bo</a></td><td></td>"), "{page}");
    }

    #[test]
    fn a_page_keeps_the_lines_of_a_card_and_escapes_them() {
        let class = class(&[("A<b>", &[])]);
        let page = shown(&class);
        let pre = page.split_once("<pre>").unwrap().1.split_once("</pre>").unwrap().0;
        assert_eq!(pre.lines().count(), class[0].card.to_string().lines().count());
        assert!(pre.contains("a &lt;b&gt; ") && page.contains("<h2>A&lt;b&gt;</h2>"), "{page}");
    }

    #[test]
    fn names_that_look_alike_have_places_of_their_own() {
        let class = class(&[("Ana B", &[]), ("Ana-B", &[]), ("ANA.B", &[])]);
        assert_eq!(ids(names_of(&class)), ["Ana-B", "Ana-B-2", "ANA-B-3"]);
    }

    #[test]
    fn an_anonymous_page_names_nobody() {
        let mut first = marked("Ana Dupont", &[("id", "20007"), ("e-mail", "ana@x.org")]);
        first.player.command = "python3 /class/Ana-Dupont/bot.py".into();
        let notes = vec!["Ana Dupont 20007 ana@x.org: python3 /class/Ana-Dupont/bot.py".into()];
        first.card = Card::new(
            "A course: Ana Dupont".into(),
            vec![Item { name: "a".into(), points: Some(1.0), of: 2.0, notes }],
        );
        let class = [first, marked("Bo Li", &[("id", "20008")])];
        let hidden = anonymous(&class, Language::English);
        // The second has more points.
        assert_eq!(hidden.iter().map(|one| total(&one.card).0).collect::<Vec<_>>(), [1.5, 1.0]);
        let page = shown(&hidden);
        let short = anonymous(&class_of_one("Bo"), Language::English);
        assert_eq!(short[0].card.title, "A course: program 1");
        for secret in ["Ana", "Dupont", "20007", "x.org", "Bo Li", "20008"] {
            assert!(!page.contains(secret), "{secret}: {page}");
        }
        assert!(page.contains("A course: program 2") && page.contains(">program 1</a>"), "{page}");
    }
}
