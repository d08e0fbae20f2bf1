use super::{Cell, JavaRandom, MAX_CELLS, MAX_PLAYERS, Players, State, Tile};

/// The parameters of a match, with the original server's option names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// `tailleX`: columns, odd, at least 7.
    pub width: usize,
    /// `tailleY`: rows, odd, at least 7.
    pub height: usize,
    /// `tauxDeDune`: the percentage of the inside that stays dunes, 0 to 50. From 45 on the maze is perfect.
    pub dunes: u32,
    /// `nbJoueur`: 1 to 4.
    pub players: usize,
    /// `nbMoule`.
    pub mussels: usize,
    /// `nbBiere`.
    pub beers: usize,
    /// `nbFrite`.
    pub frites: usize,
    /// `numLaby`: the seed of the maze.
    pub maze_seed: i64,
    /// `numPlacementBonus`: the seed of the items.
    pub item_seed: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            width: 25,
            height: 17,
            dunes: 50,
            players: 1,
            mussels: 10,
            beers: 5,
            frites: 8,
            maze_seed: 0,
            item_seed: 0,
        }
    }
}

/// An error in the settings of a match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GeneratorError {
    /// A side is even or below 7, or the maze is too large.
    #[error("a maze of {0}x{1}: both sides must be odd and at least 7, {MAX_CELLS} cells together")]
    Size(usize, usize),
    /// The percentage of dunes is out of range.
    #[error("{0} % of dunes: 0 to 50")]
    Dunes(u32),
    /// Too few or too many players.
    #[error("{0} players: 1 to {MAX_PLAYERS}")]
    Players(usize),
    /// There is no sand left for an item, three cells or more from the edge.
    #[error("no sand is left for item {0} (items are placed at least 3 cells from the edge)")]
    NoRoom(usize),
}

impl Settings {
    /// Generates the match that the original server generates from the same settings.
    ///
    /// # Errors
    /// If a setting is out of range or the items do not fit.
    pub fn generate(&self) -> Result<State, GeneratorError> {
        let (width, height) = (self.width, self.height);
        let odd = width % 2 == 1 && height % 2 == 1;
        if !odd || width < 7 || height < 7 || width.saturating_mul(height) > MAX_CELLS {
            return Err(GeneratorError::Size(width, height));
        }
        if self.dunes > 50 {
            return Err(GeneratorError::Dunes(self.dunes));
        }
        if !(1..=MAX_PLAYERS).contains(&self.players) {
            return Err(GeneratorError::Players(self.players));
        }
        let tiles = vec![Tile::Dune; width * height];
        let mut state = State { width, height, tiles, players: Players::new() };
        let mut random = JavaRandom::new(self.maze_seed);
        carve(&mut state, &mut random);
        flatten(&mut state, self.dunes, &mut random);
        self.place_items(&mut state)?;
        let (right, bottom) = (width - 2, height - 2);
        let starts = [(1, 1), (right, bottom), (right, 1), (1, bottom)];
        state.players = starts[..self.players].iter().map(|&(x, y)| state.cell(x, y)).collect();
        Ok(state)
    }

    fn place_items(&self, state: &mut State) -> Result<(), GeneratorError> {
        let mut random = JavaRandom::new(self.item_seed);
        let inner: Vec<Cell> =
            columns(3..=state.width - 4, 3..=state.height - 4).map(|(x, y)| state.cell(x, y)).collect();
        let mut sand = Pool::new(inner.iter().filter(|&&cell| state.tile(cell) == Tile::Sand).copied());
        for item in 0..self.mussels.saturating_add(self.beers).saturating_add(self.frites) {
            if sand.left == 0 {
                return Err(GeneratorError::NoRoom(item + 1));
            }
            let nth = random.below(sand.left);
            let cell = sand.take(nth);
            state.tiles[cell.index()] = if item < self.mussels {
                Tile::Mussel((random.below(9) as u32 + 1) * 10)
            } else if item < self.mussels + self.beers {
                Tile::Beer
            } else {
                Tile::Frite
            };
        }
        Ok(())
    }
}

/// Lists cells column by column, as the original does.
fn columns(
    x: std::ops::RangeInclusive<usize>,
    y: std::ops::RangeInclusive<usize>,
) -> impl Iterator<Item = (usize, usize)> {
    x.flat_map(move |x| y.clone().map(move |y| (x, y)))
}

/// Carves a perfect maze by Kruskal's algorithm: the cells in odd columns and rows are sand, and walls between two
/// regions are opened.
fn carve(state: &mut State, random: &mut JavaRandom) {
    let (right, bottom) = (state.width - 2, state.height - 2);
    for (x, y) in columns(1..=right, 1..=bottom).filter(|(x, y)| x % 2 == 1 && y % 2 == 1) {
        let cell = state.cell(x, y);
        state.tiles[cell.index()] = Tile::Sand;
    }
    let walls = columns(1..=right, 1..=bottom).filter(|(x, y)| (x + y) % 2 == 1);
    let mut walls = Pool::new(walls.map(|(x, y)| state.cell(x, y)));
    let mut regions = Regions::new(state.tiles.len());
    let mut to_join = right.div_ceil(2) * bottom.div_ceil(2) - 1;
    while to_join > 0 {
        let nth = random.below(walls.left);
        let wall = walls.take(nth);
        let (x, y) = state.coordinates(wall);
        let (one, other) = if x % 2 == 0 {
            (state.cell(x - 1, y), state.cell(x + 1, y))
        } else {
            (state.cell(x, y - 1), state.cell(x, y + 1))
        };
        if regions.join(one, other) {
            state.tiles[wall.index()] = Tile::Sand;
            to_join -= 1;
        }
    }
}

/// Removes dunes from the inside until at most `percent` of it are dunes.
fn flatten(state: &mut State, percent: u32, random: &mut JavaRandom) {
    let (right, bottom) = (state.width - 2, state.height - 2);
    let cells = columns(1..=right, 1..=bottom).map(|(x, y)| state.cell(x, y));
    let mut dunes = Pool::new(cells.filter(|&cell| state.tile(cell) == Tile::Dune));
    // The original's arithmetic: the product in integers, a division in floating point, truncation.
    let target = ((right * bottom * percent as usize) as f64 / 100.0) as usize;
    while dunes.left > target {
        let nth = random.below(dunes.left);
        let cell = dunes.take(nth);
        state.tiles[cell.index()] = Tile::Sand;
    }
}

/// A list that removes its n-th entry in logarithmic time and keeps the order of the rest: a Fenwick tree.
struct Pool {
    cells: Vec<Cell>,
    counts: Vec<u32>,
    left: usize,
}

impl Pool {
    fn new(cells: impl Iterator<Item = Cell>) -> Self {
        let cells: Vec<_> = cells.collect();
        let counts = (0..=cells.len()).map(|i| (i & i.wrapping_neg()) as u32).collect();
        Self { left: cells.len(), cells, counts }
    }

    fn take(&mut self, nth: usize) -> Cell {
        debug_assert!(nth < self.left);
        let mut before = nth as u32;
        let mut index = 0;
        let mut stride = self.cells.len().next_power_of_two();
        while stride > 0 {
            let next = index + stride;
            if next < self.counts.len() && self.counts[next] <= before {
                before -= self.counts[next];
                index = next;
            }
            stride /= 2;
        }
        let mut node = index + 1;
        while node < self.counts.len() {
            self.counts[node] -= 1;
            node += node & node.wrapping_neg();
        }
        self.left -= 1;
        self.cells[index]
    }
}

/// A union-find structure over the cells.
struct Regions(Vec<u32>);

impl Regions {
    fn new(cells: usize) -> Self {
        Self((0..cells as u32).collect())
    }

    fn find(&mut self, cell: Cell) -> u32 {
        let mut root = cell.0;
        while self.0[root as usize] != root {
            self.0[root as usize] = self.0[self.0[root as usize] as usize];
            root = self.0[root as usize];
        }
        root
    }

    /// Joins two regions. Returns true if they were separate.
    fn join(&mut self, one: Cell, other: Cell) -> bool {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one as usize] = other;
        one != other
    }
}
