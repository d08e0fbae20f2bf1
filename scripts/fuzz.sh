#!/usr/bin/env bash
# Fuzzes every parser in turn.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/fuzz.sh [SECONDS] [TARGET...]

Runs each TARGET (default: all) for SECONDS (default 60), one after the other. Inputs come from
fuzz/seeds and from earlier runs; a failing input is saved in fuzz/artifacts. Prints a line for each
target in the columns of docs/data/trust.tsv, with the processor time used, which is less on a busy
machine. Needs the nightly toolchain and cargo-fuzz.
TEXT
}

case ${1-} in
    -h | --help) usage; exit 0 ;;
esac
seconds=${1-60}
case $seconds in
    *[!0-9]* | "") echo "fuzz.sh: expected a number of seconds, found \"$seconds\"" >&2; usage >&2; exit 2 ;;
esac
shift || true
cd "$(dirname "$0")/../fuzz"
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(sed -n 's/^name = "\(.*_.*\)"$/\1/p' Cargo.toml)
command -v cargo-fuzz >/dev/null || { echo "fuzz.sh: cargo-fuzz is not installed (cargo install cargo-fuzz)" >&2; exit 2; }
cargo +nightly fuzz build

failed=0
TIMEFORMAT=%U
commit=$(git rev-parse --short HEAD 2>/dev/null || date +%F)
for name in "${targets[@]}"; do
    mkdir -p "corpus/$name" "seeds/$name" artifacts
    log=artifacts/$name.log
    faults=0
    # Printing the names of new functions is off: each look-up takes a symbolizer and seconds.
    busy=$({ time cargo +nightly fuzz run "$name" "corpus/$name" "seeds/$name" -- \
        -max_total_time="$seconds" -timeout=20 -print_final_stats=1 -print_funcs=0 >"$log" 2>&1; } 2>&1) || faults=1
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    printf '%s\tfuzzing %s\t%s s of the processor; nightly, debug assertions, address sanitizer\t%s\tinputs\t%s\t\tscripts/fuzz.sh %s %s\n' \
        "$commit" "$name" "$busy" "${runs:-0}" "$faults" "$seconds" "$name"
    [ $faults = 0 ] || { failed=1; tail -n 12 "$log" >&2; }
done
exit $failed
