//! Prints the game tree level by level in constant memory.
//!
//! Each level is one depth-first walk to that depth, which meets the nodes in breadth-first order. Numbers are never
//! converted to decimal: the digits of a position are its parent's plus a constant of the move (see [`digits`]), added
//! by a kernel chosen at run time. All kernels write the same bytes.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // Loads and stores of whole vectors.
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // Loads and stores of whole vectors.
mod avx512;
mod digits;
mod output;
mod portable;
mod walk;

use crate::rules::{Integer, State};
use output::Output;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};

/// The code that adds the digits of the tree's integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Eight digits a 64-bit word; any processor.
    Portable,
    /// 32 digits a vector; x86-64 with AVX2.
    Avx2,
    /// All digits in one vector; x86-64 with AVX-512 VBMI.
    Avx512,
}

// Slowest first.
wire::named!(Kernel, "kernel": Portable = "portable", Avx2 = "avx2", Avx512 = "avx512");

impl Kernel {
    /// Returns whether this processor supports the kernel.
    #[must_use]
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Self::Portable => true,
            Self::Avx2 => avx2::Avx2::detect().is_some(),
            Self::Avx512 => avx512::Avx512::detect().is_some(),
        };
        #[cfg(not(target_arch = "x86_64"))]
        return self == Self::Portable;
    }

    /// The fastest kernel that this processor supports.
    #[must_use]
    pub fn best() -> Self {
        Self::ALL.iter().rev().copied().find(|kernel| kernel.is_available()).unwrap_or(Self::Portable)
    }
}

/// Writes `depth` generations of the tree below `root`: a line a level, a space after each integer. A level without
/// nodes writes nothing. `output` receives few, large writes.
///
/// # Errors
/// Errors of `output`; [`io::ErrorKind::Unsupported`] if the processor does not support `kernel`.
pub fn write(
    root: Integer,
    state: &State,
    depth: u64,
    kernel: Kernel,
    output: &mut impl Write,
) -> io::Result<()> {
    write_on(root, state, depth, kernel, Output::new(output, None))
}

/// Like [`write()`], to a file descriptor. For a large tree into a pipe, memory pages are given instead of copied.
///
/// # Errors
/// As [`write()`].
pub fn write_to<W>(root: Integer, state: &State, depth: u64, kernel: Kernel, output: &W) -> io::Result<()>
where
    W: AsFd,
    for<'a> &'a W: Write,
{
    let pipe: BorrowedFd<'_> = output.as_fd();
    write_on(root, state, depth, kernel, Output::new(&mut &*output, Some(pipe)))
}

fn write_on(
    root: Integer,
    state: &State,
    depth: u64,
    kernel: Kernel,
    output: Output<'_, impl Write>,
) -> io::Result<()> {
    let unsupported =
        || io::Error::new(io::ErrorKind::Unsupported, format!("this processor has no {kernel}"));
    match kernel {
        Kernel::Portable => walk::write(root, state, depth, portable::Portable, output),
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2 => {
            walk::write(root, state, depth, avx2::Avx2::detect().ok_or_else(unsupported)?, output)
        }
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512 => {
            walk::write(root, state, depth, avx512::Avx512::detect().ok_or_else(unsupported)?, output)
        }
        #[cfg(not(target_arch = "x86_64"))]
        Kernel::Avx2 | Kernel::Avx512 => Err(unsupported()),
    }
}
