//! The cells that a man, or a stack moving as one shape, reaches in one, two and three steps, rebounds included.

use super::{Cell, Shape};

/// The initial direction of a line, from the mover's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Heading {
    /// Squares move sideways to the left, rounds forward to the left.
    Left,
    /// Squares move sideways to the right, rounds forward to the right.
    Right,
    /// Squares move straight ahead; rounds cannot.
    Ahead,
}

impl Heading {
    /// The headings of a shape.
    #[inline]
    #[must_use]
    pub const fn of(shape: Shape) -> &'static [Self] {
        match shape {
            Shape::Square => &[Self::Left, Self::Right, Self::Ahead],
            Shape::Round => &[Self::Left, Self::Right],
        }
    }
}

/// One step of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The step ends on this cell.
    To(Cell),
    /// The step leaves the board beyond the last rank, which wins the game.
    Off,
    /// The step is impossible: a line cannot begin with a rebound.
    Wall,
}

/// The three steps of a line from `from`. A line rebounds when it meets the side of the board after its first step.
#[inline]
#[must_use]
pub fn ray(shape: Shape, heading: Heading, from: Cell) -> &'static [Step; 3] {
    &RAYS[3 * shape as usize + heading as usize][from.index()]
}

static RAYS: [[[Step; 3]; 64]; 6] = {
    let mut rays = [[[Step::Wall; 3]; 64]; 6];
    let mut cell = 0;
    while cell < 64 {
        rays[0][cell as usize] = trace(Shape::Square, Heading::Left, cell);
        rays[1][cell as usize] = trace(Shape::Square, Heading::Right, cell);
        rays[2][cell as usize] = trace(Shape::Square, Heading::Ahead, cell);
        rays[3][cell as usize] = trace(Shape::Round, Heading::Left, cell);
        rays[4][cell as usize] = trace(Shape::Round, Heading::Right, cell);
        cell += 1;
    }
    rays
};

const fn trace(shape: Shape, heading: Heading, from: u8) -> [Step; 3] {
    let mut steps = [Step::Wall; 3];
    let mut file = (from % 8) as i8;
    let mut rank = from / 8;
    let mut sideways: i8 = match heading {
        Heading::Left => -1,
        Heading::Right => 1,
        Heading::Ahead => 0,
    };
    let forward = match (shape, heading) {
        (Shape::Round, _) | (_, Heading::Ahead) => 1,
        _ => 0,
    };
    let mut step = 0;
    while step < 3 {
        rank += forward;
        let wall = file + sideways < 0 || file + sideways > 7;
        if wall && step == 0 {
            return steps;
        }
        if wall {
            sideways = -sideways;
        }
        file += sideways;
        if rank > 7 {
            steps[step] = Step::Off;
            return steps;
        }
        steps[step] = Step::To(Cell(rank * 8 + file as u8));
        step += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(shape: Shape, heading: Heading, from: &str) -> String {
        let from = Cell::from_name(from.as_bytes()[0], from.as_bytes()[1]).unwrap();
        let name = |step: &Step| match step {
            Step::To(cell) => cell.to_string(),
            Step::Off => "#".into(),
            Step::Wall => "|".into(),
        };
        ray(shape, heading, from).iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rounds_rebound_at_the_side_like_a_ball_against_a_wall() {
        assert_eq!(line(Shape::Round, Heading::Left, "c2"), "b3 a4 b5");
        assert_eq!(line(Shape::Round, Heading::Right, "g2"), "h3 g4 f5");
        assert_eq!(line(Shape::Round, Heading::Right, "a2"), "b3 c4 d5");
    }

    #[test]
    fn squares_reverse_along_the_rank() {
        assert_eq!(line(Shape::Square, Heading::Left, "c6"), "b6 a6 b6");
        assert_eq!(line(Shape::Square, Heading::Right, "g2"), "h2 g2 f2");
        assert_eq!(line(Shape::Square, Heading::Ahead, "h2"), "h3 h4 h5");
    }

    #[test]
    fn no_line_begins_with_a_rebound() {
        assert_eq!(line(Shape::Round, Heading::Left, "a3"), "| | |");
        assert_eq!(line(Shape::Square, Heading::Right, "h3"), "| | |");
    }

    #[test]
    fn a_line_ends_where_it_leaves_the_board() {
        assert_eq!(line(Shape::Square, Heading::Ahead, "b7"), "b8 # |");
        assert_eq!(line(Shape::Round, Heading::Left, "b7"), "a8 # |");
        assert_eq!(line(Shape::Round, Heading::Right, "a8"), "# | |");
        assert_eq!(line(Shape::Round, Heading::Left, "a8"), "| | |");
    }
}
