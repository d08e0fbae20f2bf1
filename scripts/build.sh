#!/usr/bin/env bash
# Builds every executable: for this machine, or for any x86-64 one.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/build.sh [--portable] [--locked]

Builds the executables of all crates in release mode, for the processor of this machine.
  --portable   for the x86-64 baseline instead: executables that may travel. Kernels that
               gain from newer instructions choose them when they run.
  --locked     fails where Cargo.lock would have to change.

The executables lie in target/release, or target/portable/release; CARGO_TARGET_DIR changes target.
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
    # The variable replaces the flags of .cargo/config.toml.
    RUSTFLAGS="-C target-cpu=x86-64" cargo build "${locked[@]}" --release --workspace --bins --target-dir "$target/portable"
    echo "executables: $target/portable/release"
else
    cargo build "${locked[@]}" --release --workspace --bins
    echo "executables: $target/release"
fi
