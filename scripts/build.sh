#!/usr/bin/env bash
# Builds every executable, for this machine or for any x86-64 processor.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/build.sh [--portable] [--locked]

Builds the executables of all crates in release mode, for the processor of this machine.
  --portable   build for any x86-64 processor; code that gains from newer instructions
               selects them at run time
  --locked     fail if Cargo.lock would have to change

The executables are in target/release, or target/portable/release with --portable. The variable
CARGO_TARGET_DIR replaces target.
TEXT
}

portable=false locked=()
for argument in "$@"; do
    case $argument in
        --portable) portable=true ;;
        --locked) locked=(--locked) ;;
        -h | --help) usage; exit 0 ;;
        *) echo "build.sh: unknown argument \"$argument\"" >&2; usage >&2; exit 2 ;;
    esac
done

cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
if $portable; then
    # The variable overrides the flags of .cargo/config.toml.
    RUSTFLAGS="-C target-cpu=x86-64" cargo build "${locked[@]}" --release --workspace --bins --target-dir "$target/portable"
    echo "executables: $target/portable/release"
else
    cargo build "${locked[@]}" --release --workspace --bins
    echo "executables: $target/release"
fi
