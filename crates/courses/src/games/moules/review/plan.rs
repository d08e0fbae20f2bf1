//! The points that a walk cost against the plan: both are played out, and the others move as they did in the game.

use crate::drawing::Language;
use crate::play::counted;
use crate::review::{Moment, Reason};
use moules_client::rules::{Command, Game, State, Tile};

/// The largest number of the mover's turns that are compared: a later one is another mistake.
const TURNS: usize = 8;

/// The points of the plan and of the walk in the game, after the same number of the mover's turns.
#[derive(Debug)]
pub(super) struct Plan {
    turns: usize,
    /// Points of the plan, and of the walk in the game.
    points: [u32; 2],
    before: Game,
    line: Vec<String>,
    /// The moves of the game from the mistake on.
    walk: Vec<String>,
}

impl Plan {
    /// Compares the better line with the game, where it takes more points.
    pub(super) fn of(before: &Game, moment: &Moment<'_>) -> Option<Self> {
        let walk = std::iter::once(moment.played.to_owned()).chain(moment.after.iter().cloned());
        let walk = walk.take(TURNS * moment.seats).collect();
        let line = moment.line.iter().take(TURNS).cloned().collect();
        let mut plan = Self { turns: 0, points: [0; 2], before: before.clone(), line, walk };
        let mut best = 0;
        let mover = before.to_move();
        let gained = |games: &[Game]| {
            games.last().map_or(0, |game| game.purses[mover].points - before.purses[mover].points)
        };
        for turns in 1..=plan.line.len() {
            let Some((planned, walked)) = plan.played(turns, true).zip(plan.played(turns, false)) else {
                break;
            };
            let points = [gained(&planned), gained(&walked)];
            if points[0] > points[1] + best {
                best = points[0] - points[1];
                (plan.turns, plan.points) = (turns, points);
            }
        }
        (plan.turns > 0).then_some(plan)
    }

    /// Returns the points that the plan takes more.
    pub(super) fn points(&self) -> u32 {
        self.points[0] - self.points[1]
    }

    /// Plays this number of the mover's turns, by the plan or as in the game, and the turns of the others between them.
    /// Returns the positions after each turn; `None` if the moves do not suffice.
    fn played(&self, turns: usize, follows_plan: bool) -> Option<Vec<Game>> {
        let mover = self.before.to_move();
        let mut game = self.before.clone();
        let (mut games, mut own) = (Vec::new(), 0);
        while own < turns && game.end().is_none() {
            let is_own = game.to_move() == mover;
            let text = match is_own && follows_plan {
                true => self.line.get(own)?,
                false => self.walk.get(games.len())?,
            };
            own += usize::from(is_own);
            game.play(Command::read(text.as_bytes()));
            games.push(game.clone());
        }
        Some(games)
    }
}

impl Reason for Plan {
    fn say(&self, language: Language) -> String {
        let cost = self.points();
        let others = self.before.player_count() > 1;
        match language {
            Language::French => {
                let turns = counted(self.turns as u32, language, ["tour", "tours"], ["", ""]);
                let points = counted(cost, language, ["point", "points"], ["", ""]);
                let others = if others { ", les autres jouant comme ils ont joué" } else { "" };
                format!("en {turns}, le plan prenait {points} de plus que cette marche{others}")
            }
            Language::English => {
                let turns = counted(self.turns as u32, language, ["", ""], ["turn", "turns"]);
                let points = counted(cost, language, ["", ""], ["point", "points"]);
                let others = if others { ", with the others moving as they did" } else { "" };
                format!("in {turns} this walk took {points} less than the plan{others}")
            }
        }
    }

    /// Counts the mussels that leave the board in the mover's turns.
    fn holds(&self) -> bool {
        let mover = self.before.to_move();
        let mussels = |state: &State| -> u32 {
            let points =
                state.tiles.iter().map(|tile| if let Tile::Mussel(points) = tile { *points } else { 0 });
            points.sum()
        };
        let taken = |follows_plan: bool| {
            let games = self.played(self.turns, follows_plan)?;
            let before = std::iter::once(&self.before).chain(&games);
            let turns = before.zip(&games).filter(|(before, _)| before.to_move() == mover);
            Some(turns.map(|(before, after)| mussels(&before.state) - mussels(&after.state)).sum::<u32>())
        };
        taken(true) == Some(self.points[0])
            && taken(false) == Some(self.points[1])
            && self.points[0] > self.points[1]
    }
}

#[cfg(test)]
mod tests {
    use crate::drawing::Language;
    use crate::review::Moment;

    #[test]
    fn a_walk_that_takes_nothing_costs_what_the_plan_takes() {
        // The puzzle of a lone player, who passes, which ends the match.
        let game = crate::registry::find("moules").unwrap();
        let puzzle = &game.puzzles()[0];
        let mut said = 0;
        for (played, after) in [("C", &[][..]), (puzzle.line[0].as_str(), &puzzle.line[1..])] {
            let moment = Moment {
                opening: &puzzle.opening,
                seats: 1,
                before: &[],
                played,
                better: &puzzle.line[0],
                line: &puzzle.line,
                after,
                answer: None,
            };
            let reasons = super::super::reasons(&moment);
            let plans: Vec<_> =
                reasons.iter().filter(|reason| format!("{reason:?}").starts_with("Plan")).collect();
            // The walk of the plan itself costs nothing.
            assert!(played == "C" || plans.is_empty(), "{plans:?}");
            for reason in plans {
                assert!(reason.holds(), "{reason:?}");
                assert!(reason.say(Language::English).contains(" less than the plan"), "{reason:?}");
                assert!(reason.say(Language::French).contains("le plan prenait"));
                said += 1;
            }
        }
        assert_eq!(said, 1);
    }
}
