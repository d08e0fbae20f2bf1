//! The file of the learned evaluation.

use super::games::Game;
use super::{move_score, samples, value};

/// Fits values and move scores to games. Returns them in the player's format: 16-bit little-endian numbers, in
/// hundredths.
pub fn fit(games: &[Game], epochs: usize, inform: &mut dyn FnMut(String)) -> Vec<u8> {
    let (samples, choices) = samples::of_games(games);
    let values = value::fit(&samples, epochs, inform);
    let move_scores = move_score::fit(&choices, epochs, inform);
    let of_sets = [&values.sets[0], &values.sets[1], &move_scores.sets[0], &move_scores.sets[1]];
    let sets = (0..of_sets[0].len()).flat_map(|set| of_sets.map(|weights| weights[set]));
    let rest = [values.tempo].into_iter().chain(values.threats).chain(move_scores.near.into_iter().flatten());
    let rounded = |weight: f32| ((100.0 * weight).round() as i16).to_le_bytes();
    sets.chain(rest).flat_map(rounded).collect()
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use super::*;
    use connect5_joueur::evaluation::{Evaluation, learned};

    #[test]
    fn there_are_as_many_numbers_as_the_player_reads() {
        let games: Vec<Game> = games::play(0..3, 30, 1, Evaluation::Learned).collect();
        assert_eq!(fit(&games, 1, &mut |_| {}).len(), 2 * learned::NUMBERS);
    }
}
