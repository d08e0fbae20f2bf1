#!/usr/bin/env bash
# Plays the tournament of Gounki's heuristics that the report of its hand-in draws.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/heuristiques.sh [GAMES] > test-data/gounki/heuristiques.tsv

Every heuristic against every other, and against random play: GAMES games a pair (default 200),
each random opening of six moves from both sides, min-max at three plies by alpha-beta. The depth
is fixed, so that the same version gives the same table on every machine.
TEXT
}

case ${1-200} in
    -h | --help) usage; exit 0 ;;
    *[!0-9]*) echo "heuristiques.sh: \"$1\" is no number of games" >&2; usage >&2; exit 2 ;;
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
