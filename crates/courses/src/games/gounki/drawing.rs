//! The Gounki board: a1 at the bottom left, squares and rounds, up to three in a stack. The last move is drawn as its
//! path with rebounds.

use crate::drawing::svg::Area;
use crate::drawing::{Canvas, Marks};
use crate::games::gounki::DEPLOY;
use crate::play::counted;
use gounki::rules::{Cell, Colour, Heading, Kind, Move, Position, Shape, Stack, Step, ray};
use search_core::Position as _;
use smallvec::SmallVec;

const SIDE: f64 = 46.0;
const EDGE: f64 = 20.0;
/// The width of the strip by which men leave the board.
const STRIP: f64 = 18.0;
/// The name of the target beyond the last rank.
pub const EXIT: &str = "#";

/// Returns a cell's column and row on the drawing.
fn place(cell: Cell) -> (usize, usize) {
    (cell.index() % 8, 7 - cell.index() / 8)
}

fn area(cell: Cell) -> Area {
    let (column, row) = place(cell);
    Area::square(EDGE + SIDE * column as f64, EDGE + STRIP + SIDE * row as f64, SIDE)
}

fn strip(colour: Colour) -> Area {
    let y = if colour == Colour::White { EDGE } else { EDGE + STRIP + 8.0 * SIDE };
    Area { x: EDGE, y, width: 8.0 * SIDE, height: STRIP }
}

/// Returns the cells that a move passes, from start to end, with [`EXIT`] after the last rank.
#[must_use]
pub fn way(position: &Position, mv: Move) -> Vec<String> {
    let colour = mv.colour();
    let from = mv.from();
    let stack = position.at(colour.view(from)).map_or(Stack::EMPTY, |(_, stack)| stack);
    let mut cells = vec![from];
    let mut leaves = false;
    match mv.kind() {
        Kind::Deploy => cells.extend(mv.laid().into_iter().map(|(cell, _)| cell)),
        Kind::Step(to) => cells.extend(line(position, stack, from, Some(to)).unwrap_or_else(|| vec![to])),
        Kind::Exit => {
            cells.extend(line(position, stack, from, None).unwrap_or_default());
            leaves = true;
        }
    }
    let names = cells.into_iter().map(|cell| colour.view(cell).to_string());
    names.chain(leaves.then(|| EXIT.to_owned())).collect()
}

/// Returns a stack's free path to a cell, or off the board, from the mover's side.
fn line(position: &Position, stack: Stack, from: Cell, to: Option<Cell>) -> Option<Vec<Cell>> {
    let occupied = position.own().occupied() | position.enemy().occupied();
    for shape in [Shape::Square, Shape::Round] {
        let reach = usize::from(stack.count(shape));
        for &heading in Heading::of(shape) {
            let mut passed = Vec::new();
            for step in &ray(shape, heading, from)[..reach] {
                match *step {
                    Step::To(cell) => {
                        passed.push(cell);
                        if Some(cell) == to {
                            return Some(passed);
                        }
                        if occupied & cell.bit() != 0 && cell != from {
                            break;
                        }
                    }
                    Step::Off if to.is_none() => return Some(passed),
                    Step::Off | Step::Wall => break,
                }
            }
        }
    }
    None
}

/// Draws the board. Cells are named `a1` to `h8`, and [`EXIT`].
#[must_use]
pub fn draw(position: &Position, marks: &Marks) -> String {
    let width = 2.0 * EDGE + 8.0 * SIDE;
    let height = width + 2.0 * STRIP;
    let mut canvas = Canvas::new("gounki", width, height, "Gounki");
    canvas.rect("frame", Area { x: 0.0, y: 0.0, width, height }, 8.0);
    let cells: Vec<(Cell, String)> = Cell::all().map(|cell| (cell, cell.to_string())).collect();
    for (cell, name) in &cells {
        canvas.rect(if cell.is_dark() { "cell shade" } else { "cell" }, area(*cell), 0.0);
        canvas.ground(marks, name, area(*cell));
    }
    for nth in 0..8 {
        let at = EDGE + SIDE * f64::from(nth) + SIDE / 2.0;
        canvas.text("name", (at, height - 6.0), &char::from(b'a' + nth as u8).to_string());
        canvas.text("name", (EDGE / 2.0, STRIP + at + 4.0), &(8 - nth).to_string());
    }
    let mover = position.to_move();
    for colour in [Colour::White, Colour::Black] {
        exit(&mut canvas, marks, colour, mover);
    }
    let laid = laid(position, &marks.chosen);
    for (cell, _) in &cells {
        if let Some((colour, stack)) = stack_at(position, *cell, laid.as_ref()) {
            men(&mut canvas, colour, stack, area(*cell));
        }
    }
    trail(&mut canvas, "way", &marks.last, mover.other());
    trail(&mut canvas, "way best-way", &marks.best, mover);
    for (cell, name) in &cells {
        // A stack that may be chosen has a ring, because a dot would hide its men.
        let own = position.at(*cell).is_some_and(|(colour, _)| colour == mover);
        let is_choice = own && marks.chosen.is_empty() && Marks::has(&marks.targets, name);
        if is_choice {
            canvas.circle("choice", area(*cell).centre(), 0.45 * SIDE);
        }
        if !is_choice || marks.value(name).is_some() {
            canvas.over(marks, name, area(*cell));
        }
    }
    for (cell, name) in &cells {
        canvas.hit(marks, name, &label(marks, name, position.at(*cell)), area(*cell));
    }
    if Marks::has(&marks.targets, EXIT) {
        canvas.hit(marks, EXIT, marks.choose("sortir de l'échiquier", "leave the board"), strip(mover));
    }
    canvas.finish()
}

/// The cell that is deployed, and the men laid so far with their cells.
type Laid = (Cell, SmallVec<[(Cell, Shape); 3]>);

/// Returns the men that the clicks of an unfinished deployment have taken from a cell and laid on others.
fn laid(position: &Position, chosen: &[String]) -> Option<Laid> {
    let count = chosen.len().checked_sub(2).filter(|_| chosen[1] == DEPLOY)?;
    let colour = position.to_move();
    let is_meant =
        |mv: &Move| way(position, *mv).iter().take(count + 1).eq(chosen.iter().filter(|c| *c != DEPLOY));
    let mv = position.move_list().into_iter().find(|mv| mv.kind() == Kind::Deploy && is_meant(mv))?;
    let laid = mv.laid().into_iter().take(count).map(|(cell, shape)| (colour.view(cell), shape));
    Some((colour.view(mv.from()), laid.collect()))
}

/// Returns the men on a cell, those of an unfinished deployment where they are laid.
fn stack_at(position: &Position, cell: Cell, laid: Option<&Laid>) -> Option<(Colour, Stack)> {
    let before = position.at(cell);
    let Some((from, laid)) = laid else { return before };
    let mover = position.to_move();
    let is_taken = laid.iter().any(|(to, _)| *to == cell);
    let before = before.filter(|(colour, _)| !is_taken || *colour == mover);
    let count = |shape| {
        let before = before.map_or(0, |(_, stack)| stack.count(shape));
        let of_shape = laid.iter().filter(|(_, laid)| *laid == shape);
        let moved = of_shape.filter(|(to, _)| *to == cell || *from == cell).count() as u8;
        if *from == cell { before.saturating_sub(moved) } else { before + moved }
    };
    let stack = Stack::new(count(Shape::Square), count(Shape::Round)).filter(|stack| !stack.is_empty())?;
    Some((before.map_or(mover, |(colour, _)| colour), stack))
}

fn exit(canvas: &mut Canvas, marks: &Marks, colour: Colour, mover: Colour) {
    let open = colour == mover && Marks::has(&marks.targets, EXIT);
    let area = strip(colour);
    canvas.rect(if open { "exit open" } else { "exit" }, area, 3.0);
    if open {
        let (x, y) = area.centre();
        canvas.text("leave", (x, y + 4.0), marks.choose("sortir", "leave the board"));
    }
}

/// Draws a path as a line with an arrowhead. Its start is a small dot.
fn trail(canvas: &mut Canvas, class: &str, way: &[String], mover: Colour) {
    let point = |name: &String| match name.as_bytes() {
        &[file, rank] => Cell::from_name(file, rank).map(|cell| area(cell).centre()),
        _ => None,
    };
    let mut points: Vec<(f64, f64)> = way.iter().filter_map(point).collect();
    if way.last().is_some_and(|name| name == EXIT)
        && let Some(&(x, _)) = points.last()
    {
        points.push((x, strip(mover).centre().1));
    }
    if points.len() > 1 {
        canvas.line(class, &points);
        canvas.circle("way-start", points[0], 4.0);
    }
}

/// Draws one large man, two side by side, or three in a triangle.
fn men(canvas: &mut Canvas, colour: Colour, stack: Stack, area: Area) {
    let (x, y) = area.centre();
    let places: &[(f64, f64)] = match stack.height() {
        1 => &[(0.0, 0.0)],
        2 => &[(-0.21, 0.0), (0.21, 0.0)],
        _ => &[(-0.21, 0.19), (0.21, 0.19), (0.0, -0.21)],
    };
    let radius = if stack.height() == 1 { 0.27 } else { 0.19 } * SIDE;
    let class = if colour == Colour::White { "man light" } else { "man dark" };
    let shapes = [Shape::Square, Shape::Round];
    let men = shapes.into_iter().flat_map(|shape| std::iter::repeat_n(shape, stack.count(shape).into()));
    for (shape, (right, down)) in men.zip(places) {
        let at = (x + right * SIDE, y + down * SIDE);
        let inner = if colour == Colour::White { "ring on-light" } else { "ring on-dark" };
        match shape {
            Shape::Square => {
                let box_of = |half: f64| Area::square(at.0 - half, at.1 - half, 2.0 * half);
                canvas.rect(class, box_of(0.92 * radius), 2.0);
                if colour == Colour::White {
                    canvas.rect(inner, box_of(0.5 * radius), 1.0);
                }
            }
            Shape::Round => {
                canvas.circle(class, at, radius);
                if colour == Colour::White {
                    canvas.circle(inner, at, 0.55 * radius);
                }
            }
        }
    }
}

fn label(marks: &Marks, name: &str, man: Option<(Colour, Stack)>) -> String {
    let Some((colour, stack)) = man else { return name.to_owned() };
    let owner = match colour {
        Colour::White => marks.choose("blanc", "white"),
        Colour::Black => marks.choose("noir", "black"),
    };
    let kinds = [
        (Shape::Square, ["carré", "carrés"], ["square", "squares"]),
        (Shape::Round, ["rond", "ronds"], ["round", "rounds"]),
    ];
    let kinds = kinds.into_iter().map(|(shape, french, english)| (stack.count(shape), french, english));
    let men = kinds.filter(|(count, ..)| *count > 0);
    men.fold(format!("{name}, {owner}"), |label, (count, french, english)| {
        format!("{label}, {}", counted(count.into(), marks.language, french, english))
    })
}

#[cfg(test)]
mod tests {
    use crate::course::OpeningSet;
    use crate::drawing::{Language, Marks};
    use crate::duel::Rules;
    use crate::games::gounki::Gounki;
    use search_core::Position as _;

    #[test]
    fn the_men_of_an_unfinished_deployment_are_drawn_where_they_are_laid() {
        let game = Gounki { set: OpeningSet::single(""), timed: false };
        let position = game.start("c1-b1 b7-a6").unwrap();
        let men = |chosen: &[String]| {
            let drawn = game.draw(&position, &Marks { chosen: chosen.to_vec(), ..Marks::default() });
            let men = drawn.split('<').filter(|part| part.contains("class=\"man "));
            men.map(str::to_owned).collect::<Vec<_>>()
        };
        let clicks = position.move_list().into_iter().map(|mv| game.clicks(&position, mv));
        let clicks = clicks.into_iter().find(|clicks| clicks.len() > 3 && clicks[1] == "+").unwrap();
        let start = men(&clicks[..1]);
        assert_eq!(men(&clicks[..2]), start);
        let laid = men(&clicks[..3]);
        assert!(laid != start && laid.len() == start.len(), "{clicks:?}");
    }

    #[test]
    fn a_stack_is_told_by_the_men_that_it_has() {
        let game = Gounki { set: OpeningSet::single(""), timed: false };
        let position = game.start("c1-b1 b7-a6").unwrap();
        let drawn =
            |language| game.draw(&position, &Marks { interactive: true, language, ..Marks::default() });
        let [french, english] = [Language::French, Language::English].map(drawn);
        assert!(english.contains("\"b1, white, 1 square, 1 round\""), "{english}");
        assert!(french.contains("\"b1, blanc, 1 carré, 1 rond\""), "{french}");
        assert!(!english.contains("1 squares") && !english.contains(", 0 "), "{english}");
    }

    #[test]
    fn a_rebound_is_drawn_as_the_way_it_took() {
        let game = Gounki { set: OpeningSet::single(""), timed: false };
        let codes: String = (0..64).map(|cell| if cell == 9 { "B4" } else { "V0" }).collect();
        let position = game.start(&format!("@{codes}:blanc")).unwrap();
        let mv = game.read(&position, "b2-b4").unwrap();
        assert_eq!(game.trace(&position, mv), ["b2", "a3", "b4"]);
        assert_eq!(game.clicks(&position, mv), ["b2", "b4"]);
    }
}
