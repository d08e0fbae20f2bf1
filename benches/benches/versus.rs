//! Prints the tables of all games. Cargo runs benches in the order of their names, so this one comes last.

fn main() {
    for game in benches::games() {
        benches::summary(game.name);
    }
}
