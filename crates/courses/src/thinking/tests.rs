use super::*;
use crate::registry;

fn demos() -> impl Iterator<Item = &'static Demo> {
    let own = registry::all().into_iter().flat_map(|game| game.assignment().demos());
    TIC_TAC_TOE.iter().chain(own)
}

#[test]
fn every_step_of_every_demo_can_be_shown() {
    let (mut names, mut settling) = (Vec::new(), Vec::new());
    for demo in demos() {
        assert!(!names.contains(&demo.name), "{}", demo.name);
        names.push(demo.name);
        for algorithm in Algorithm::ALL {
            let recording = demo.record(algorithm);
            let count = recording.len();
            assert!((5..4_000).contains(&count), "{} {algorithm:?}: {count}", demo.name);
            let mut cuts = 0;
            for at in (0..=count).step_by((count / 12).max(1)).chain([count]) {
                let language = [Language::French, Language::English][at % 2];
                let scene = recording.scene(at, language);
                let name = format!("{} {algorithm:?} {at}/{count}: {}", demo.name, scene.sentence);
                assert!(!scene.sentence.is_empty() && scene.sentence.len() < 280, "{name}");
                let row = scene.rows.iter().map(|row| row.chips.len()).max();
                assert!(row.is_none_or(|chips| chips <= 24) && scene.rows.len() <= 12, "{name}: {row:?}");
                assert!(scene.picture.len() < 60_000, "{}", scene.picture.len());
                assert!(demo.draw(&scene.path, language).ends_with("</svg>"));
                assert!(scene.next_cut.is_none_or(|cut| cut > at && cut <= count), "{name}");
                cuts += usize::from(scene.next_cut.is_some());
            }
            settling.push((algorithm, cuts > 0));
            assert_eq!(recording.scene(count + 9, Language::English).at, count);
        }
    }
    assert!(names.len() >= 8, "{names:?}");
    // A large position may settle nothing within its visits, but alpha-beta always cuts.
    for (algorithm, least) in [(Algorithm::AlphaBeta, 8), (Algorithm::MonteCarlo, 3), (Algorithm::Proof, 4)] {
        let count = settling.iter().filter(|&&(of, settles)| of == algorithm && settles).count();
        assert!(count >= least, "{algorithm:?}: {count}");
    }
}

#[test]
fn the_three_searches_agree_where_a_position_is_settled() {
    let demo = TIC_TAC_TOE[0];
    let last = |algorithm| {
        let recording = demo.record(algorithm);
        recording.scene(recording.len(), Language::English).sentence
    };
    // After a1 b2 c3 c1 crosses must take a3, which wins: two lines are open.
    assert_eq!(last(Algorithm::AlphaBeta), "It is proven: +#3, by a3 a2 b3.");
    assert!(last(Algorithm::Proof).contains("The win is proven: a3 "), "{}", last(Algorithm::Proof));
    assert!(last(Algorithm::MonteCarlo).ends_with("It is proven: a3."), "{}", last(Algorithm::MonteCarlo));
}

#[test]
fn a_cut_says_what_is_not_looked_at_and_the_window_holds_it() {
    let recording = TIC_TAC_TOE[1].record(Algorithm::AlphaBeta);
    let mut at = 0;
    let mut seen = 0;
    while let Some(next) = recording.scene(at, Language::English).next_cut.filter(|_| seen < 50) {
        let scene = recording.scene(next, Language::English);
        let row = scene.rows.last().unwrap();
        assert!(row.is_cut && row.chips.last().unwrap().state == State::Cut, "{scene:?}");
        assert!(scene.sentence.contains("β is reached"), "{}", scene.sentence);
        assert_eq!(recording.scene(next, Language::French).rows.len(), scene.rows.len());
        (at, seen) = (next, seen + 1);
    }
    assert_eq!(seen, 50);
    let mut words = Vec::new();
    for demo in demos().filter(|demo| demo.name == TIC_TAC_TOE[1].name || demo.name.ends_with("-small")) {
        let recording = demo.record(Algorithm::AlphaBeta);
        words.extend((0..=recording.len()).map(|at| recording.scene(at, Language::English).sentence));
    }
    for part in
        ["the table's move", "a killer", "the table knows", "rises to", "is better than", "Iteration 2"]
    {
        assert!(words.iter().any(|sentence| sentence.contains(part)), "{part}");
    }
}
