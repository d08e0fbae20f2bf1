#!/usr/bin/env bash
# Runs every check of the project.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/test.sh

Runs, and stops at the first that fails: the format check, clippy (warnings denied), all tests,
the documentation (warnings denied), a smoke run of every bench, and the protocol and signature
tests once more on a release build for the x86-64 baseline.
TEXT
}

case ${1-} in
    "") ;;
    -h | --help) usage; exit 0 ;;
    *) echo "test.sh: unknown argument \"$1\"" >&2; usage >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."

step() {
    echo "== $1 (${SECONDS} s)"
    shift
    "$@"
}

step "format" cargo fmt --all --check
step "clippy" cargo clippy --quiet --workspace --all-targets -- -D warnings
step "tests" cargo test --quiet --workspace
step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
# Whole-program optimisation is for measuring; here the benches only have to run.
step "benches run" env CARGO_PROFILE_BENCH_LTO=off CARGO_PROFILE_BENCH_CODEGEN_UNITS=16 \
    cargo bench --quiet --workspace -- --test
step "protocols and signatures, release build for the baseline" \
    env RUSTFLAGS="-C target-cpu=x86-64" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    cargo test --quiet --release --target-dir target/baseline --workspace --test it -- protocol signature
echo "== all checks passed (${SECONDS} s)"
