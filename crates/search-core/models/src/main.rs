//! Models of a shared tree's node, which loom runs in every order of its threads and of what they see.
//!
//! ```text
//! scripts/soak.sh races
//! ```

#![forbid(unsafe_code)]

mod node;

use loom::sync::Arc;
use loom::sync::atomic::Ordering::Relaxed;
use loom::thread;
use node::Place;

/// Makes a visit as the node's owner or, if another thread has it, among others. Returns the number of visits made.
fn visit(place: &Place) -> u32 {
    if let Some(_owned) = place.own() {
        place.count_visits::<false>(1, 1.0, 0.5);
        return 1;
    }
    if !place.pass() {
        return 0;
    }
    place.count_visits::<true>(1, 1.0, 0.5);
    place.leave();
    1
}

/// No visit is lost, although an owner counts its own without atomic additions.
fn no_visit_is_lost() {
    let place = Arc::new(Place::new());
    let other = Arc::clone(&place);
    let helper = thread::spawn(move || visit(&other) + visit(&other));
    let made = visit(&place) + helper.join().unwrap();
    let sum = f32::from_bits(place.sum.load(Relaxed));
    assert_eq!((place.visits(), sum), (made, made as f32));
    assert!(!place.is_owned() && place.passing.load(Relaxed) == 0);
}

/// A thread that sees children sees what was written to them.
fn children_are_seen_whole() {
    let places = Arc::new([Place::new(), Place::new()]);
    let others = Arc::clone(&places);
    let helper = thread::spawn(move || {
        let owned = others[0].own();
        others[1].word.store(7, Relaxed);
        others[0].expand(1, 1);
        drop(owned);
    });
    for child in places[0].children() {
        assert_eq!(places[child].word(), 7);
    }
    helper.join().unwrap();
}

/// The next owner of a node sees the children that the last one gave it.
fn an_owner_sees_what_the_last_one_did() {
    let place = Arc::new(Place::new());
    let expand = |place: &Place| {
        if let Some(_owned) = place.own()
            && place.children().is_empty()
        {
            place.expand(1, 1);
            return 1;
        }
        0
    };
    let other = Arc::clone(&place);
    let helper = thread::spawn(move || expand(&other));
    let times = expand(&place) + helper.join().unwrap();
    assert_eq!(times, 1, "one thread expands a leaf");
}

fn main() {
    let models: [(&str, fn()); 3] = [
        ("no visit is lost", no_visit_is_lost),
        ("children are seen whole", children_are_seen_whole),
        ("an owner sees what the last one did", an_owner_sees_what_the_last_one_did),
    ];
    for (name, model) in models {
        loom::model(model);
        println!("model: {name}");
    }
}
