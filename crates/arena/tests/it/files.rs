//! Files of other programs, read for a replay.

use arena::session::files::read;
use courses::record::{Missed, Record};

fn opened(text: &str) -> anyhow::Result<Vec<Record>> {
    read(text, |_| anyhow::bail!("a record file"))
}

#[test]
fn games_of_other_programs_are_read() {
    let othello = "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    let read = &opened(othello).unwrap()[0];
    assert_eq!((read.opening.as_str(), read.played.moves.join(" ")), ("", "f5 d6".to_owned()));
    let gomoku = "(;GM[4]FF[4]SZ[14:9]PB[a]PW[b];B[aa];W[bb];B[ni])";
    let read = &opened(gomoku).unwrap()[0];
    assert_eq!((read.opening.as_str(), read.played.moves.join(" ")), ("9x14", "a1 b2 n9".to_owned()));
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,10\na.exe\nb.exe\n-1\n";
    let read = &opened(psq).unwrap()[0];
    assert_eq!(
        (read.names.join(" "), read.played.moves.join(" ")),
        ("a.exe b.exe".into(), "h8 i9".to_owned())
    );
    let pgn = "[Event \"uttt\"]\n[White \"a\"]\n[Opening \"40 36\"]\n[Termination \"resigned\"]\n[Result \"0-1\"]\n\n1. 0 0-1\n";
    let read = &opened(pgn).unwrap()[0];
    assert_eq!((read.course.as_str(), read.opening.as_str(), read.played.moves.len()), ("uttt", "40 36", 1));
    assert_eq!((read.played.end.as_str(), read.played.points[0]), ("resigned", 0.0));
    let smiley = "1 (;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]C[well played ;)]B[d3]W[c5];)";
    let read = &opened(smiley).unwrap()[0];
    assert_eq!((read.played.moves.join(" "), read.played.end.as_str()), ("d3 c5".into(), "well played ;)"));
    let journal = "partie 25x17 dunes 50 joueurs 2 moules 10 bieres 5 frites 8 laby 49811 bonus 52567 tours 20\nnom 0 <b>\nnom 1 y\n0 E\n1 C retard\nfin 0 1 0 0\nfin 1 0 0 0\n";
    let read = &opened(journal).unwrap()[0];
    assert_eq!((read.names[0].as_str(), read.played.moves.join(" ")), ("<b>", "E C".to_owned()));
    assert_eq!(read.played.missed, [(1, Missed::Late)]);
    assert!(read.opening.ends_with("turns 20"), "{}", read.opening);
}

#[test]
fn other_texts_are_refused() {
    for text in [
        "",
        "hello",
        "(;",
        "partie x",
        "(;GM[Othello]",
        "(;GM[4]SZ[15];B[a!])",
        "(;GM[1];B[aa])",
        "[Event \"go\"]\n\n1. d4 *",
        "[Event \"moules\"]\n\n1. E *",
    ] {
        assert!(opened(text).is_err(), "{text}");
    }
}
