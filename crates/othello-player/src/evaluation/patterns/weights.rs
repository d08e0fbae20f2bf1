//! The weights of all pattern states, packed in a file and unpacked stage by stage.
//!
//! The file has the magic line, the lengths of its blocks (4 bytes each, little endian), and the blocks: one per stage,
//! and the [`Pairs`]. An unpacked stage holds the number of its escapes (4 bytes), one byte per weight, and the escapes,
//! two bytes each. A weight is in 1/16 of a disc; the byte −128 refers to the next escape. A state and its mirror image
//! have the same weight and are stored once. Two of three stages store differences from the neighbouring stage of the
//! same parity, compressed with Zstandard; the weights of rare states hardly change. That neighbour is not compressed: to
//! unpack it took most of the time of a first move.

use super::layout::{STORED, each_state, stored_states};
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
const MAGIC: &[u8; 16] = b"othello-weights4";
/// The bytes before the first block.
const CONTENTS: usize = MAGIC.len() + 4 * BLOCKS;

/// The weights of a stage: those of the stored states, then the mobilities.
const STORED_WEIGHTS: usize = STORED + MOBILITIES;

/// Puts its content at the start of a cache line.
#[repr(align(64))]
struct Aligned<T: ?Sized>(T);

/// The built-in weights file, and its [`checksum`].
const BUILT_IN: (&[u8], u64) = {
    static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("weights.bin"));
    (&FILE.0, 0xbc83_9578_6047_7e05)
};

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
        if file.len() < MAGIC.len() || file[..MAGIC.len()] != *MAGIC {
            let start = String::from_utf8_lossy(&file[..file.len().min(MAGIC.len())]).into_owned();
            return Err(UnpackError::Magic(start));
        }
        let length = |block: usize| {
            let bytes = file.get(MAGIC.len() + 4 * block..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes) as usize)
        };
        let expected = (0..BLOCKS).try_fold(CONTENTS, |sum, block| sum.checked_add(length(block)?));
        if expected != Some(file.len()) {
            return Err(UnpackError::Length { found: file.len(), expected: expected.unwrap_or(CONTENTS) });
        }
        let mut rest = &file[CONTENTS..];
        let blocks = std::array::from_fn(|block| {
            let (block, behind) = rest.split_at(length(block).unwrap_or(0));
            rest = behind;
            block
        });
        let stages = std::array::from_fn(|_| OnceLock::new());
        Ok(Self { blocks, stages, pairs: OnceLock::new() })
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
        let mut weights = vec![0; STORED_WEIGHTS];
        let wrong = |stage| move || damaged(stage, &NOT_ONE_A_STATE);
        let base = base_of(stage).unwrap_or(stage);
        add(&mut weights, self.blocks[base]).ok_or_else(wrong(base))?;
        if base != stage {
            add(&mut weights, &self.decompressed(stage)?).ok_or_else(wrong(stage))?;
        }
        expand(&weights, pairs).ok_or_else(wrong(stage))
    }

    /// The differences of a stage from the one that it is stored relative to.
    fn decompressed(&self, stage: usize) -> Result<Vec<u8>, UnpackError> {
        let damaged = |reason: &dyn fmt::Display| damaged(stage, reason);
        // Room for a byte a weight and a few escapes.
        let mut block = Vec::with_capacity(STORED_WEIGHTS + (4 << 10));
        // A damaged block cannot take more memory than a table of escapes only.
        let most = 4 + 3 * STORED_WEIGHTS as u64;
        StreamingDecoder::new(self.blocks[stage])
            .map_err(|error| damaged(&error))?
            .take(most)
            .read_to_end(&mut block)
            .map_err(|error| damaged(&error))?;
        Ok(block)
    }
}

const NOT_ONE_A_STATE: &str = "it does not have one weight per state";

fn damaged(stage: usize, reason: &dyn fmt::Display) -> UnpackError {
    UnpackError::Stage { stage, reason: reason.to_string() }
}

/// Adds the weights of an unpacked stage; `None` if it has more or fewer, or if the number of escapes differs from the
/// header.
fn add(weights: &mut [i16], block: &[u8]) -> Option<()> {
    /// Few runs of this length have an escape. The others are added in vectors.
    const RUN: usize = 64;
    let (escapes, block) = block.split_first_chunk()?;
    let escapes = (u32::from_le_bytes(*escapes) as usize).checked_mul(2)?;
    let (bytes, escapes) = block.split_at(block.len().checked_sub(escapes)?);
    if bytes.len() != weights.len() {
        return None;
    }
    let mut escapes = escapes.as_chunks().0.iter();
    for (weights, bytes) in weights.chunks_mut(RUN).zip(bytes.chunks(RUN)) {
        let mut has_escape = false;
        for (weight, &byte) in weights.iter_mut().zip(bytes) {
            *weight = weight.wrapping_add(i16::from(byte as i8));
            has_escape |= byte as i8 == ESCAPE;
        }
        if has_escape {
            for (weight, _) in weights.iter_mut().zip(bytes).filter(|&(_, &byte)| byte as i8 == ESCAPE) {
                let escaped = i16::from_le_bytes(*escapes.next()?);
                *weight = weight.wrapping_sub(i16::from(ESCAPE)).wrapping_add(escaped);
            }
        }
    }
    escapes.next().is_none().then_some(())
}

/// Expands weights to a table of all states with their vectors. Returns `None` if their number is wrong or a weight is
/// out of range.
fn expand(weights: &[i16], pairs: &Pairs) -> Option<Box<Table>> {
    let (weights, mobilities) = weights.split_first_chunk::<STORED>()?;
    let mut table: Box<Table> = vec![StateEntry::default(); TABLE_LEN].try_into().ok()?;
    let fit = weights.iter().chain(mobilities).fold(true, |fit, &weight| fit & StateEntry::fits(weight));
    if !fit || mobilities.len() != MOBILITIES {
        return None;
    }
    let mut nth = 0;
    // Without a branch: half of the states are mirror images of earlier ones, in an order that cannot be predicted.
    each_state(|place, mirror, _| {
        let (place, mirror) = (place as usize, mirror as usize);
        let last = nth.min(STORED - 1);
        let next = StateEntry::new(weights[last], pairs.number(last));
        let is_stored = place <= mirror;
        table[place] = if is_stored { next } else { table[mirror] };
        nth += usize::from(is_stored);
    });
    for (entry, &weight) in table[TABLE_LEN - MOBILITIES..].iter_mut().zip(mobilities) {
        *entry = StateEntry::new(weight, 0);
    }
    Some(table)
}

/// Packs a weights file from a table in discs for each stage, with mirror images equal, and from the pairs. `compress`
/// returns a Zstandard frame. In a file that begins at a cache line, no vector of the pairs spans two.
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
        if base.is_some() { compress(&block) } else { block }
    };
    let mut blocks: Vec<_> = (0..STAGES).map(stage).collect();
    let before = CONTENTS + blocks.iter().map(Vec::len).sum::<usize>();
    blocks.push(pairs.to_bytes(before));
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
        let first_block = CONTENTS;
        wrong[first_block] ^= 0xff;
        assert!(matches!(refused(wrong), UnpackError::Stage { stage: 0, .. }));
    }
}
