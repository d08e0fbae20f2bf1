//! French for pages: faults, settings and errors of readers, which all tools write in English.

use crate::assignment::Phrase;
use crate::registry;

/// Phrases of all games. Of several at the same place the longest counts.
const FRENCH: [Phrase; 114] = [
    // A run.
    ("no faults", "aucune faute"),
    ("solved from", "résolu dès"),
    ("empty squares", "cases vides"),
    ("openings", "ouvertures"),
    ("depth", "profondeur"),
    ("turns", "tours"),
    ("faults", "fautes"),
    ("of", "sur"),
    // Faults.
    ("illegal move", "coup illégal"),
    ("time loss", "perte au temps"),
    ("slow start", "démarrage trop lent"),
    ("protocol error", "faute de protocole"),
    ("output flood", "flot de sortie"),
    ("tried to open the network", "a essayé d'ouvrir le réseau"),
    ("tried to write outside its scratch folder", "a essayé d'écrire hors de son dossier temporaire"),
    ("crash:", "arrêt :"),
    ("crash", "arrêt"),
    ("hang:", "silence :"),
    ("hang", "silence"),
    ("it does not read its input", "il ne lit pas son entrée"),
    ("no answer", "pas de réponse"),
    ("it printed nothing: is its output flushed?", "il n'a rien écrit : vide-t-il sa sortie (flush) ?"),
    ("the end of its line is missing", "il manque la fin de ligne"),
    ("before the next question: a second answer", "avant la question suivante : une seconde réponse"),
    ("was answered", "a eu pour réponse"),
    ("no empty line after", "pas de ligne vide après"),
    ("it ended with exit code", "il s'est arrêté, code"),
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

/// Returns a text in French, as far as its phrases are known. Quoted words stay as they are.
#[must_use]
pub fn french(text: &str) -> String {
    let own: Vec<Phrase> =
        registry::all().into_iter().flat_map(|game| game.assignment().phrases().iter().copied()).collect();
    let parts = text.split('"').enumerate();
    let parts: Vec<String> =
        parts.map(|(nth, part)| if nth % 2 == 0 { phrases(part, &own) } else { part.to_owned() }).collect();
    parts.join("\"")
}

/// Replaces phrases of whole words. French words are not replaced again.
fn phrases(text: &str, own: &[Phrase]) -> String {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut said = String::new();
    let mut before = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let fits = |&(from, _): &(&str, &str)| {
            let begins = !(is_word(before) && is_word(Some(first)));
            let ends = |after: &str| !(is_word(from.chars().last()) && is_word(after.chars().next()));
            begins && rest.strip_prefix(from).is_some_and(ends)
        };
        let longest =
            FRENCH.iter().chain(own).filter(|phrase| fits(phrase)).max_by_key(|(from, _)| from.len());
        let (taken, word) =
            longest.map_or((first.len_utf8(), &rest[..first.len_utf8()]), |(from, to)| (from.len(), to));
        said.push_str(word);
        before = rest[..taken].chars().last();
        rest = &rest[taken..];
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_said_in_french_and_quotations_stay() {
        let setting = "25x17, 50 % dunes, 5 beers, 8 frites, 60 turns; openings x";
        let said = "25x17, 50 % dunes, 5 bières, 8 frites, 60 tours; ouvertures x";
        assert_eq!(french(setting), said);
        assert_eq!(french("11 of 48 games, no faults"), "11 sur 48 parties, aucune faute");
        assert_eq!(
            french("move 3: \"no answer\" is not legal here"),
            "coup 3: \"no answer\" n'est pas légal ici"
        );
        // The longest phrase counts, and only whole words.
        assert_eq!(french("moves after the end of the game"), "des coups après la fin de la partie");
        assert_eq!(french("an orchestra of throws, movement"), "an orchestra sur throws, movement");
        assert_eq!(french("crash: it ended with exit code 3"), "arrêt : il s'est arrêté, code 3");
    }
}
