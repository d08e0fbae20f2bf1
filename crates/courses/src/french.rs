//! French for pages: faults, settings and errors of readers, which all tools write in English.

#[cfg(feature = "marking")]
mod marks;

use crate::assignment::Phrase;
use crate::drawing::Language;
use crate::fault::Kind;
use crate::registry;

/// Phrases of all games. Of several at the same place the longest counts.
const FRENCH: [Phrase; 164] = [
    // A run.
    ("no faults", "aucune faute"),
    ("solved from", "résolu dès"),
    ("solved with", "résolu avec"),
    ("ranked as the course does", "classement du cours"),
    ("ms", "ms"),
    ("empty squares", "cases vides"),
    ("openings", "ouvertures"),
    ("the game's openings", "ouvertures du jeu"),
    ("games are distinct", "parties sont distinctes"),
    ("repeated games add nothing to Elo", "les parties répétées n'ajoutent rien à l'Elo"),
    ("repeated games add nothing to TrueSkill", "les parties répétées n'ajoutent rien au TrueSkill"),
    ("depth", "profondeur"),
    ("turns", "tours"),
    ("faults", "fautes"),
    ("fault", "faute"),
    ("programs", "programmes"),
    ("builds", "constructions"),
    ("interrupted", "interrompu"),
    ("the referee was stopped for", "l'arbitre a été arrêté pendant"),
    ("it is void and is done again", "cela ne compte pas et est refait"),
    (
        "another referee builds the work of this class: waiting for it",
        "un autre arbitre construit les travaux de cette classe : on l'attend",
    ),
    ("of", "sur"),
    // Faults.
    ("illegal move", "coup illégal"),
    ("time loss", "perte au temps"),
    ("slow start", "démarrage trop lent"),
    ("protocol error", "faute de protocole"),
    ("output flood", "flot de sortie"),
    ("tried to open the network", "a essayé d'ouvrir le réseau"),
    ("tried to write outside its scratch folder", "a essayé d'écrire hors de son dossier temporaire"),
    ("crash", "arrêt"),
    ("hang", "silence"),
    ("it does not read its input", "il ne lit pas son entrée"),
    ("no answer", "pas de réponse"),
    ("it printed nothing: is its output flushed?", "il n'a rien écrit : vide-t-il sa sortie (flush) ?"),
    ("the end of its line is missing", "il manque la fin de ligne"),
    ("before the next question: a second answer", "avant la question suivante : une seconde réponse"),
    ("was answered", "a eu pour réponse"),
    ("no empty line after", "pas de ligne vide après"),
    ("it ended with exit code", "il s'est arrêté, code de sortie"),
    ("it ended with signal", "il s'est arrêté, signal"),
    ("it ended before it connected", "il s'est arrêté avant de se connecter"),
    ("it did not connect", "il ne s'est pas connecté"),
    ("the connection to", "la connexion avec"),
    ("is closed", "est fermée"),
    ("but it still runs", "mais il tourne encore"),
    ("it said", "il disait"),
    ("cannot start", "impossible de lancer"),
    // Files and starts.
    ("the folder is full", "le dossier est plein"),
    ("the file cannot be read", "le fichier ne peut pas être lu"),
    (
        "another program removed, replaced or changed it",
        "un autre programme l'a supprimé, remplacé ou modifié",
    ),
    ("no such game", "ce jeu n'existe pas"),
    ("no player is named", "aucun joueur ne s'appelle"),
    ("a start has at most", "un départ a au plus"),
    ("a grid has at most", "une grille a au plus"),
    ("cells here", "cases ici"),
    ("is no size", "n'est pas une taille"),
    ("moves: a game has at most", "coups : une partie a au plus"),
    ("here", "ici"),
    ("records", "parties"),
    ("bytes", "octets"),
    (
        "neither a record file, a maze's journal, nor GGF, SGF, PSQ or PGN",
        "ni un fichier de parties, ni un journal de labyrinthe, ni GGF, SGF, PSQ ou PGN",
    ),
    ("names no game:", "ne nomme aucun jeu :"),
    ("the game that begins here is not closed", "la partie qui commence ici ne finit pas"),
    ("expected a property such as PB[name], found", "propriété attendue, comme PB[nom], et non"),
    ("a stone that is set up", "une pierre posée d'avance"),
    ("lies outside the", "est en dehors de la grille"),
    (
        "PL: the colour with fewer stones moves, black where both have as many",
        "PL : c'est à la couleur qui a le moins de pierres, à noir si elles en ont autant",
    ),
    ("is taken", "est déjà occupée"),
    ("is not gomoku, GM[4]", "n'est pas du gomoku, GM[4]"),
    (
        "unknown character set; expected one such as UTF-8, ISO-8859-1, Big5, GBK or Shift_JIS",
        "jeu de caractères inconnu ; par exemple UTF-8, ISO-8859-1, Big5, GBK ou Shift_JIS",
    ),
    ("the file has no games", "le fichier ne contient aucune partie"),
    ("an empty file", "un fichier vide"),
    ("moves after the end of the game", "des coups après la fin de la partie"),
    ("the game is over", "la partie est finie"),
    // Endings.
    ("resigned", "abandon"),
    ("it resigned", "il abandonne"),
    ("it resigned where a move was asked for", "il abandonne quand un coup est demandé"),
    ("both say that it is level", "les deux disent que c'est égal"),
    ("for a move of", "pour un coup de"),
    ("every board is closed", "tous les plateaux sont fermés"),
    ("the grid is full", "la grille est pleine"),
    ("exactly five of", "exactement cinq de"),
    ("leaves the board", "sort du plateau"),
    ("has captured everything", "a tout pris"),
    ("moves without a capture or an advance", "coups sans prise ni avance"),
    ("in this position", "dans cette position"),
    ("is no command", "n'est pas une commande"),
    ("is no move", "n'est pas un coup"),
    ("turn", "tour"),
    ("no answer for", "pas de réponse pendant"),
    ("or more", "ou plus"),
    ("lines without an answer", "lignes sans réponse"),
    ("no move to choose from", "aucun coup à choisir"),
    ("is outside the board", "est hors du plateau"),
    ("is outside the grid", "est hors de la grille"),
    ("is outside the", "est hors de la grille"),
    ("is on a stone", "est sur une pierre"),
    ("it must pass", "il doit passer"),
    ("null although there is a move", "null alors qu'il y a un coup"),
    ("although there is no move", "alors qu'il n'y a pas de coup"),
    ("was answered a second time", "a eu une seconde réponse"),
    ("it ended with", "il s'est arrêté avec"),
    ("exit code", "le code de sortie"),
    ("no error", "sans erreur"),
    ("an error", "une erreur"),
    ("signal", "le signal"),
    ("before its first move", "avant son premier coup"),
    ("not asked", "pas interrogé"),
    ("it hung before", "il s'était tu avant"),
    ("did not listen on port", "n'a pas écouté le port"),
    ("turns each", "tours chacun"),
    ("wins", "gagne"),
    // Readers.
    ("is no legal cell", "n'est pas une case permise"),
    ("is no free cell", "n'est pas une case libre"),
    ("is no point", "n'est pas un point"),
    ("two letters expected, the column and the row", "deux lettres sont attendues, la colonne et la ligne"),
    ("is neither", "n'est ni"),
    ("nor", "ni"),
    ("of the board is", "du plateau est"),
    ("which stands for nothing", "qui n'a pas de sens ici"),
    ("holds", "contient"),
    ("for a grid of", "pour une grille de"),
    ("expected two numbers with an x between, such as", "il faut deux nombres séparés par un x, comme"),
    ("cells together", "cases ensemble"),
    ("a game record begins with", "une partie commence par"),
    ("and ends with", "et finit par"),
    ("EOF while parsing an object", "le texte finit trop tôt"),
    ("missing field", "il manque"),
    ("at line", "à la ligne"),
    ("column", "colonne"),
    ("blanc", "blanc"),
    ("noir", "noir"),
    ("white", "blanc"),
    ("black", "noir"),
    ("players", "joueurs"),
    ("to", "à"),
    ("has", "a"),
    ("is not legal", "n'est pas légal"),
    ("expected a number", "il faut un nombre"),
    ("expected a square from", "case attendue, de"),
    ("the board has", "le plateau a"),
    ("the side to move is", "le trait est"),
    ("may not play", "ne peut pas jouer"),
    ("has a move and may not pass", "a un coup et ne peut pas passer"),
    ("is not a decimal integer", "n'est pas un entier décimal"),
    ("has more than", "a plus de"),
    ("has at most", "a au plus"),
    ("is not", "n'est pas"),
    ("from the edge", "du bord"),
    ("both sides must be odd and at least", "les deux côtés doivent être impairs et d'au moins"),
    ("expected", "attendu"),
    ("characters", "caractères"),
    ("line", "ligne"),
    ("move", "coup"),
    ("row", "ligne"),
    ("cell", "case"),
    ("cells", "cases"),
    ("rows", "lignes"),
    ("columns", "colonnes"),
    ("games", "parties"),
    ("game", "partie"),
    ("found", "trouvé"),
    ("and", "et"),
    ("or", "ou"),
];

/// Marks that end a clause, with their French form.
const MARKS: [(&str, &str); 3] = [(": ", " : "), ("; ", " ; "), (" · ", " · ")];

/// Phrases before a name.
const NAMING: [&str; 4] =
    ["openings", "no player is named", "cannot start", "every point but half of those against"];

/// Plurals that agree with the count before them.
const COUNTED: [&str; 12] = [
    "parties",
    "positions",
    "coups",
    "cases",
    "lignes",
    "colonnes",
    "tours",
    "fautes",
    "joueurs",
    "points",
    "programmes",
    "constructions",
];

/// Returns a text in French. A clause with an unknown English word stays English as a whole, and quoted words stay.
#[must_use]
pub fn french(text: &str) -> String {
    let own = phrases();
    if let Some((before, words)) = text.split_once("it said: ") {
        return format!("{}il disait : {words}", clauses(before, &own));
    }
    if let Some(said) = text.strip_prefix("against ").and_then(score) {
        return said;
    }
    // Names of players are any text.
    let before = |end: &str| text.strip_suffix(end).filter(|name| !["", "it"].contains(name));
    if let Some(name) = before(" resigned") {
        return format!("abandon de {name}");
    }
    if let Some(name) = before(" wins").and_then(|name| name.strip_prefix("both say that ")) {
        return format!("les deux disent que {name} gagne");
    }
    let lost = |kind: &Kind| text.strip_prefix(kind.name())?.strip_prefix(" of ");
    if let Some((kind, name)) = Kind::ALL.iter().find_map(|kind| Some((kind, lost(kind)?))) {
        return format!("{} de {name}", clauses(kind.name(), &own));
    }
    clauses(text, &own)
}

/// Returns a text that all tools write in English, in a language.
#[must_use]
pub fn say(text: &str, language: Language) -> String {
    match language {
        Language::French => french(text),
        Language::English => text.to_owned(),
    }
}

/// Returns the phrases of the games. Their programs have the same names in both languages.
fn phrases() -> Vec<Phrase> {
    let games = registry::all();
    let mut own: Vec<Phrase> =
        games.iter().flat_map(|game| game.assignment().phrases().iter().copied()).collect();
    own.extend(games.iter().flat_map(|game| game.assignment().programs()).map(|name| (*name, *name)));
    #[cfg(feature = "marking")]
    {
        own.extend(marks::PHRASES);
        let schemes = games.iter().filter_map(|game| game.assignment().marking());
        own.extend(schemes.flat_map(|scheme| scheme.phrases()));
    }
    own
}

/// Returns the games won, drawn and lost against a player, whose name is any text.
fn score(text: &str) -> Option<String> {
    let (name, results) = text.rsplit_once(": ")?;
    let mut said = format!("contre {name}");
    let mut results = results.split(", ");
    for ((english, french), before) in
        [("won", "gagnée"), ("drawn", "nulle"), ("lost", "perdue")].into_iter().zip([" : ", ", ", ", "])
    {
        let count: u64 = results.next()?.strip_suffix(english)?.trim().parse().ok()?;
        said += &format!("{before}{count} {french}{}", if count > 1 { "s" } else { "" });
    }
    results.next().is_none().then_some(said)
}

/// Returns a French phrase in the number of the count before it: singular below 2.
fn agreed(to: &str, before: &str) -> String {
    let counted = before.strip_suffix(' ').unwrap_or_default();
    let digits = counted.rsplit([' ', '/']).next().unwrap_or_default();
    let Ok(count) = digits.parse::<f64>() else { return to.to_owned() };
    let (noun, rest) = to.split_at(to.find(' ').unwrap_or(to.len()));
    match noun.strip_suffix('s') {
        _ if noun == "juste" && count >= 2.0 => format!("justes{rest}"),
        Some(singular) if count < 2.0 && COUNTED.contains(&noun) => format!("{singular}{rest}"),
        _ => to.to_owned(),
    }
}

/// A clause in both languages, while it is read.
#[derive(Default)]
struct Clause {
    english: String,
    french: String,
    is_said: bool,
    is_unknown: bool,
}

impl Clause {
    fn push(&mut self, from: &str, to: &str) {
        self.english.push_str(from);
        self.french.push_str(to);
    }

    fn is_french(&self) -> bool {
        self.is_said && !self.is_unknown
    }

    /// Moves the clause to the end of `said`.
    fn finish(&mut self, said: &mut String) {
        let clause = std::mem::take(self);
        if clause.is_french() {
            said.push_str(&with_commas(&clause.french));
        } else {
            said.push_str(&clause.english);
        }
    }
}

/// Returns a text with decimal commas in its times, shares and points.
fn with_commas(text: &str) -> String {
    let is_time = |rest: &str| {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        after.len() < rest.len()
            && [" ms", " s", " %", " point", " sur"].iter().any(|unit| after.starts_with(unit))
    };
    let point = |at: usize| text[..at].ends_with(|c: char| c.is_ascii_digit()) && is_time(&text[at + 1..]);
    text.char_indices().map(|(at, c)| if c == '.' && point(at) { ',' } else { c }).collect()
}

/// Replaces phrases of whole words, clause by clause. French words are not replaced again.
fn clauses(text: &str, own: &[Phrase]) -> String {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (mut said, mut clause) = (String::new(), Clause::default());
    let mut before = None;
    let mut is_name = false;
    // A mark is French beside a French clause.
    let mut mark: Option<Phrase> = None;
    let mut was_french = false;
    let mut close = |said: &mut String, clause: &mut Clause, next: Option<Phrase>| {
        let is_french = clause.is_french();
        if let Some((from, to)) = mark {
            said.push_str(if was_french || is_french { to } else { from });
        }
        clause.finish(said);
        (mark, was_french) = (next, is_french);
    };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let fits = |&&(from, _): &&Phrase| {
            let begins = !(is_word(before) && is_word(Some(first)));
            let ends = |after: &str| {
                let number = after.trim_start().starts_with(|c: char| c.is_ascii_digit());
                !(is_word(from.chars().last()) && is_word(after.chars().next())) && (from != "of" || number)
            };
            begins && rest.strip_prefix(from).is_some_and(ends)
        };
        let longest = FRENCH.iter().chain(own).filter(fits).max_by_key(|(from, _)| from.len());
        let taken = if let Some(&(from, to)) = longest.filter(|_| !is_name) {
            clause.is_said |= from != to;
            let to = agreed(to, &clause.french);
            clause.push(from, &to);
            is_name = NAMING.contains(&from);
            from.len()
        } else if let Some(&next) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark)) {
            close(&mut said, &mut clause, Some(next));
            is_name = false;
            next.0.len()
        } else {
            let word = rest.find(|c: char| c.is_whitespace() || "\",;:()?".contains(c)).unwrap_or(rest.len());
            let length = match first {
                '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                _ if is_word(Some(first)) && !is_word(before) => word,
                _ => first.len_utf8(),
            };
            let word = rest[..length].trim_end_matches(['.', '\'']);
            let is_english = word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'');
            clause.is_unknown |= is_english && !is_name && before != Some('\'');
            is_name &= !is_word(Some(first));
            clause.push(&rest[..length], &rest[..length]);
            length
        };
        before = rest[..taken].chars().last();
        rest = &rest[taken..];
    }
    close(&mut said, &mut clause, None);
    said
}

#[cfg(test)]
mod tests;
