#!/usr/bin/env bash
# Measures the figures of a crate's RESULTS.md.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/results.sh CRATE [TABLE...]

Builds the executables, runs the commands in crates/CRATE/results.tsv and prints their figures as
Markdown tables, with the commit and the processor. CRATE may be the start of a name. Each TABLE is
the start of a table's title (default: all tables). A row that needs another engine uses a variable
for its command, for example NTEST; if the variable is not set, the row is skipped with a message.

The columns of results.tsv are table, what, unit, command. A command prints its figure and may use
  cpu COMMAND           user and system seconds     wall COMMAND   elapsed seconds
  each N FUNCTION …     mean of N runs              median N FUNCTION …   median of N runs
  peak COMMAND          peak resident memory, MB    quotient A B   A / B
  match OPTIONS         referee match: score, its error over pairs, and wins, draws, losses
TEXT
}

case ${1-} in
    -h | --help) usage; exit 0 ;;
    "") usage >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
rows=(crates/"$1"*/results.tsv)
[ -f "${rows[0]}" ] || { echo "results.sh: no crate with results is named \"$1\"" >&2; usage >&2; exit 2; }
shift

cpu() { local TIMEFORMAT='%U %S'; { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'; }
wall() { local TIMEFORMAT='%R'; { time "$@" >/dev/null 2>&1; } 2>&1; }
piped() { "$@" | wc -c; }
peak() { { /usr/bin/time -f %M "$@" | wc -c >/dev/null; } 2>&1 | tail -n 1 | awk '{ printf "%.1f\n", $1 / 1000 }'; }
# Every run has the same input.
runs() { local n=$1 input; shift; input=$(cat); for ((i = 0; i < n; i++)); do "$@" <<<"$input"; done; }
each() { runs "$@" | awk '{ sum += $1 } END { printf "%.3g\n", sum / NR }'; }
median() { runs "$@" | sort -g | awk '{ run[NR] = $1 } END { printf "%.3g\n", run[int((NR + 1) / 2)] }'; }
quotient() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3g\n", a / b }'; }
match() {
    referee match "$@" --quiet 2>/dev/null | awk '
        / points \(/ { split($0, part, /points \(|\): /); score = part[2]; gsub(/[^0-9,]/, "", part[3]); gsub(/,/, "–", part[3]); record = part[3] }
        /^Elo / { sub(/ \(95 %.*/, ""); print score ", " record ", " $0; exit }'
}
export -f cpu wall piped peak runs each median quotient match

cargo build --quiet --release --workspace --bins >&2
export PATH="${CARGO_TARGET_DIR:-$PWD/target}/release:$PATH"
changes=$(git diff --quiet HEAD && echo "" || echo " with changes")
echo "Commit $(git rev-parse --short HEAD)$changes; $(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores, load $(cut -d ' ' -f 1 /proc/loadavg)."

last=
tail -n +2 "${rows[0]}" | while IFS=$'\t' read -r table what unit command; do
    if [ $# -gt 0 ]; then
        chosen=false
        for word; do case ${table,,} in "${word,,}"*) chosen=true ;; esac; done
        $chosen || continue
    fi
    absent=$({ grep -oE '\$[A-Z_]+' <<<"$command" || true; } | tr -d '$' | sort -u | while read -r name; do [ -n "${!name-}" ] || echo "$name"; done)
    if [ -n "$absent" ]; then
        echo "results.sh: skipped: $what ($absent is not set)" >&2
        continue
    fi
    [ "$table" = "$last" ] || printf '\n## %s\n\n| what | figure | unit | command |\n|---|---:|---|---|\n' "$table"
    last=$table
    figure=$(bash -o pipefail -c "$command" </dev/null) || { echo "results.sh: failed: $command" >&2; exit 1; }
    printf '| %s | %s | %s | `%s` |\n' "$what" "$figure" "$unit" "${command//|/\\|}"
done
