//! Tests of the French words.

use super::*;

#[test]
fn phrases_are_said_in_french_and_quotations_stay() {
    let setting = "25x17, 50 % dunes, 5 beers, 8 frites, 60 turns; openings x";
    let said = "25x17, 50 % dunes, 5 bières, 8 frites, 60 tours ; ouvertures x";
    assert_eq!(french(setting), said);
    assert_eq!(french("11 of 48 games, no faults"), "11 sur 48 parties, aucune faute");
    assert_eq!(
        french("move 3: \"no answer\" is not legal here"),
        "coup 3 : \"no answer\" n'est pas légal ici"
    );
    // The longest phrase counts, and only whole words.
    assert_eq!(french("moves after the end of the game"), "des coups après la fin de la partie");
    assert_eq!(french("an orchestra of throws, movement"), "an orchestra of throws, movement");
    assert_eq!(french("crash: it ended with exit code 3"), "arrêt : il s'est arrêté, code de sortie 3");
}

#[test]
fn phrases_of_judges_and_games_are_said_whole_or_not_at_all() {
    for (english, wanted) in [
        ("every board is closed", "tous les plateaux sont fermés"),
        ("the grid is full", "la grille est pleine"),
        ("exactly five of N", "exactement cinq de N"),
        ("white leaves the board", "blanc sort du plateau"),
        ("black has captured everything", "noir a tout pris"),
        ("60 moves without a capture or an advance", "60 coups sans prise ni avance"),
        ("37-27, solved with 12 empty squares", "37-27, résolu avec 12 cases vides"),
        ("every mussel is taken", "toutes les moules sont prises"),
        ("both say that it is level", "les deux disent que c'est égal"),
        ("both say that the best wins", "les deux disent que the best gagne"),
        ("time loss of own", "perte au temps de own"),
        ("protocol error of one two", "faute de protocole de one two"),
        ("own resigned", "abandon de own"),
        ("time loss: 365.5 ms for a move of 300.0 ms", "perte au temps : 365,5 ms pour un coup de 300,0 ms"),
        ("hang: no answer", "silence : pas de réponse"),
        ("hang: no answer; it said: \"a move\"", "silence : pas de réponse ; il disait : \"a move\""),
        ("illegal move: \"3 3\" is on a stone", "coup illégal : \"3 3\" est sur une pierre"),
        ("depth 5; openings othello", "profondeur 5 ; ouvertures othello"),
        (
            "depth 5; openings moves; solved from 12 empty squares",
            "profondeur 5 ; ouvertures moves ; résolu dès 12 cases vides",
        ),
        ("« zz » n'est pas un code", "« zz » n'est pas un code"),
        ("cell 1 of the board is 'zz': X, O or - expected", "case 1 du plateau est 'zz' : X, O ou - attendu"),
        // Unknown words keep their clause English.
        ("every board is open", "every board is open"),
        ("crash: the move of the king", "arrêt : the move of the king"),
    ] {
        assert_eq!(french(english), wanted);
    }
    for kind in Kind::ALL {
        assert_ne!(french(kind.name()), kind.name());
    }
    // A player's words and its name are no phrases.
    assert_eq!(french("crash: it said: a move of the game"), "arrêt : il disait : a move of the game");
    #[cfg(feature = "marking")]
    for (english, said) in [
        (
            "found no Makefile, Cargo.toml, .java, .py or .sh file, and no single executable; hand in a Makefile that makes \"uttt\", or a script \"uttt.sh\" that starts it",
            "ni Makefile, ni Cargo.toml, ni fichier .java, .py ou .sh, ni un seul exécutable ; remettez un Makefile qui fait \"uttt\", ou un script \"uttt.sh\" qui le lance",
        ),
        (
            "several scripts, and none named joueur, main or tp",
            "plusieurs scripts, et aucun ne s'appelle joueur, main ou tp",
        ),
        (
            "compile.sh: a script beside sources to compile; expected a Makefile, or the name joueur",
            "compile.sh : un script à côté de sources à compiler ; il faut un Makefile, ou le nom joueur",
        ),
        (
            "A.java: no class has a method main; add one that speaks the course's protocol",
            "A.java : aucune classe n'a de méthode main ; ajoutez-en une qui parle le protocole du cours",
        ),
        (
            "several archives with sources: a.zip b.zip; hand in one",
            "plusieurs archives avec des sources : a.zip b.zip ; remettez-en une seule",
        ),
    ] {
        assert_eq!(french(english), said);
    }
    assert_eq!(
        french("against the best: 1 won, 0 drawn, 2 lost"),
        "contre the best : 1 gagnée, 0 nulle, 2 perdues"
    );
}

#[cfg(feature = "marking")]
#[test]
fn notes_of_cards_are_said_whole() {
    for (english, wanted) in [
        ("31 of 36 right", "31 sur 36 justes"),
        ("0 of 3 right", "0 sur 3 justes"),
        ("1 of 1 right", "1 sur 1 juste"),
        ("a 5 0: 1 position in 0.159 s", "a 5 0 : 1 position en 0,159 s"),
        ("level 1: 1 positions instead of 81", "niveau 1 : 1 position au lieu de 81"),
        ("0/1 games", "0/1 partie"),
        ("2/10 games", "2/10 parties"),
        (
            "printing positions, to the byte: 2.5 of 10",
            "affichage des positions, à l'octet près : 2,5 sur 10",
        ),
        (
            "asked again, each in a fresh process: 5 of 5 right; the course asks all in one process",
            "demandé à nouveau, chaque fois à un nouveau processus : 5 sur 5 justes ; le cours demande tout à un \
             seul processus",
        ),
        ("B1, image 3: d10 (2 3) is not among a8 (4 0)", "B1, image 3 : d10 (2 3) n'est pas parmi a8 (4 0)"),
        (
            "3 × protocol error: \"bonjour\" is not \"row column\": it counts as 0 0 (game 4)",
            "3 × faute de protocole : \"bonjour\" n'est pas \"ligne colonne\" : cela compte comme 0 0 (partie 4)",
        ),
        (
            "62.5 % of the points; the course gives 5 for play close to the best",
            "62,5 % des points ; le cours donne 5 pour un jeu proche du meilleur",
        ),
        (
            "a legal game of 40 moves ended with exit code 1, an error; it said: no move",
            "une partie légale de 40 coups a fini avec le code de sortie 1, une erreur ; il disait : no move",
        ),
        ("\"a2-\": killed by the watchdog", "\"a2-\" : arrêté par le chien de garde"),
        (
            "g7-g6 was not refused: exit code 0, no error",
            "g7-g6 n'a pas été refusé : le code de sortie 0, sans erreur",
        ),
        (
            "level 0 is missing, exit code 3, an error; it said: 2 games",
            "niveau 0 manque, le code de sortie 3, une erreur ; il disait : 2 games",
        ),
        (
            "level 1: 3 positions instead of 81, exit code 0, no error",
            "niveau 1 : 3 positions au lieu de 81, le code de sortie 0, sans erreur",
        ),
        (
            "a 5 0: 0 positions in 0.012 s: level 0 is missing, exit code 3, an error; 10 below 0.2 s, 7 below 1 s",
            "a 5 0 : 0 position en 0,012 s : niveau 0 manque, le code de sortie 3, une erreur ; 10 sous 0,2 s, 7 sous 1 s",
        ),
        ("a move worth 0 where +1 was to be had", "un coup qui vaut 0 où +1 était possible"),
        (
            "remark: asked again: it had no processor for most of its time (2 times)",
            "remarque : demandé à nouveau : il n'avait pas de processeur la plupart du temps (2 fois)",
        ),
        (
            "1. \"the best\"    30.0 marks; places 1 to 4: 1, 0, 0, 0; mussels 12; 1 × time loss",
            "1. \"the best\"    30,0 points ; places 1 à 4 : 1, 0, 0, 0 ; moules 12 ; 1 × perte au temps",
        ),
        (
            "full marks: every point but half of those against search:3",
            "note entière : tous les points, mais la moitié de ceux contre search:3",
        ),
        (
            "1.25 ms a move, the slowest 3.4 ms, at depth 3",
            "1,25 ms par coup, le plus lent 3,4 ms, à la profondeur 3",
        ),
        ("it could not be marked: make: exit code 2", "il n'a pas pu être noté : make : le code de sortie 2"),
        (
            "remark: right, but it ended with exit code 3, an error (2 times)",
            "remarque : juste, mais il s'est arrêté avec le code de sortie 3, une erreur (2 fois)",
        ),
        ("uttt: clock 10+0.1; a draw after 30 moves", "uttt : pendule 10+0.1 ; nulle après 30 coups"),
        (
            "Landlock ABI 6 (files, TCP ports, signals), system calls, limits; without a limit on processes",
            "Landlock ABI 6 (fichiers, ports TCP, signaux), appels système, limites ; sans une limite des processus",
        ),
    ] {
        assert_eq!(french(english), wanted);
    }
}
