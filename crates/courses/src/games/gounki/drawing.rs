//! The Gounki board: a1 at the bottom left, squares and rounds, up to three in a stack. The last move is drawn as its
//! path with rebounds.

use crate::drawing::svg::Area;
use crate::drawing::{Canvas, Marks};
use gounki::rules::{Cell, Colour, Heading, Kind, Move, Position, Shape, Stack, Step, ray};

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
    for (cell, _) in &cells {
        if let Some((colour, stack)) = position.at(*cell) {
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
    let (squares, rounds) = (stack.count(Shape::Square), stack.count(Shape::Round));
    match (marks.choose("f", "e"), colour) {
        ("f", _) => format!("{name}, {colour}, {stack}"),
        (_, Colour::White) => format!("{name}, white, {squares} squares, {rounds} rounds"),
        (_, Colour::Black) => format!("{name}, black, {squares} squares, {rounds} rounds"),
    }
}

#[cfg(test)]
mod tests {
    use crate::course::OpeningSet;
    use crate::duel::Rules;
    use crate::games::gounki::Gounki;

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
