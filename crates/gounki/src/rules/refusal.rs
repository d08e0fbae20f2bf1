//! Explains why a move is illegal, by the rule that forbids it.

use super::{Army, Cell, Colour, Heading, MAX_HEIGHT, Move, Notation, Position, Shape, Stack, Step, ray};
use search_core::Visit;

/// The reason why a move is illegal. The message is French: players read it at the prompt. Cells are the board's own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("la partie est finie")]
    GameOver,
    /// The cell is empty.
    #[error("il n'y a pas de pion en {0}")]
    NoPiece(Cell),
    /// The stack belongs to the opponent.
    #[error("le pion en {0} appartient à l'adversaire")]
    NotYours(Cell),
    /// Men never move back.
    #[error("un pion ne recule jamais : {to} est derrière {from}")]
    Backwards {
        /// The starting cell.
        from: Cell,
        /// The cell where the move would end.
        to: Cell,
    },
    /// No piece can reach the cell in a straight line.
    #[error(
        "aucun déplacement ne mène de {from} à {to} : un carré va tout droit ou de côté, un rond en diagonale"
    )]
    NoLine {
        /// The starting cell.
        from: Cell,
        /// The cell where the move would end.
        to: Cell,
    },
    /// The stack has no man of the shape that could make this move.
    #[error("seuls les {} atteignent {to}, mais {from} contient {stack}", shape.plural())]
    WrongShape {
        /// The starting cell.
        from: Cell,
        /// The cell where the move would end.
        to: Cell,
        /// The shape that could make the move.
        shape: Shape,
        /// The stack on the starting cell.
        stack: Stack,
    },
    /// The stack has too few men of the shape to go this far.
    #[error("{to} est à {steps} pas de {from}, mais la portée est de {reach} ({stack})")]
    TooFar {
        /// The starting cell.
        from: Cell,
        /// The cell where the move would end.
        to: Cell,
        /// The distance in steps.
        steps: u8,
        /// The reach of the stack in steps.
        reach: u8,
        /// The stack on the starting cell.
        stack: Stack,
    },
    /// The path is blocked on this cell; men do not jump.
    #[error("{0} est occupée : aucun pion ne saute par-dessus un autre, ami ou ennemi")]
    InTheWay(Cell),
    /// The stack would be higher than three.
    #[error("la pile en {cell} aurait {height} pions (maximum 3)")]
    TooHigh {
        /// The cell of the stack.
        cell: Cell,
        /// The height that it would have.
        height: u8,
    },
    /// The move to the edge and back is not possible.
    #[error("aller au bord et revenir en {0} exige deux carrés en colonne b ou g et une case de bord libre")]
    NoWayBack(Cell),
    /// The stack on this cell cannot leave the board.
    #[error("le pion en {0} ne peut pas sortir de l'échiquier en un coup")]
    CannotExit(Cell),
    /// A single man cannot be deployed.
    #[error("{0} ne contient qu'un pion : seule une pile se déploie")]
    NotAStack(Cell),
    /// The sign names a shape that the stack does not have.
    #[error("« {sign} » pose d'abord les {}, mais {cell} contient {stack}", shape.plural())]
    WrongSign {
        /// The cell of the stack.
        cell: Cell,
        /// The shape to be laid first.
        shape: Shape,
        /// The sign of that shape.
        sign: char,
        /// The stack on the cell.
        stack: Stack,
    },
    /// The deployment does not name one cell per man.
    #[error("le déploiement de {cell} demande {expected} cases au lieu de {given}")]
    Unfinished {
        /// The cell of the stack.
        cell: Cell,
        /// The number of men.
        expected: u8,
        /// The number of cells given.
        given: u8,
    },
    /// The first man of a group is not one step from the group's start.
    #[error("depuis {from}, les {} n'atteignent pas {to} en un pas", shape.plural())]
    NoFirstStep {
        /// The cell where the group starts.
        from: Cell,
        /// The cell of its first man.
        to: Cell,
        /// The shape of the group.
        shape: Shape,
    },
    /// A group does not continue in a straight line.
    #[error("les {} se posent en ligne : après {after}, il faut {expected} et non {given}", shape.plural())]
    NotInLine {
        /// The last valid cell.
        after: Cell,
        /// The next cell on the line.
        expected: Cell,
        /// The cell given.
        given: Cell,
        /// The shape of the group.
        shape: Shape,
    },
    /// The line leaves the board, which has its own notation.
    #[error("après {after} le pion sort de l'échiquier : cela se note {from}#")]
    LeavesBoard {
        /// The cell of the stack.
        from: Cell,
        /// The last cell on the board.
        after: Cell,
    },
    /// This cell is the enemy's; deployments do not capture or jump.
    #[error("{0} est à l'adversaire : un déploiement ne capture pas")]
    Enemy(Cell),
}

impl Position {
    /// Returns the legal move that a notation stands for.
    ///
    /// # Errors
    /// The rule that forbids it.
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
            let illegal = IllegalMove { position: self, colour: self.colour, from, stack };
            match notation {
                Notation::Step { to, .. } => illegal.step(*to),
                Notation::Exit { .. } => Refusal::CannotExit(from),
                Notation::Deploy { first, cells, .. } => illegal.deployment(*first, cells),
            }
        })
    }
}

impl Position {
    /// Returns the rule that forbids to lay the first men of the stack on `from` on these cells, with either shape first.
    /// `None` if one of them allows it.
    #[must_use]
    pub fn refuse_laying(&self, from: Cell, cells: &[Cell]) -> Option<Refusal> {
        let (_, stack) = self.at(from)?;
        let illegal = IllegalMove { position: self, colour: self.colour, from, stack };
        let shapes = [Shape::Square, Shape::Round].into_iter().filter(|&shape| stack.count(shape) > 0);
        let refusals = shapes.map(|first| illegal.laying(first, cells)).collect::<Option<Vec<_>>>()?;
        // The other shape may not go that way at all.
        refusals.into_iter().min_by_key(|refusal| matches!(refusal, Refusal::NoFirstStep { .. }))
    }
}

/// An illegal move's stack and owner; `from` is the board's own cell.
struct IllegalMove<'a> {
    position: &'a Position,
    colour: Colour,
    from: Cell,
    stack: Stack,
}

impl IllegalMove<'_> {
    /// The steps of a line, with the board's own cells.
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
        // Of several blocked paths, the shortest is reported: the others rebound.
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

    /// The obstacle on a path to `to` within reach.
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
        // Every group can be laid, so only the exit is impossible; a legal deployment would have been found.
        self.laying(first, cells).unwrap_or(Refusal::CannotExit(from))
    }

    /// The reason why the first men cannot be laid on these cells, those of one shape first; `None` if they can.
    fn laying(&self, first: Shape, cells: &[Cell]) -> Option<Refusal> {
        let (group, rest) = cells.split_at(usize::from(self.stack.count(first)).min(cells.len()));
        let mut army = Army::default();
        let mut start = self.from;
        for (shape, group) in [(first, group), (first.other(), rest)] {
            if let Some(refusal) = self.group(shape, start, group, &mut army) {
                return Some(refusal);
            }
            start = *group.last().unwrap_or(&start);
        }
        None
    }

    /// The reason why one group cannot be laid on top of `laid`; `None` if it can.
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
