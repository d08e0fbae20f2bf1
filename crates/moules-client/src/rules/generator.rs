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
    let columns = right.div_ceil(2);
    let mut regions = Regions::new(columns * bottom.div_ceil(2));
    let region = |x: usize, y: usize| (y / 2 * columns + x / 2) as u32;
    let mut to_join = columns * bottom.div_ceil(2) - 1;
    while to_join > 0 {
        let nth = random.below(walls.left);
        let wall = walls.take(nth);
        let (x, y) = state.coordinates(wall);
        let (one, other) = if x % 2 == 0 {
            (region(x - 1, y), region(x + 1, y))
        } else {
            (region(x, y - 1), region(x, y + 1))
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

/// A list that removes its n-th entry quickly and keeps the order of the rest: bits, with counts of them in two sizes.
struct Pool {
    cells: Vec<Cell>,
    left: usize,
    /// A bit for each entry that is left.
    words: Vec<u64>,
    /// The number of entries left in each group of [`GROUP`] words, and in each group of [`GROUP`] such groups.
    counts: [Vec<u32>; 2],
}

/// Number of parts in a group of a pool.
const GROUP: usize = 32;

impl Pool {
    fn new(cells: impl Iterator<Item = Cell>) -> Self {
        let cells: Vec<_> = cells.collect();
        let bits = |word: usize| match cells.len() - 64 * word {
            left @ 0..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        let words: Vec<u64> = (0..cells.len().div_ceil(64)).map(bits).collect();
        let small = words.chunks(GROUP).map(|words| words.iter().map(|word| word.count_ones()).sum());
        let small: Vec<u32> = small.collect();
        let large = small.chunks(GROUP).map(|counts| counts.iter().sum()).collect();
        Self { left: cells.len(), cells, words, counts: [small, large] }
    }

    fn take(&mut self, nth: usize) -> Cell {
        debug_assert!(nth < self.left);
        let mut before = nth as u32;
        let [small, large] = &mut self.counts;
        let mut at = 0;
        while large[at] <= before {
            before -= large[at];
            at += 1;
        }
        large[at] -= 1;
        at *= GROUP;
        while small[at] <= before {
            before -= small[at];
            at += 1;
        }
        small[at] -= 1;
        at *= GROUP;
        while self.words[at].count_ones() <= before {
            before -= self.words[at].count_ones();
            at += 1;
        }
        let mut word = self.words[at];
        (0..before).for_each(|_| word &= word - 1);
        let bit = word.trailing_zeros();
        self.words[at] &= !(1 << bit);
        self.left -= 1;
        self.cells[64 * at + bit as usize]
    }
}

/// Disjoint sets by union by size. A root has the size of its set, less than zero; another element has its parent.
struct Regions(Vec<i32>);

impl Regions {
    fn new(count: usize) -> Self {
        Self(vec![-1; count])
    }

    fn find(&self, element: u32) -> u32 {
        let mut root = element;
        while let Ok(parent) = u32::try_from(self.0[root as usize]) {
            root = parent;
        }
        root
    }

    /// Joins two regions. Returns true if they were separate.
    fn join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.find(one), self.find(other));
        if one == other {
            return false;
        }
        let sizes = [one, other].map(|root| self.0[root as usize]);
        let (small, large) = if sizes[0] > sizes[1] { (one, other) } else { (other, one) };
        self.0[large as usize] = sizes[0] + sizes[1];
        self.0[small as usize] = large.cast_signed();
        true
    }
}
