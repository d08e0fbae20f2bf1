//! Limits of games and players: clocks, and adjudication by agreement of the scores.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A game clock: a time for a number of moves or for the whole game, and an increment a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameClock {
    /// The number of moves after which the time is added again, or `None` if it is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start, or for each period of `moves` moves.
    pub main: Duration,
    /// The increment after each move.
    pub increment: Duration,
}

/// The number of moves for which a player without a clock shares out the time.
const MOVES_OF_A_GAME: u32 = 50;

impl GameClock {
    /// Returns a fixed time a move for a player that does not support clocks, so that all of its moves stay within the
    /// clock.
    #[must_use]
    pub fn a_move(&self) -> Duration {
        self.main / self.moves.unwrap_or(MOVES_OF_A_GAME) + self.increment
    }
}

/// An error in the text of a limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The text is not a clock.
    #[error("\"{0}\" is not a clock: expected [MOVES/]SECONDS[+INCREMENT], such as 40/60 or 10+0.1")]
    Clock(String),
    /// A setting is not valid.
    #[error("expected {1}, found \"{0}\"")]
    Setting(String, &'static str),
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl FromStr for GameClock {
    type Err = LimitError;

    /// Parses a clock. `40/60`: 60 s for each 40 moves. `10+0.1`: 10 s for the game and 0.1 s added after each move.
    fn from_str(text: &str) -> Result<Self, LimitError> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves: &u32| moves > 0)?), rest),
                None => (None, text),
            };
            let (main, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let clock = Self { moves, main: seconds(main)?, increment: seconds(increment)? };
            (!clock.main.is_zero()).then_some(clock)
        };
        read().ok_or_else(|| LimitError::Clock(text.to_owned()))
    }
}

impl fmt::Display for GameClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.main.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// A player's own limits, where they differ from the run's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayerLimits {
    /// Time of a move.
    pub time: Option<Duration>,
    /// A game clock instead of a time of a move.
    pub clock: Option<GameClock>,
    /// Virtual memory in bytes.
    pub memory: Option<u64>,
    /// Search depth, for games at equal depth.
    pub depth: Option<u16>,
    /// The side that its scores are for. `None` means the player's own side.
    pub view: Option<View>,
}

/// A fixed side that all scores of an engine are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The white pieces.
    White,
    /// The black pieces.
    Black,
}

impl View {
    fn named(name: &str) -> Option<Self> {
        match name {
            "white" => Some(Self::White),
            "black" => Some(Self::Black),
            _ => None,
        }
    }

    /// Returns the seat that the scores are for; `white` is the seat of the player with white.
    #[must_use]
    pub fn seat(self, white: usize) -> usize {
        if self == Self::White { white } else { 1 - white }
    }
}

impl PlayerLimits {
    /// Returns true if no limit is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl FromStr for PlayerLimits {
    type Err = LimitError;

    /// Parses `time=MS`, `tc=CLOCK`, `memory=MB`, `depth=N` and `view=white|black`, separated by commas.
    fn from_str(text: &str) -> Result<Self, LimitError> {
        let mut limits = Self::default();
        for setting in text.split(',') {
            let wrong = || {
                LimitError::Setting(
                    setting.to_owned(),
                    "time=MS, tc=CLOCK, memory=MB, depth=N, view=white|black",
                )
            };
            let (name, value) = setting.split_once('=').ok_or_else(wrong)?;
            let number = || value.parse::<u32>().ok().filter(|&number| number > 0).ok_or_else(wrong);
            match name {
                "time" => limits.time = Some(Duration::from_millis(number()?.into())),
                "tc" => limits.clock = Some(value.parse()?),
                "memory" => limits.memory = Some(u64::from(number()?) << 20),
                "view" => limits.view = Some(View::named(value).ok_or_else(wrong)?),
                "depth" => limits.depth = Some(number()?.try_into().map_err(|_| wrong())?),
                _ => return Err(wrong()),
            }
        }
        Ok(limits)
    }
}

impl fmt::Display for PlayerLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            self.time.map(|time| format!("time={}", time.as_millis())),
            self.clock.map(|clock| format!("tc={clock}")),
            self.memory.map(|bytes| format!("memory={}", bytes >> 20)),
            self.depth.map(|depth| format!("depth={depth}")),
            self.view.map(|view| if view == View::White { "view=white" } else { "view=black" }.to_owned()),
        ];
        let all: Vec<String> = all.into_iter().flatten().collect();
        f.write_str(&all.join(","))
    }
}

/// The condition on both players' scores for an adjudication. Each score is the player's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Minimum number of moves of each player before it applies.
    pub number: u32,
    /// Number of consecutive moves of each player with such a score.
    pub count: u32,
    /// The threshold: at least this far from level for a win, at most this far for a draw.
    pub score: f64,
}

impl FromStr for Agreement {
    type Err = LimitError;

    /// Parses `[number=N,]count=N,score=S`.
    fn from_str(text: &str) -> Result<Self, LimitError> {
        let wrong = || LimitError::Setting(text.to_owned(), "[number=N,]count=N,score=S");
        let (mut number, mut count, mut score) = (0, None, None);
        for setting in text.split(',') {
            match setting.split_once('=').ok_or_else(wrong)? {
                ("number", value) => number = value.parse().map_err(|_| wrong())?,
                ("count", value) => count = value.parse().ok().filter(|&count| count > 0),
                ("score", value) => {
                    score = value.parse().ok().filter(|&score: &f64| score >= 0.0 && score.is_finite())
                }
                _ => return Err(wrong()),
            }
        }
        Ok(Self { number, count: count.ok_or_else(wrong)?, score: score.ok_or_else(wrong)? })
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, count, score } = self;
        if *number > 0 {
            write!(f, "number={number},")?;
        }
        write!(f, "count={count},score={score}")
    }
}

/// The conditions that end a game before its rules do.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Adjudication {
    /// Both players' scores say that the same player wins.
    pub resign: Option<Agreement>,
    /// Both players' scores say that the game is level.
    pub draw: Option<Agreement>,
    /// Number of moves of each player after which the game is a draw.
    pub max_moves: Option<u32>,
}

/// The result of an adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreed {
    /// The player of this seat wins.
    Win(usize),
    /// The game is a draw.
    Draw,
}

impl Adjudication {
    /// Returns the result that both players' scores agree on. `movers` holds the seat of each move, and `value` returns
    /// its score.
    pub fn agreed(&self, movers: &[usize], value: impl Fn(usize) -> Option<f64>) -> Option<Agreed> {
        let last = |agreement: &Agreement, seat: usize, holds: &dyn Fn(f64) -> bool| {
            let moves = movers.iter().filter(|&&of| of == seat).count();
            let own = (0..movers.len()).rev().filter(|&nth| movers[nth] == seat);
            let count = agreement.count as usize;
            moves >= count.max(agreement.number as usize)
                && own.take(count).all(|nth| value(nth).is_some_and(holds))
        };
        if let Some(of) = &self.resign {
            for winner in 0..2 {
                if last(of, winner, &|value| value >= of.score)
                    && last(of, 1 - winner, &|value| value <= -of.score)
                {
                    return Some(Agreed::Win(winner));
                }
            }
        }
        if let Some(of) = &self.draw
            && (0..2).all(|seat| last(of, seat, &|value| value.abs() <= of.score))
        {
            return Some(Agreed::Draw);
        }
        None
    }

    /// Describes the conditions in words for the head of a record, empty if there are none.
    #[must_use]
    pub fn words(&self) -> String {
        let told =
            |name: &str, of: Option<Agreement>| of.map(|of| format!("; {name} {of}")).unwrap_or_default();
        let most = self.max_moves.map(|moves| format!("; a draw after {moves} moves")).unwrap_or_default();
        format!("{}{}{most}", told("resign", self.resign), told("draw", self.draw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_written_as_elsewhere() {
        for (text, moves, main, increment) in [
            ("40/60", Some(40), 60_000, 0),
            ("10+0.1", None, 10_000, 100),
            ("0.5", None, 500, 0),
            ("5/2.5+1", Some(5), 2500, 1000),
        ] {
            let clock: GameClock = text.parse().unwrap();
            let ms = Duration::from_millis;
            assert_eq!(clock, GameClock { moves, main: ms(main), increment: ms(increment) });
            assert_eq!(clock.to_string(), text);
        }
        for bad in ["", "0", "-1", "x", "0/60", "40/", "10+", "1e9", "nan", "40/60/2"] {
            assert!(bad.parse::<GameClock>().unwrap_err().to_string().contains("is not a clock"), "{bad}");
        }
    }

    #[test]
    fn limits_of_a_player_are_read_and_written_alike() {
        let text = "time=50,tc=1+0.1,memory=64,depth=3,view=white";
        let limits: PlayerLimits = text.parse().unwrap();
        assert_eq!((limits.to_string().as_str(), limits.memory), (text, Some(64 << 20)));
        for bad in ["", "time", "time=0", "time=x", "speed=3", "depth=70000", "view=red"] {
            assert!(bad.parse::<PlayerLimits>().is_err(), "{bad}");
        }
    }

    #[test]
    fn both_must_say_it_often_enough() {
        let adjudication = |resign: &str, draw: &str| Adjudication {
            resign: resign.parse().ok(),
            draw: draw.parse().ok(),
            max_moves: None,
        };
        let by = |adjudication: Adjudication, values: &[f64]| {
            let movers: Vec<usize> = (0..values.len()).map(|nth| nth % 2).collect();
            adjudication.agreed(&movers, |nth| Some(values[nth]).filter(|value| !value.is_nan()))
        };
        let resign = adjudication("count=2,score=10", "");
        assert_eq!(by(resign, &[12.0, -10.0, f64::INFINITY, -11.0]), Some(Agreed::Win(0)));
        assert_eq!(by(resign, &[-12.0, 10.0, f64::NEG_INFINITY, 11.0]), Some(Agreed::Win(1)));
        assert_eq!(by(resign, &[12.0, -9.0, 12.0, -11.0]), None, "one of the four is too near level");
        assert_eq!(by(resign, &[12.0, f64::NAN, 12.0, -11.0]), None, "one of the four tells nothing");
        assert_eq!(by(resign, &[12.0, -12.0]), None, "too few");
        let draw = adjudication("", "number=3,count=1,score=5");
        assert_eq!(by(draw, &[0.0, 0.0, 5.0, -5.0]), None, "too early");
        assert_eq!(by(draw, &[90.0, 0.0, 0.0, 80.0, 5.0, -5.0]), Some(Agreed::Draw));
        assert!("count=0,score=1".parse::<Agreement>().is_err() && "count=1".parse::<Agreement>().is_err());
    }
}
