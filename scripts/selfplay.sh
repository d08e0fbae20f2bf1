#!/usr/bin/env bash
# Plays one executable's settings against another's and prints the score.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/selfplay.sh GAME [--games N] [--a ARGS] [--b ARGS] [--seed S] [OPTION...]

GAME is one of `referee games`. ARGS are options of the player, in quotes. Each
opening is played from both sides. Other options go to `referee match`; its --help lists them.

  scripts/selfplay.sh GAME --games 100 --time 100 --a "--eval ONE" --b "--eval OTHER"
TEXT
}

if [ $# -eq 0 ]; then
    usage >&2
    exit 2
fi
case $1 in
    -h | --help) usage; exit 0 ;;
esac
game=$1
shift
a="" b="" rest=()
while [ $# -gt 0 ]; do
    case $1 in
        --a | --b)
            [ $# -ge 2 ] || { echo "selfplay.sh: $1 needs the player's options" >&2; exit 2; }
            if [ "$1" = --a ]; then a=$2; else b=$2; fi
            shift 2
            ;;
        -h | --help) usage; exit 0 ;;
        *) rest+=("$1"); shift ;;
    esac
done

cd "$(dirname "$0")/.."
[ -n "${SELFPLAY_BUILT-}" ] || cargo build --quiet --release --workspace --bins
exec "${CARGO_TARGET_DIR:-target}/release/referee" match "$game" --a "a=own:$a" --b "b=own:$b" "${rest[@]}"
