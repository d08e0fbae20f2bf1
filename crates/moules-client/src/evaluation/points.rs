use super::Spot;

/// What was taken; bonuses in hand break ties.
pub fn estimate(spot: &Spot) -> i64 {
    i64::from(spot.gain) + i64::from(spot.frites) + i64::from(spot.beers)
}
