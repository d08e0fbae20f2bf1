//! Test suites of positions with known solutions.

use crate::game;
use courses::suite::read;

#[test]
fn every_form_gives_its_solutions() {
    let obf = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; H4:-22; % FFO 43\n";
    let read_one = |game, text: &str| read(game, text).unwrap().remove(0);
    let problem = read_one(game("othello"), obf);
    assert_eq!((problem.name.as_str(), problem.best.join(" ").as_str()), ("FFO 43", "g3 c7"));
    let text = "40 36 0; bm 1 2; id a b\n";
    let problem = read_one(game("uttt"), text);
    assert_eq!((problem.name.as_str(), problem.opening.as_str()), ("a b", "40 36 0"));
    assert_eq!(read_one(game("uttt"), "12345678901; bm 1").opening, "@12345678901");
    let json = r#"{"rows": 3, "cols": 2, "vcf_moves": 2, "first": [[2, 1]], "board": ["00", "BN", "00"]}"#;
    let problem = read_one(game("connect5"), json);
    assert_eq!((problem.opening.as_str(), problem.best.join(" ").as_str()), ("3x2 @00/BN/00", "b3"));
    assert_eq!(problem.name, "win in 2");
    for (game, bad) in [
        (game("uttt"), "40 36"),
        (game("uttt"), "40 36; bm "),
        (game("othello"), "x; f5:+2"),
        (game("connect5"), "{}"),
        (game("connect5"), r#"{"rows": 3, "cols": 2, "first": [[3, 0]], "board": []}"#),
    ] {
        assert!(
            read(game, &format!("# one\n{bad}")).unwrap_err().to_string().starts_with("line 2: "),
            "{bad}"
        );
    }
}
