//! The weights of all pattern states, packed in a file and unpacked stage by stage.
//!
//! The file has the magic line, the lengths of its blocks (4 bytes each, little endian), and the blocks: one per stage,
//! compressed with Zstandard, and the uncompressed [`Pairs`]. An unpacked stage holds the number of its escapes (4
//! bytes), one byte per weight, and the escapes, two bytes each. A weight is in 1/16 of a disc; the byte −128 refers to
//! the next escape. A state and its mirror image have the same weight and are stored once. Two of three stages store
//! differences from the neighbouring stage of the same parity, which saves a third of the file, because the weights of
//! rare states hardly change.

use super::layout::stored_states;
use super::{MOBILITIES, Pairs, StateEntry, TABLE_LEN, Table};
use ruzstd::decoding::StreamingDecoder;
use std::fmt;
use std::io::Read;
use std::sync::OnceLock;
use wire::checksum;

/// The number of stages. A stage is two plies of the same parity out of four consecutive plies, because the parity
/// decides which side has the last move.
pub const STAGES: usize = 30;
/// The number of blocks: the stages and the pairs.
const BLOCKS: usize = STAGES + 1;
const ESCAPE: i8 = i8::MIN;
const MAGIC: &[u8; 16] = b"othello-weights3";

/// The built-in weights file, and its [`checksum`].
const BUILT_IN: (&[u8], u64) = (include_bytes!("weights.bin"), 0x2cea_df98_104d_311a);

/// The stage of a position with this many empty squares.
#[inline]
#[must_use]
pub fn stage_of(empties: u32) -> usize {
    let ply = 60_u32.saturating_sub(empties).min(59) as usize;
    ply / 4 * 2 + ply % 2
}

/// The stage that a stage's weights are stored relative to: of three consecutive stages of the same parity, the middle
/// one.
const fn base_of(stage: usize) -> Option<usize> {
    match stage / 2 % 3 {
        0 => Some(stage + 2),
        1 => None,
        _ => Some(stage - 2),
    }
}

fn compare(file: &[u8], expected: u64) -> Result<(), UnpackError> {
    let found = checksum(file);
    if found == expected { Ok(()) } else { Err(UnpackError::Checksum { found, expected }) }
}

/// The reason why a weights file was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// The file does not begin with the magic line.
    #[error("not a weights file: it begins with {0:?}")]
    Magic(String),
    /// The file is not the one that was compiled in.
    #[error("the built-in weights are damaged: their checksum is {found:016x}, not {expected:016x}")]
    Checksum {
        /// The checksum of the file.
        found: u64,
        /// The checksum at compile time.
        expected: u64,
    },
    /// The file is too short or too long.
    #[error("the weights file has {found} bytes, not {expected}")]
    Length {
        /// The length in bytes.
        found: usize,
        /// The length by the file's own table of contents, in bytes.
        expected: usize,
    },
    /// A stage cannot be unpacked.
    #[error("stage {stage} of the weights file is damaged: {reason}")]
    Stage {
        /// The number of the stage, from 0.
        stage: usize,
        /// The fault in the stage.
        reason: String,
    },
    /// The second-order parameters cannot be unpacked.
    #[error("the pairs of the weights file are damaged")]
    Pairs,
}

/// A weights file whose stages are unpacked on first use.
#[derive(Debug)]
pub struct Weights {
    blocks: [&'static [u8]; BLOCKS],
    stages: [OnceLock<Box<Table>>; STAGES],
    /// The stored weights of the stages that others are relative to.
    bases: [OnceLock<Vec<i16>>; STAGES],
    pairs: OnceLock<Pairs>,
}

impl Weights {
    /// The built-in weights.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: OnceLock<Weights> = OnceLock::new();
        EMBEDDED.get_or_init(|| {
            // A test unpacks every stage of this file.
            Self::open(BUILT_IN.0).expect("the built-in weights are whole")
        })
    }

    /// Verifies the checksum of the built-in weights, in a tenth of a millisecond.
    ///
    /// # Errors
    /// [`UnpackError::Checksum`].
    pub fn check_embedded() -> Result<(), UnpackError> {
        compare(BUILT_IN.0, BUILT_IN.1)
    }

    /// Opens a weights file and checks its table of contents.
    ///
    /// # Errors
    /// [`UnpackError::Magic`] or [`UnpackError::Length`].
    pub fn open(file: &'static [u8]) -> Result<Self, UnpackError> {
        let contents = MAGIC.len() + 4 * BLOCKS;
        if file.len() < MAGIC.len() || file[..MAGIC.len()] != *MAGIC {
            let start = String::from_utf8_lossy(&file[..file.len().min(MAGIC.len())]).into_owned();
            return Err(UnpackError::Magic(start));
        }
        let length = |block: usize| {
            let bytes = file.get(MAGIC.len() + 4 * block..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes) as usize)
        };
        let expected = (0..BLOCKS).try_fold(contents, |sum, block| sum.checked_add(length(block)?));
        if expected != Some(file.len()) {
            return Err(UnpackError::Length { found: file.len(), expected: expected.unwrap_or(contents) });
        }
        let mut rest = &file[contents..];
        let blocks = std::array::from_fn(|block| {
            let (block, behind) = rest.split_at(length(block).unwrap_or(0));
            rest = behind;
            block
        });
        let stages = std::array::from_fn(|_| OnceLock::new());
        let bases = std::array::from_fn(|_| OnceLock::new());
        Ok(Self { blocks, stages, bases, pairs: OnceLock::new() })
    }

    /// Unpacks everything once, to prove that nothing can fail later.
    ///
    /// # Errors
    /// [`UnpackError::Pairs`], or [`UnpackError::Stage`] for the first damaged stage.
    pub fn check(&self) -> Result<(), UnpackError> {
        let pairs = self.unpack_pairs()?;
        (0..STAGES).try_for_each(|stage| self.unpack(stage, &pairs).map(drop))
    }

    /// Unpacks all stages now, which takes tens of milliseconds, so that no search has to.
    ///
    /// # Panics
    /// As [`stage`](Self::stage).
    pub fn unpack_all(&self) {
        for stage in 0..STAGES {
            self.stage(stage);
        }
    }

    /// True if all stages are unpacked.
    #[must_use]
    pub fn is_unpacked(&self) -> bool {
        self.stages.iter().all(|stage| stage.get().is_some())
    }

    /// The second-order parameters.
    ///
    /// # Panics
    /// If they are damaged: call [`check`](Self::check) first on a file that is not built in.
    #[inline]
    pub fn pairs(&self) -> &Pairs {
        self.pairs.get_or_init(|| self.unpack_pairs().unwrap_or_else(|error| panic!("{error}")))
    }

    #[cold]
    fn unpack_pairs(&self) -> Result<Pairs, UnpackError> {
        Pairs::of_bytes(self.blocks[STAGES]).ok_or(UnpackError::Pairs)
    }

    /// A stage's table: every state of every family, then the mobilities.
    ///
    /// # Panics
    /// If the stage or the pairs are damaged: call [`check`](Self::check) first on a file that is not built in.
    #[inline]
    pub fn stage(&self, stage: usize) -> &Table {
        let unpack = || self.unpack(stage, self.pairs()).unwrap_or_else(|error| panic!("{error}"));
        self.stages[stage].get_or_init(unpack)
    }

    #[cold]
    fn unpack(&self, stage: usize, pairs: &Pairs) -> Result<Box<Table>, UnpackError> {
        let damaged = || damaged(stage, &NOT_ONE_A_STATE);
        match base_of(stage) {
            None => expand(self.base(stage)?, pairs),
            Some(base) => {
                let base = self.base(base)?;
                let mut weights = self.stored(stage)?;
                if weights.len() != base.len() {
                    return Err(damaged());
                }
                for (weight, base) in weights.iter_mut().zip(base) {
                    *weight = weight.wrapping_add(*base);
                }
                expand(&weights, pairs)
            }
        }
        .ok_or_else(damaged)
    }

    /// The stored weights of a stage that others are relative to.
    fn base(&self, stage: usize) -> Result<&[i16], UnpackError> {
        if let Some(weights) = self.bases[stage].get() {
            return Ok(weights);
        }
        let weights = self.stored(stage)?;
        Ok(self.bases[stage].get_or_init(|| weights))
    }

    /// The stored weights of a stage in 1/16 of a disc, relative to its base if it has one.
    fn stored(&self, stage: usize) -> Result<Vec<i16>, UnpackError> {
        let damaged = |reason: &dyn fmt::Display| damaged(stage, reason);
        // Room for a byte a weight and a few escapes.
        let mut block = Vec::with_capacity(stored_states().len() + MOBILITIES + (4 << 10));
        // A damaged block cannot take more memory than a table of escapes only.
        let most = 4 + 3 * TABLE_LEN as u64;
        StreamingDecoder::new(self.blocks[stage])
            .map_err(|error| damaged(&error))?
            .take(most)
            .read_to_end(&mut block)
            .map_err(|error| damaged(&error))?;
        let (escapes, block) = block.split_first_chunk().ok_or_else(|| damaged(&"it is empty"))?;
        let escapes = 2 * u32::from_le_bytes(*escapes) as usize;
        let split = block.len().checked_sub(escapes).ok_or_else(|| damaged(&"it has too few escapes"))?;
        let (bytes, escapes) = block.split_at(split);
        read(bytes, escapes).ok_or_else(|| damaged(&NOT_ONE_A_STATE))
    }
}

const NOT_ONE_A_STATE: &str = "it does not have one weight per state";

fn damaged(stage: usize, reason: &dyn fmt::Display) -> UnpackError {
    UnpackError::Stage { stage, reason: reason.to_string() }
}

/// The weights of a block; `None` if the number of escapes differs from the header.
fn read(bytes: &[u8], escapes: &[u8]) -> Option<Vec<i16>> {
    let mut escapes = escapes.chunks_exact(2);
    // Two passes: without the few escapes, the first one is vectorised.
    let mut weights: Vec<i16> = bytes.iter().map(|&byte| i16::from(byte as i8)).collect();
    for weight in weights.iter_mut().filter(|weight| **weight == i16::from(ESCAPE)) {
        let pair = escapes.next()?;
        *weight = i16::from_le_bytes([pair[0], pair[1]]);
    }
    escapes.next().is_none().then_some(weights)
}

/// Expands weights to a table of all states with their vectors. Returns `None` if their number is wrong or a weight is
/// out of range.
fn expand(weights: &[i16], pairs: &Pairs) -> Option<Box<Table>> {
    let states = stored_states();
    let (weights, mobilities) = weights.split_at_checked(states.len())?;
    let mut table: Box<Table> = vec![StateEntry::default(); TABLE_LEN].try_into().ok()?;
    for ((state, &weight), &number) in states.iter().zip(weights).zip(pairs.numbers()) {
        let entry = StateEntry::new(weight, number)?;
        table[state.place()] = entry;
        table[state.mirror()] = entry;
    }
    if mobilities.len() != MOBILITIES {
        return None;
    }
    for (entry, &weight) in table[TABLE_LEN - MOBILITIES..].iter_mut().zip(mobilities) {
        *entry = StateEntry::new(weight, 0)?;
    }
    Some(table)
}

/// Packs a weights file from a table in discs for each stage, with mirror images equal, and from the pairs. `compress`
/// returns a Zstandard frame.
pub fn pack(tables: &[Vec<f32>; STAGES], pairs: &Pairs, compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let stages = tables.each_ref().map(|table| -> Vec<i16> {
        let most = f32::from(StateEntry::MOST);
        let stored = |discs: &f32| (discs * 16.0).round().clamp(-most, most) as i16;
        let states = stored_states().iter().map(|state| &table[state.place()]);
        states.chain(&table[TABLE_LEN - MOBILITIES..]).map(stored).collect()
    });
    let stage = |stage: usize| {
        let base = base_of(stage).map(|base| &stages[base]);
        let (mut bytes, mut escapes) = (Vec::new(), Vec::new());
        for (place, &weight) in stages[stage].iter().enumerate() {
            let weight = weight - base.map_or(0, |base| base[place]);
            match i8::try_from(weight) {
                Ok(small) if small != ESCAPE => bytes.push(small as u8),
                _ => {
                    bytes.push(ESCAPE as u8);
                    escapes.extend(weight.to_le_bytes());
                }
            }
        }
        let mut block = ((escapes.len() / 2) as u32).to_le_bytes().to_vec();
        block.extend(bytes);
        block.extend(escapes);
        compress(&block)
    };
    let mut blocks: Vec<_> = (0..STAGES).map(stage).collect();
    blocks.push(pairs.to_bytes());
    let mut file = MAGIC.to_vec();
    blocks.iter().for_each(|block| file.extend((block.len() as u32).to_le_bytes()));
    blocks.iter().for_each(|block| file.extend(block));
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(tables: &[Vec<f32>; STAGES]) -> Vec<u8> {
        use ruzstd::encoding::{CompressionLevel, compress_to_vec};
        super::pack(tables, &Pairs::none(), |block| compress_to_vec(block, CompressionLevel::Uncompressed))
    }

    fn leak(file: Vec<u8>) -> &'static [u8] {
        file.leak()
    }

    /// Tables with irregular weights, mirror images equal, some of them too large for a byte.
    fn tables() -> [Vec<f32>; STAGES] {
        std::array::from_fn(|stage| {
            let mut table: Vec<f32> =
                (0..TABLE_LEN).map(|at| ((at * 7 + stage) % 641) as f32 / 16.0 - 20.0).collect();
            for state in stored_states() {
                table[state.mirror()] = table[state.place()];
            }
            table
        })
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let tables = tables();
        let weights = Weights::open(leak(pack(&tables))).unwrap();
        for (stage, table) in tables.iter().enumerate() {
            let expected: Vec<i32> = table.iter().map(|discs| (discs * 128.0) as i32).collect();
            let found: Vec<i32> = weights.stage(stage).iter().map(|place| place.worth()).collect();
            assert!(found == expected, "stage {stage}");
        }
    }

    #[test]
    fn weights_beyond_what_a_place_holds_end_at_its_bounds() {
        let mut tables = tables();
        let [far, near] = [TABLE_LEN - 1, TABLE_LEN - 2];
        (tables[3][far], tables[3][near]) = (100.0, -100.0);
        let weights = Weights::open(leak(pack(&tables))).unwrap();
        let most = i32::from(StateEntry::MOST) * 8;
        assert_eq!([far, near].map(|place| weights.stage(3)[place].worth()), [most, -most]);
    }

    #[test]
    fn the_built_in_weights_are_whole() {
        assert_eq!(Weights::check_embedded(), Ok(()));
        assert_eq!(Weights::embedded().check(), Ok(()));
    }

    #[test]
    fn a_changed_byte_of_the_built_in_weights_is_seen() {
        let (file, expected) = BUILT_IN;
        for at in [0, 1, 40, file.len() / 2, file.len() - 1] {
            let mut damaged = file.to_vec();
            damaged[at] ^= 0x10;
            let error = compare(&damaged, expected).unwrap_err().to_string();
            let start = "the built-in weights are damaged: their checksum is ";
            assert!(error.starts_with(start) && error.ends_with(&format!("not {expected:016x}")), "{error}");
        }
        assert!(compare(&file[..file.len() - 1], expected).is_err());
        assert!(compare(&[file, &[0]].concat(), expected).is_err(), "a zero behind the end counts");
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_reason() {
        let file = pack(&tables());
        let refused =
            |file: Vec<u8>| Weights::open(leak(file)).and_then(|weights| weights.check()).unwrap_err();
        assert_eq!(refused(b"PNG".to_vec()), UnpackError::Magic("PNG".into()));
        assert!(matches!(refused(file[..50].to_vec()), UnpackError::Length { found: 50, .. }));
        assert!(matches!(refused(file[..file.len() - 1].to_vec()), UnpackError::Length { .. }));
        let mut longer = file.clone();
        longer.push(0);
        assert!(matches!(refused(longer), UnpackError::Length { .. }));
        let mut odd = file[..file.len() - 1].to_vec();
        // Corrects the length of the last block.
        odd[MAGIC.len() + 4 * STAGES] -= 1;
        assert_eq!(refused(odd), UnpackError::Pairs);
        let mut wrong = file;
        let first_block = MAGIC.len() + 4 * BLOCKS;
        wrong[first_block] ^= 0xff;
        assert!(matches!(refused(wrong), UnpackError::Stage { stage: 0, .. }));
    }
}
