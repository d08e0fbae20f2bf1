//! Why a move that can be read cannot be played: every rule that refuses has its own reason.

use super::{Army, Cell, Colour, Heading, MAX_HEIGHT, Move, Notation, Position, Shape, Stack, Step, ray};
use search_core::Visit;

/// Why a move cannot be played, in French: it is what a player reads at the prompt. Cells are the board's own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing can be played any more.
    #[error("la partie est finie")]
    GameOver,
    /// Nobody stands there.
    #[error("il n'y a pas de pion en {0}")]
    NoPiece(Cell),
    /// Somebody else's stack stands there.
    #[error("le pion en {0} appartient à l'adversaire")]
    NotYours(Cell),
    /// No piece ever goes back.
    #[error("un pion ne recule jamais : {to} est derrière {from}")]
    Backwards {
        /// Where it stands.
        from: Cell,
        /// Where it would go.
        to: Cell,
    },
    /// No line of any shape leads there.
    #[error(
        "aucun déplacement ne mène de {from} à {to} : un carré va tout droit ou de côté, un rond en diagonale"
    )]
    NoLine {
        /// Where it stands.
        from: Cell,
        /// Where it would go.
        to: Cell,
    },
    /// It has no man of the shape that would go there.
    #[error("{to} s'atteint comme les {}, et en {from} il y a {stack}", shape.plural())]
    WrongShape {
        /// Where it stands.
        from: Cell,
        /// Where it would go.
        to: Cell,
        /// The shape that could.
        shape: Shape,
        /// The content of the cell.
        stack: Stack,
    },
    /// It would need more men of that shape.
    #[error("{to} est à {steps} pas de {from}, et la portée y est de {reach} ({stack})")]
    TooFar {
        /// Where it stands.
        from: Cell,
        /// Where it would go.
        to: Cell,
        /// Its distance in cells.
        steps: u8,
        /// The reach of the stack.
        reach: u8,
        /// The content of the cell.
        stack: Stack,
    },
    /// Nothing jumps.
    #[error("{0} est occupée : aucun pion ne saute par-dessus un autre, ami ou ennemi")]
    InTheWay(Cell),
    /// A stack of more than three.
    #[error("la pile en {cell} aurait {height} pions, et trois est le plus")]
    TooHigh {
        /// Where.
        cell: Cell,
        /// The height that it would have.
        height: u8,
    },
    /// The way to the edge and back is not free.
    #[error(
        "{0} ne peut pas aller au bord et revenir : il faut deux carrés, la colonne b ou g, et la case du bord vide"
    )]
    NoWayBack(Cell),
    /// No way off the board.
    #[error("le pion en {0} ne peut pas sortir de l'échiquier à ce coup")]
    CannotExit(Cell),
    /// A single man is not deployed.
    #[error("en {0} il y a un seul pion : seule une pile se déploie")]
    NotAStack(Cell),
    /// The sign asks for a shape that is not there.
    #[error("« {sign} » commence par les {}, et en {cell} il y a {stack}", shape.plural())]
    WrongSign {
        /// Where it stands.
        cell: Cell,
        /// The shape asked for first.
        shape: Shape,
        /// Its sign.
        sign: char,
        /// The content of the cell.
        stack: Stack,
    },
    /// Every man must be laid.
    #[error("le déploiement de {cell} pose {expected} pions, et {given} case(s) sont données")]
    Unfinished {
        /// Where it stands.
        cell: Cell,
        /// Its height.
        expected: u8,
        /// Cells given.
        given: u8,
    },
    /// A group's first man does not lie one step from where it starts.
    #[error("depuis {from}, aucun premier pas des {} ne mène en {to}", shape.plural())]
    NoFirstStep {
        /// Where the group starts.
        from: Cell,
        /// Where its first man would lie.
        to: Cell,
        /// The group's shape.
        shape: Shape,
    },
    /// A group does not go on in its line.
    #[error("les {} se posent en ligne : après {after}, {expected} est attendue et non {given}", shape.plural())]
    NotInLine {
        /// The last cell that is right.
        after: Cell,
        /// The one that follows it.
        expected: Cell,
        /// The one given.
        given: Cell,
        /// The group's shape.
        shape: Shape,
    },
    /// The line leaves the board: that is written otherwise.
    #[error("après {after} le pion sort de l'échiquier : cela se note {from}#")]
    LeavesBoard {
        /// Where the stack stands.
        from: Cell,
        /// The last cell on the board.
        after: Cell,
    },
    /// A deployment neither captures nor crosses an enemy.
    #[error("{0} est à l'adversaire : un déploiement ne capture pas")]
    Enemy(Cell),
}

impl Position {
    /// The move that a notation stands for here.
    ///
    /// # Errors
    /// With the rule that refuses it.
    pub fn find(&self, notation: &Notation) -> Result<Move, Refusal> {
        if self.is_over() {
            return Err(Refusal::GameOver);
        }
        let from = match notation {
            Notation::Step { from, .. } | Notation::Exit { from } | Notation::Deploy { from, .. } => *from,
        };
        let stack = match self.at(from) {
            None => return Err(Refusal::NoPiece(from)),
            Some((colour, _)) if colour != self.colour => return Err(Refusal::NotYours(from)),
            Some((_, stack)) => stack,
        };
        let mut found = None;
        self.moves_from(
            self.colour.view(from),
            &mut Visit(|mv: Move| {
                if mv.notation() == *notation {
                    found = Some(mv);
                }
            }),
        );
        found.ok_or_else(|| {
            let doubt = Doubt { position: self, colour: self.colour, from, stack };
            match notation {
                Notation::Step { to, .. } => doubt.step(*to),
                Notation::Exit { .. } => Refusal::CannotExit(from),
                Notation::Deploy { first, cells, .. } => doubt.deployment(*first, cells),
            }
        })
    }
}

/// A stack of the mover whose move is known to be refused; `from` is the board's own cell.
struct Doubt<'a> {
    position: &'a Position,
    colour: Colour,
    from: Cell,
    stack: Stack,
}

impl Doubt<'_> {
    /// The steps of a line, on the board's own cells.
    fn line(&self, shape: Shape, heading: Heading, from: Cell) -> impl Iterator<Item = Step> + use<> {
        let colour = self.colour;
        ray(shape, heading, colour.view(from)).iter().map(move |step| match *step {
            Step::To(cell) => Step::To(colour.view(cell)),
            other => other,
        })
    }

    fn step(&self, to: Cell) -> Refusal {
        let Self { from, stack, .. } = *self;
        if from == to {
            return Refusal::NoWayBack(from);
        }
        if self.colour.view(to).rank() < self.colour.view(from).rank() {
            return Refusal::Backwards { from, to };
        }
        let mut wrong_shape = None;
        let mut too_far = None;
        // Of several ways the shortest: the others rebound first.
        let mut blocked: Option<(usize, Refusal)> = None;
        for shape in [Shape::Square, Shape::Round] {
            for &heading in Heading::of(shape) {
                let Some(index) = self.line(shape, heading, from).position(|step| step == Step::To(to))
                else {
                    continue;
                };
                let (steps, reach) = (index as u8 + 1, stack.count(shape));
                if reach == 0 {
                    wrong_shape = Some(Refusal::WrongShape { from, to, shape, stack });
                } else if reach < steps {
                    too_far = Some(Refusal::TooFar { from, to, steps, reach, stack });
                } else if blocked.as_ref().is_none_or(|&(shortest, _)| index < shortest) {
                    blocked = Some((index, self.obstacle(self.line(shape, heading, from).take(index), to)));
                }
            }
        }
        blocked
            .map(|(_, refusal)| refusal)
            .or(too_far)
            .or(wrong_shape)
            .unwrap_or(Refusal::NoLine { from, to })
    }

    /// Why a stack within reach of `to` does not come there.
    fn obstacle(&self, crossed: impl Iterator<Item = Step>, to: Cell) -> Refusal {
        for step in crossed {
            if let Step::To(cell) = step
                && cell != self.from
                && self.position.at(cell).is_some()
            {
                return Refusal::InTheWay(cell);
            }
        }
        let below = self.position.at(to).map_or(0, |(_, below)| below.height());
        Refusal::TooHigh { cell: to, height: below + self.stack.height() }
    }

    fn deployment(&self, first: Shape, cells: &[Cell]) -> Refusal {
        let Self { from, stack, .. } = *self;
        if stack.height() == 1 {
            return Refusal::NotAStack(from);
        }
        if stack.count(first) == 0 {
            return Refusal::WrongSign { cell: from, shape: first, sign: first.sign(), stack };
        }
        if cells.len() != usize::from(stack.height()) {
            return Refusal::Unfinished { cell: from, expected: stack.height(), given: cells.len() as u8 };
        }
        let (group, rest) = cells.split_at(usize::from(stack.count(first)));
        let mut army = Army::default();
        let mut start = from;
        for (shape, group) in [(first, group), (first.other(), rest)] {
            if let Some(refusal) = self.group(shape, start, group, &mut army) {
                return refusal;
            }
            start = *group.last().unwrap_or(&start);
        }
        // Every group can be laid: the move would have been found.
        Refusal::CannotExit(from)
    }

    /// Why one group cannot be laid, on top of what `laid` holds already.
    fn group(&self, shape: Shape, start: Cell, cells: &[Cell], laid: &mut Army) -> Option<Refusal> {
        let &begin = cells.first()?;
        let Some(&heading) = Heading::of(shape)
            .iter()
            .find(|&&heading| self.line(shape, heading, start).next() == Some(Step::To(begin)))
        else {
            return Some(Refusal::NoFirstStep { from: start, to: begin, shape });
        };
        let mut after = start;
        for (&given, step) in cells.iter().zip(self.line(shape, heading, start)) {
            let Step::To(expected) = step else {
                return Some(Refusal::LeavesBoard { from: self.from, after });
            };
            if given != expected {
                return Some(Refusal::NotInLine { after, expected, given, shape });
            }
            let below = match self.position.at(given) {
                Some((owner, _)) if owner != self.colour => return Some(Refusal::Enemy(given)),
                Some((_, below)) if given != self.from => below.height(),
                _ => 0,
            };
            let height = below + laid.at(given).height() + 1;
            if height > MAX_HEIGHT {
                return Some(Refusal::TooHigh { cell: given, height });
            }
            laid.lay(given, shape);
            after = given;
        }
        None
    }
}
