use crate::{EXAMPLE, perft_rows};
use md5::{Digest, Md5};
use num_bigint::BigUint;
use search_core::Position;
use search_core::testing::random_positions;
use std::io::{self, Read, Write};
use uttt::protocol::Request;
use uttt::rules::{Integer, State};
use uttt::tree::{self, Kernel};

fn tree(integer: &str, depth: u64, kernel: Kernel) -> String {
    let request: Request = integer.parse().unwrap();
    let mut output = Vec::new();
    tree::write(request.integer, &request.state, depth, kernel, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// The kernels that this processor supports; prints the others.
fn kernels() -> impl Iterator<Item = Kernel> {
    for kernel in Kernel::ALL.iter().filter(|kernel| !kernel.is_available()) {
        println!("skipped: this processor has no {kernel}");
    }
    Kernel::ALL.iter().copied().filter(|kernel| kernel.is_available())
}

/// The tree computed as a course would, on lists of big integers.
fn oracle(integer: &str, depth: u64) -> String {
    let mut level = vec![integer.to_owned()];
    let mut text = String::new();
    for generation in 0..=depth {
        for number in &level {
            text.push_str(number);
            text.push(' ');
        }
        if level.is_empty() || generation == depth {
            break;
        }
        text.push('\n');
        level = level.iter().flat_map(|number| children(number)).collect();
    }
    if text.ends_with(' ') {
        text.push('\n');
    }
    text
}

/// The children of a position by the assignment's formulas, on big integers.
fn children(number: &str) -> Vec<String> {
    let number: BigUint = number.parse().unwrap();
    let value = |cell: usize| -> u64 {
        let bits: BigUint = (&number >> (2 * (80 - cell))) & BigUint::from(3_u32);
        bits.try_into().unwrap()
    };
    let cells: Vec<u64> = (0..81).map(value).collect();
    let last: BigUint = &number >> 162_u32;
    let last: u64 = last.try_into().unwrap();
    let won_by = |cells: &[u64], symbol: u64| {
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
            .iter()
            .any(|line| line.iter().all(|&cell| cells[cell] == symbol))
    };
    let owner = |board: usize| (1..=2).find(|&symbol| won_by(&cells[9 * board..9 * board + 9], symbol));
    let owners: Vec<u64> = (0..9).map(|board| owner(board).unwrap_or(0)).collect();
    let open = |board: usize| owners[board] == 0 && cells[9 * board..9 * board + 9].contains(&0);
    if won_by(&owners, 1) || won_by(&owners, 2) {
        return Vec::new();
    }
    let empty = cells.iter().all(|&cell| cell == 0);
    let count = |symbol| cells.iter().filter(|&&cell| cell == symbol).count();
    let mover = match cells.get(last as usize) {
        _ if empty => 1,
        Some(1) => 2,
        Some(2) => 1,
        _ if count(1) == count(2) => 1,
        _ => 2,
    };
    let forced = (!empty && open(last as usize % 9)).then_some(last as usize % 9);
    (0..81)
        .filter(|&cell| cells[cell] == 0 && forced.map_or(open(cell / 9), |board| cell / 9 == board))
        .map(|cell| {
            let without_last = &number - (BigUint::from(last) << 162_u32);
            let child = without_last
                + (BigUint::from(mover as u32) << (2 * (80 - cell)))
                + (BigUint::from(cell) << 162_u32);
            child.to_string()
        })
        .collect()
}

#[test]
fn a_tree_is_a_line_a_level_and_a_space_after_each_number() {
    let expected = "459329034283597291728327479273734123420780266358036 \n\
                    319024877099830611580773735332970962541009996973332 330716890198477834926403213994701218254008155997460 \n";
    for kernel in kernels() {
        assert_eq!(tree(EXAMPLE, 1, kernel), expected);
        // Both children are finished games, so deeper levels have no nodes and write nothing.
        assert_eq!(tree(EXAMPLE, 9, kernel), expected);
        assert_eq!(tree(EXAMPLE, 0, kernel), expected.split_inclusive('\n').next().unwrap());
        assert_eq!(tree("0", 0, kernel), "0 \n");
    }
}

#[test]
fn every_kernel_counts_what_perft_counts() {
    for kernel in kernels() {
        for (integer, counts) in perft_rows() {
            let depth = counts.iter().take_while(|&&count| count < 60_000).count();
            let text = tree(&integer, depth as u64, kernel);
            for (line, &count) in text.lines().skip(1).zip(&counts) {
                assert_eq!(line.matches(' ').count() as u64, count, "{kernel} {integer}");
            }
        }
    }
}

#[test]
fn every_kernel_writes_what_big_integers_say_on_random_positions() {
    // Early positions, whose numbers are short, late ones, and finished games.
    let mut positions = random_positions(&State::start(), 5, 10_000, 75);
    positions.extend(finished(5, 200));
    for state in positions {
        let integer = state.to_string();
        let expected = oracle(&integer, 1);
        let legal: Vec<_> = state
            .move_list()
            .into_iter()
            .map(|cell| {
                let mut next = state;
                next.play(cell);
                next.to_string()
            })
            .collect();
        assert_eq!(expected.split_whitespace().skip(1).collect::<Vec<_>>(), legal, "{integer}");
        for kernel in kernels() {
            assert_eq!(tree(&integer, 1, kernel), expected, "{kernel} {integer}");
        }
    }
}

#[test]
fn every_kernel_writes_the_same_deep_tree() {
    for state in random_positions(&State::start(), 6, 30, 70) {
        let integer = state.to_string();
        let expected = oracle(&integer, 3);
        for kernel in kernels() {
            assert!(tree(&integer, 3, kernel) == expected, "{kernel} {integer}");
        }
    }
}

fn finished(seed: u64, count: usize) -> Vec<State> {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count)
        .map(|_| {
            let mut state = State::start();
            while state.outcome().is_none() {
                let moves = state.move_list();
                state.play(moves[random.random_range(0..moves.len())]);
            }
            state
        })
        .collect()
}

/// The md5 sum of the bytes written.
#[derive(Default)]
struct Sum(Md5);

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn sum(depth: u64, kernel: Kernel) -> String {
    let mut sum = Sum::default();
    tree::write(Integer::default(), &State::start(), depth, kernel, &mut sum).unwrap();
    sum.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_trees_of_depth_3_and_4_have_their_published_sums() {
    for kernel in kernels() {
        assert_eq!(sum(3, kernel), "1388793b07d2e97f12e198345b3ec8df", "{kernel}");
        assert_eq!(sum(4, kernel), "01a0214a7a4777289debc622bbab1365", "{kernel}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "two gigabytes a kernel: cargo test --release")]
fn the_tree_of_depth_7_has_its_published_sum() {
    for kernel in kernels() {
        assert_eq!(sum(7, kernel), "56630557459274e9eb7b919b1b4afa81", "{kernel}");
    }
}

/// The md5 sum of the tree after it passed through a pipe, read in small pieces.
#[cfg(unix)]
fn through_a_pipe(depth: u64, kernel: Kernel) -> String {
    use std::io::Read;
    let (mut reader, mut writer) = io::pipe().unwrap();
    let writing = std::thread::spawn(move || {
        tree::write(Integer::default(), &State::start(), depth, kernel, &mut writer).unwrap();
    });
    let (mut sum, mut piece) = (Md5::new(), [0; 10_007]);
    loop {
        let read = reader.read(&mut piece).unwrap();
        if read == 0 {
            break;
        }
        sum.update(&piece[..read]);
    }
    writing.join().unwrap();
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
#[cfg(unix)]
fn a_pipe_carries_the_same_bytes() {
    for kernel in kernels() {
        assert_eq!(through_a_pipe(4, kernel), "01a0214a7a4777289debc622bbab1365", "{kernel}");
    }
}

/// Reads a pipe to its end in pieces of odd sizes, after its writer has filled it.
fn read_slowly(mut reader: impl Read) -> Vec<u8> {
    std::thread::sleep(std::time::Duration::from_millis(200));
    let (mut all, mut piece) = (Vec::new(), vec![0; 77_777]);
    loop {
        match reader.read(&mut piece).unwrap() {
            0 => return all,
            some => all.extend_from_slice(&piece[..some]),
        }
    }
}

#[test]
fn a_pipe_is_given_the_bytes_that_a_writer_gets() {
    let (depth, kernel) = (5, Kernel::best());
    let mut written = Vec::new();
    tree::write(Integer::default(), &State::start(), depth, kernel, &mut written).unwrap();
    // Larger than the plainly written start and the ring together.
    assert!(written.len() > 22 << 20, "{}", written.len());

    let (reader, writer) = std::io::pipe().unwrap();
    let given = std::thread::scope(|scope| {
        let read = scope.spawn(|| read_slowly(reader));
        tree::write_to(Integer::default(), &State::start(), depth, kernel, &writer).unwrap();
        drop(writer);
        read.join().unwrap()
    });
    assert!(given == written);

    let file = tempfile::NamedTempFile::new().unwrap();
    tree::write_to(Integer::default(), &State::start(), depth, kernel, file.as_file()).unwrap();
    assert!(std::fs::read(file.path()).unwrap() == written);
}

#[test]
#[cfg(target_os = "linux")]
fn into_a_pipe_a_tree_takes_sixteen_megabytes_at_most() {
    use std::process::{Command, Stdio};
    let mut tree = Command::new(env!("CARGO_BIN_EXE_uttt"))
        .args(["a", "6", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = tree.stdout.take().unwrap();
    // The writer fills its ring twice, then waits for a reader that has stopped reading.
    let mut piece = vec![0; 1 << 20];
    (0..40).for_each(|_| reader.read_exact(&mut piece).unwrap());
    let status = std::fs::read_to_string(format!("/proc/{}/status", tree.id())).unwrap();
    tree.kill().unwrap();
    tree.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{kilobytes} kB");
    // At least the ring's 12 MiB, which shows that the measured run gave pages away.
    assert!((12 << 10..16_000 * 1000 / 1024).contains(&kilobytes), "{peak}");
}

#[test]
fn a_reader_that_leaves_ends_a_large_tree() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || reader.read_exact(&mut vec![0; 10 << 20]).unwrap());
        let left = tree::write_to(Integer::default(), &State::start(), 7, Kernel::best(), &writer);
        assert_eq!(left.unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
    });
}
