#!/usr/bin/env bash
# Runs every check of the project.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/test.sh

Runs all checks and stops at the first failure:
1. the format check;
2. in parallel: clippy, the documentation (both without warnings), the build of all tests, one run of
   every bench, and a page without a server for one game, where scripts/static.sh can build it; and, in
   a release build for any x86-64 processor, the protocol and signature tests, and the tests that a
   debug build ignores;
3. in parallel, the tests of the page in a browser and those that depend on no clock; then the others,
   and those in documents;
4. the packages of the two published libraries, and the licences of all libraries;
5. that courses and the players' libraries build for wasm32, where the target is installed, or Debian's
   rustc-web, rust-web-src and lld-19.

Prints progress once a minute, and at the end the tests that were skipped or ignored. The output of
each step is in target/checks/. scripts/soak.sh runs the checks that take hours.
TEXT
}

case ${1-} in
    "") ;;
    -h | --help) usage; exit 0 ;;
    *) echo "test.sh: unknown argument \"$1\"" >&2; usage >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
source scripts/games.bash
# Tests call cargo in other folders too.
RUSTUP_TOOLCHAIN=$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
export RUSTUP_TOOLCHAIN
# They start Python thousands of times, and a version manager's script takes several times as long as Python itself.
python=$(command -v python3 || true)
if [ "$python" ] && [ "$(head -c 2 "$python")" = "#!" ]; then
    PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
fi
target=${CARGO_TARGET_DIR:-target}
logs=$target/checks
mkdir -p "$logs"
rm -f "$logs"/*.log
# A lane is a process group, so that all its processes can be ended together.
lanes=()
trap 'kill "${ticker-}" 2>/dev/null || true; for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null || true; done' EXIT

# Prints a line a minute: the number of tests passed, and the last line of the log.
tick() {
    while sleep 60 >/dev/null 2>&1; do
        echo "   $1: $(grep -c ' \.\.\. ok$' "$2" || true) tests passed (${SECONDS} s): $(tail -n 1 "$2" | cut -c -70)"
    done
}

# step NAME COMMAND...: writes the output to a log, and prints the end of it on failure.
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

# A release build for the x86-64 baseline, without what only measurements need: whole-program optimisation, fast libraries.
release() {
    env RUSTFLAGS="-C target-cpu=x86-64" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo test --release --config 'profile.release.package."*".opt-level=1' --target-dir "$target/baseline" "$@"
}

licences() {
    if cargo deny --version >/dev/null 2>&1; then
        cargo deny --offline check licenses bans sources
        if [ -d "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs" ]; then
            cargo deny --offline check advisories
        else
            echo "skipped: the libraries' advisories: their database is missing (cargo deny fetch)"
        fi
    else
        echo "skipped: the libraries' licences: cargo-deny is not installed (cargo install cargo-deny)"
    fi
}

# Checks the libraries for wasm32 with the installed target, or else with Debian's compiler and the standard library's source.
wasm() {
    local arguments=(--quiet --target wasm32-unknown-unknown --target-dir "$target/wasm" --package courses --no-default-features --features games)
    if [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]; then
        cargo check "${arguments[@]}"
    elif [ -x /usr/bin/wasm-ld-19 ] && [ -d "$(/usr/bin/rustc --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library" ]; then
        env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="-C linker=/usr/bin/wasm-ld-19" CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0 \
            cargo check "${arguments[@]}" -Z build-std=std,panic_abort
    else
        echo "skipped: the build for wasm32: its standard library is missing (rustup target add wasm32-unknown-unknown)"
    fi
}

# Builds the page without a server for one game, to be tested in a browser.
page() {
    local code=0
    scripts/static.sh --quick "${all_games[-1]}" || code=$?
    if [ $code = 3 ]; then echo "skipped: the page without a server: its compiler is missing (scripts/static.sh --help)" && code=0; fi
    return $code
}

# The packages with tests of a protocol or a signature, and those with tests that only a debug build ignores.
only_debug='#\[cfg_attr\(debug_assertions, ignore *='
read -rd '' -a players < <(grep -rlE "^mod (protocol|signatures);|$only_debug" crates/*/tests --include='*.rs' | cut -d/ -f2 | sort -u | sed 's/^/--package /') || true
read -rd '' -a dear < <(grep -rhA 3 -E "$only_debug" crates/*/src crates/*/tests --include='*.rs' | sed -n 's/.*fn \([a-z0-9_]*\)().*/\1/p') || true

# Lists the test programs of the debug build, a line each: the package's folder, a tab and the program.
programs() {
    local list
    list=$(cargo test --quiet --workspace --no-run --message-format=json |
        sed -n 's/.*"manifest_path":"\([^"]*\)\/Cargo\.toml".*"test":true},"features".*"executable":"\([^"]*\)".*/\1\t\2/p')
    if [ "$(wc -l <<<"$list")" != "$(grep -c '^ *Executable' "$logs/build-of-the-tests.log")" ]; then
        echo "test.sh: cargo's list of the test programs is not understood" >&2
        return 1
    fi
    echo "$list"
}

# tested LIST ARGUMENT...: runs the listed test programs, each in its package's folder, up to the first that fails.
tested() {
    local folder program
    while IFS=$'\t' read -r folder program <&3; do
        echo "Running $program"
        (cd "$folder" && "$program" --show-output "${@:2}") </dev/null 3<&- || return 1
    done 3<<<"$1"
}

# Checks the sources in the debug build.
daily() {
    step "clippy" cargo clippy --quiet --workspace --all-targets -- -D warnings
    step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
    step "build of the tests" cargo test --workspace --no-run
    step "benches run" cargo test --workspace --bench '*'
    step "page without a server" page
}

# Checks the programs as they are distributed.
baseline() {
    step "baseline tests" release "${players[@]}" --test it -- --show-output --include-ignored protocol signature "${dear[@]}"
}

# Runs two functions in parallel, each in a lane. Waits for the first, then for both. If one fails, the exit trap ends the
# other.
beside() {
    local name
    set -m
    for name in "$@"; do
        "$name" </dev/null &
        lanes+=($!)
    done
    set +m
    wait -n "${lanes[@]}"
    for lane in "${lanes[@]}"; do wait "$lane"; done
    lanes=()
}

# The tests that depend on a clock have the machine to themselves, but those of archives, which compile; most of the page's
# wait for a browser. Twice as many run at once as there are cores, because they wait for programs half of the time.
by_the_clock=$'/(arena|connect5-joueur|courses|moules-client|referee|uttt)\t'
by_a_browser=$'/arena\t.*/it-'
test_page() { step "tests of the page" tested "$of_page" --skip speed::; }
test_others() { step "tests without a clock" without_a_clock; }
without_a_clock() { tested "$of_others" && tested "$of_archives" archives::; }

# The format check comes first because it takes a second.
step "format" cargo fmt --all --check
beside daily baseline
tests=$(programs)
of_page=$(grep -E "$by_a_browser" <<<"$tests")
of_the_clock=$(grep -E "$by_the_clock" <<<"$tests" | grep -vE "$by_a_browser")
of_others=$(grep -vE "$by_the_clock" <<<"$tests")
of_archives=$(grep -E $'/courses\t.*/it-' <<<"$tests")
STATIC_FOLDER=$(realpath -m "$target/static-quick")
export STATIC_FOLDER
beside test_page test_others
step "tests by the clock" tested "$of_the_clock" --skip archives:: --test-threads $((2 * $(nproc)))
step "tests of speed" tested "$of_page" speed::
step "tests in documents" cargo test --workspace --doc
step "packages" cargo package --quiet --offline --no-verify --allow-dirty --package wire --package search-core
step "licences" licences
step "wasm32" wasm

echo "== skipped"
grep -oh 'skipped: .*' "$logs"/*.log | sort | uniq -c || echo "   nothing"
echo "== ignored in every build"
comm -23 <(grep -h ' \.\.\. ignored' "$logs"/tests-*.log | sed 's/^test \(.*\) \.\.\. ignored.*/\1/' | sort -u) \
    <(grep -h ' \.\.\. ok$' "$logs/baseline-tests.log" | sed 's/^test \(.*\) \.\.\. ok$/\1/' | sort -u) | sed 's/^/   /'
echo "== all checks passed: $(cat "$logs"/*.log | grep -c ' \.\.\. ok$') tests (${SECONDS} s)"
