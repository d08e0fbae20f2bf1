#!/usr/bin/env bash
# Makes the archive that a course asks for: scripts/remise.sh --help
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
# The caller's folder stays the current one, for the archives' folder is meant from there: rustup and cargo are told
# where the project is.
RUSTUP_TOOLCHAIN=$(sed -n 's/^channel = "\(.*\)"/\1/p' "$top/rust-toolchain.toml")
export RUSTUP_TOOLCHAIN
exec cargo run --quiet --manifest-path "$top/Cargo.toml" --package remise -- "$@"
