//! The tables of all games. Cargo runs benches in the order of their names: this one is the last.

fn main() {
    for game in benches::table::games() {
        benches::summary(game.name);
    }
}
