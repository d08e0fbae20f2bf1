#!/usr/bin/env bash
# Plays the tournament of Gounki's heuristics that the report of its hand-in draws.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/heuristiques.sh [GAMES] > test-data/gounki/heuristiques.tsv

Plays every heuristic against every other, and against random play, GAMES games a pair (default
200). Each random opening of six moves is played from both sides, with alpha-beta at three plies.
The depth is fixed, so the same version gives the same table on every machine.
TEXT
}

case ${1-200} in
    -h | --help) usage; exit 0 ;;
    *[!0-9]*) echo "heuristiques.sh: expected a number of games, found \"$1\"" >&2; usage >&2; exit 2 ;;
esac
games=${1-200}
players=(robot:aleatoire robot:alphabeta:3:{isoles,defense,armee,percee,somme,appris,reseau})

cd "$(dirname "$0")/.."
cargo build --quiet --release --package trainer
target=${CARGO_TARGET_DIR:-target}
printf 'robot\tadversaire\tparties\tgagnées\tarrêtées\n'
for a in "${!players[@]}"; do
    for ((b = a + 1; b < ${#players[@]}; b++)); do
        "$target/release/trainer" gounki match "${players[a]}" "${players[b]}" --games "$games" |
            sed -n "s/^games \([0-9]*\): A won \([0-9]*\), stopped \([0-9]*\),.*/${players[a]}\t${players[b]}\t\1\t\2\t\3/p"
    done
done
