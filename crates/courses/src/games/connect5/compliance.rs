//! Connect5's protocol: team lines and READY, grids, and the end.

use crate::compliance::{Compliance, Examiner, Step, Text};
use crate::fault::Trouble;
use crate::peer::Peer;
use connect5_joueur::protocol::team::READY;
use std::time::{Duration, Instant};

const START: Duration = Duration::from_secs(5);
/// The time of a move beyond the one that the question allows.
const LATE: Duration = Duration::from_millis(1500);
/// The questions: a name, the grid, the milliseconds.
const QUESTIONS: [((&str, &str), &str, u64); 3] = [
    (
        ("la grille de l'énoncé", "the assignment's grid"),
        "8 8\n00000000\n000N0000\n000B0000\n00N00000\n00000000\n00000000\n00000000\n00000000\n",
        1000,
    ),
    (
        ("une grille de 3 lignes et 9 colonnes", "a grid of 3 rows and 9 columns"),
        "3 9\n000000000\n00000000N\n00000B000\n",
        500,
    ),
    (
        ("une grille avec une seule case libre, 2 1", "a grid with one free cell, 2 1"),
        "3 3\nNBN\nBNB\nB0B\n",
        500,
    ),
];

/// The steps of the game.
pub(super) struct Steps;

impl Compliance for Steps {
    fn check(&self, examiner: &mut Examiner<'_>) -> Result<(), Trouble> {
        let mut peer = examiner.start()?;
        let Some(step) = greeting(examiner, &mut peer)? else { return silent_start(examiner, peer) };
        examiner.add(step);
        for (name, grid, millis) in QUESTIONS {
            let step = question(name, grid, millis);
            // A program that is gone is heard of below.
            let sent = peer.send(format!("{grid}{millis}\n").as_bytes(), examiner.within(LATE));
            if let Err(trouble) = sent
                && trouble.ends_a_run()
            {
                return Err(trouble);
            }
            let began = Instant::now();
            let line = peer.raw_line(examiner.within(Duration::from_millis(millis) + LATE))?;
            if !line.ends_with('\n') {
                let heard = examiner.silence(peer, line)?;
                examiner.add(step.silent(heard));
                return Ok(());
            }
            let spent = began.elapsed();
            let step = examiner.alone(&mut peer, step, &line)?;
            examiner.add(answer(step, grid, millis, &line, spent));
        }
        let step = ending(&mut peer)?;
        examiner.add(step);
        peer.close(b"");
        Ok(())
    }
}

fn start() -> Step {
    let name = Text::new("le démarrage", "the start");
    let rule = "« Au démarrage, afficher sur la sortie standard les noms, matricules et courriels des membres de \
                l'équipe (une ligne par étudiant). Sur une nouvelle ligne, écrire le mot « READY ». » (2.2)";
    let expected = Text::new(
        "une ligne par étudiant, puis READY seul sur sa ligne",
        "a line for each student, then READY alone on its line",
    );
    Step::new(name, rule, expected)
}

/// Reads the team lines and READY. `None` if they do not come; what came is then lost with the program.
fn greeting(examiner: &Examiner<'_>, peer: &mut Peer<'_>) -> Result<Option<Step>, Trouble> {
    let deadline = examiner.within(START);
    let mut text = String::new();
    for nth in 0..100 {
        let line = peer.raw_line(deadline)?;
        text.push_str(&line);
        let word = line.trim_end_matches(['\n', '\r']);
        let step = || start().got(&text);
        if word.eq_ignore_ascii_case(READY) && line.ends_with('\n') {
            let mut step = step();
            if word != READY {
                step = step.tolerated(
                    format!("l'outil du cours accepte {word}, l'énoncé demande {READY}"),
                    format!("the course's tool accepts {word}, the text asks for {READY}"),
                );
            }
            if nth == 0 {
                step = step.tolerated(
                    "il n'y a pas de ligne avec le nom, le matricule et le courriel",
                    "there is no line with the name, the number and the address",
                );
            }
            return Ok(Some(step));
        }
        if word.trim().eq_ignore_ascii_case(READY) {
            return Ok(Some(step().wrong(
                "READY doit être seul sur sa ligne, sans espace, et suivi d'une fin de ligne",
                "READY must be alone on its line, without blanks, and followed by a line feed",
            )));
        }
        if !line.ends_with('\n') {
            return if text.is_empty() {
                Ok(None)
            } else {
                Ok(Some(step().wrong("READY n'est pas venu", "READY did not come")))
            };
        }
    }
    Ok(Some(
        start()
            .got(&text)
            .wrong("READY n'est pas dans les 100 premières lignes", "READY is not among the first 100 lines"),
    ))
}

fn silent_start(examiner: &mut Examiner<'_>, peer: Peer<'_>) -> Result<(), Trouble> {
    let heard = examiner.silence(peer, String::new())?;
    examiner.add(start().silent(heard));
    Ok(())
}

fn question(name: (&str, &str), grid: &str, millis: u64) -> Step {
    let rule = "« Écrire les coordonnées où placer la prochaine pierre sur la sortie standard dans le format suivant : \
                ligne colonne. » (2.2)";
    let expected = Text::new(
        format!("« ligne colonne » d'une case libre, comptées depuis 0, en {millis} ms"),
        format!("\"row column\" of a free cell, counted from 0, within {millis} ms"),
    );
    Step::new(Text::new(name.0, name.1), rule, expected).asked(&format!("{grid}{millis}\n"))
}

/// Judges an answer.
fn answer(step: Step, grid: &str, millis: u64, line: &str, spent: Duration) -> Step {
    let rows: Vec<&[u8]> = grid.lines().skip(1).map(str::as_bytes).collect();
    let words: Vec<&str> = line.split_whitespace().collect();
    let cell = |row: &str, column: &str| {
        let (row, column) = (row.parse::<usize>().ok()?, column.parse::<usize>().ok()?);
        rows.get(row)?.get(column).copied()
    };
    let is_number = |word: &&str| word.parse::<i64>().is_ok();
    let mut step = match &words[..] {
        [row, column, more @ ..] if is_number(row) && is_number(column) => {
            let step = if more.is_empty() {
                step
            } else {
                step.tolerated("seuls les deux premiers nombres comptent", "only the first two numbers count")
            };
            match (cell(row, column), cell(column, row)) {
                (Some(b'0'), _) => step,
                (Some(_), _) => step.wrong("la case est occupée", "the cell is taken"),
                (None, Some(b'0')) => step.wrong(
                    "cette case est hors de la grille : la ligne vient avant la colonne",
                    "this cell is outside the grid: the row comes before the column",
                ),
                (None, _) => step.wrong(
                    "cette case est hors de la grille : on compte depuis 0",
                    "this cell is outside the grid: rows and columns are counted from 0",
                ),
            }
        }
        _ => step.wrong(
            "ce ne sont pas deux nombres séparés par un espace",
            "these are not two numbers with a blank between",
        ),
    };
    if spent > Duration::from_millis(millis + millis / 2) {
        let took = spent.as_millis();
        step = step.wrong(
            format!("{took} ms pour {millis} ms : trop tard, même avec la tolérance de 50 %"),
            format!("{took} ms for {millis} ms: too late, even with the tolerance of 50 %"),
        );
    }
    step
}

/// Checks that the program ends at a line that begins with 0.
fn ending(peer: &mut Peer<'_>) -> Result<Step, Trouble> {
    let name = Text::new("la fin", "the end");
    let rule = "« Si la ligne commence par un zéro (0), alors terminer l'exécution. » (2.2)";
    let expected = Text::new("la fin du programme", "the end of the program");
    let step = Step::new(name, rule, expected).asked("0\n");
    let deadline = Instant::now() + Duration::from_millis(1500);
    if let Err(trouble) = peer.send(b"0\n", deadline)
        && trouble.ends_a_run()
    {
        return Err(trouble);
    }
    while !peer.is_gone() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(if peer.is_gone() {
        step
    } else {
        step.wrong("il tourne encore 1,5 s après", "it still runs 1.5 s later")
    })
}
