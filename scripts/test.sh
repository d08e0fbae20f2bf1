#!/usr/bin/env bash
# Runs every check of the project.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/test.sh

Runs, and stops at the first that fails: the format check; then two lanes side by side,
- clippy (warnings denied), the documentation (warnings denied), and the build of all tests;
- on a release build for the x86-64 baseline, the protocol and signature tests once more, the tests
  that a debug build ignores, and a smoke run of every bench;
then all tests, the packages of the two libraries that travel alone, and the licences of all.
A line of progress a minute and lane; what was skipped or ignored stands at the end. The output of
each step is kept in target/checks/.

The checks that take hours are scripts/soak.sh.
TEXT
}

case ${1-} in
    "") ;;
    -h | --help) usage; exit 0 ;;
    *) echo "test.sh: unknown argument \"$1\"" >&2; usage >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
logs=$target/checks
mkdir -p "$logs"
rm -f "$logs"/*.log
# A lane is a process group of its own, so that it ends with all that it started.
lanes=()
trap 'kill "${ticker-}" 2>/dev/null || true; for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null || true; done' EXIT

# A line a minute: how many tests have passed, and the last line of the log.
tick() {
    while sleep 60 >/dev/null 2>&1; do
        echo "   $1: $(grep -c ' \.\.\. ok$' "$2" || true) tests passed (${SECONDS} s): $(tail -n 1 "$2" | cut -c -70)"
    done
}

# step NAME COMMAND...: its output into a log, whose end is shown where it fails.
step() {
    local name=$1 log
    log=$logs/${name//[ ,]/-}.log
    shift
    echo "== $name (${SECONDS} s)"
    tick "$name" "$log" &
    ticker=$!
    if ! "$@" >"$log" 2>&1; then
        tail -n 60 "$log"
        echo "== $name failed (${SECONDS} s); all of its output: $log" >&2
        exit 1
    fi
    kill "$ticker"
    wait "$ticker" 2>/dev/null || true
}

# What needs speed is built without whole-program optimisation, which is for measuring, and for the baseline.
release() {
    env RUSTFLAGS="-C target-cpu=x86-64" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo test --release --target-dir "$target/baseline" "$@"
}

licences() {
    if cargo deny --version >/dev/null 2>&1; then
        cargo deny --offline check licenses bans sources
        if [ -d "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs" ]; then
            cargo deny --offline check advisories
        else
            echo "skipped: the libraries' advisories, for their database is not here (cargo deny fetch)"
        fi
    else
        echo "skipped: the libraries' licences, for there is no cargo-deny (cargo install cargo-deny)"
    fi
}

# The packages with tests of a protocol or a signature, and the tests that a debug build or every build ignores.
read -rd '' -a players < <(grep -rlE '^mod (protocol|signature)' crates/*/tests --include='*.rs' | cut -d/ -f2 | sort -u | sed 's/^/--package /') || true
read -rd '' -a dear < <(grep -rhA 3 -E '#\[(cfg_attr\(debug_assertions, )?ignore *=' crates/*/src crates/*/tests --include='*.rs' | sed -n 's/.*fn \([a-z0-9_]*\)().*/\1/p') || true

# The sources as they are written, in the build of every day.
daily() {
    step "clippy" cargo clippy --quiet --workspace --all-targets -- -D warnings
    step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
    step "build of the tests" cargo test --workspace --no-run
}

# The programs as they are given away. Both steps name the same packages, for other features would be another build.
baseline() {
    step "baseline tests" release "${players[@]}" --package benches --test it -- --show-output --include-ignored protocol signature "${dear[@]}"
    step "baseline benches run" release "${players[@]}" --package benches --benches
}

# The format is looked at first, for it takes a second. What waits for a compiler or measures nothing goes side by side;
# the tests, of which many watch a clock, have the machine to themselves.
step "format" cargo fmt --all --check
set -m
daily </dev/null &
lanes+=($!)
baseline </dev/null &
lanes+=($!)
set +m
# The first that ends, and then both: where one has failed, leaving ends the other.
wait -n "${lanes[@]}"
for lane in "${lanes[@]}"; do wait "$lane"; done
lanes=()
step "tests" cargo test --workspace -- --show-output
step "packages" cargo package --quiet --offline --no-verify --allow-dirty --package wire --package search-core
step "licences" licences

echo "== skipped"
grep -oh 'skipped: .*' "$logs"/*.log | sort | uniq -c || echo "   nothing"
echo "== ignored, and run nowhere"
comm -23 <(grep -h ' \.\.\. ignored' "$logs/tests.log" | sed 's/^test \(.*\) \.\.\. ignored.*/\1/' | sort -u) \
    <(grep -h ' \.\.\. ok$' "$logs/baseline-tests.log" | sed 's/^test \(.*\) \.\.\. ok$/\1/' | sort -u) | sed 's/^/   /'
echo "== all checks passed: $(cat "$logs"/*.log | grep -c ' \.\.\. ok$') tests (${SECONDS} s)"
