#!/usr/bin/env bash
# Compares a game's evaluation functions: time, nodes of a fixed search, strength.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/evaluations.sh [GAME...] [--games N]

Runs the benches of each GAME of `referee games` (default: all), then plays N
games (default 40) of every evaluation function against the game's default. Prints a table for each
game: time a position in nanoseconds, ratio to the cheapest, nodes of a fixed search, change of the
time since the previous run, and score with its 95 % interval. `cargo bench --bench GAME` prints the
same without the score. A game takes two to five minutes on two idle cores, after the first build.
TEXT
}

cd "$(dirname "$0")/.."
source scripts/games.bash
names=() games=40
while [ $# -gt 0 ]; do
    case $1 in
        --games)
            [ $# -ge 2 ] || { echo "evaluations.sh: --games needs a number" >&2; exit 2; }
            games=$2
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        *)
            case " ${all_games[*]} " in
                *" $1 "*) names+=("$1") ;;
                *) echo "evaluations.sh: unknown argument \"$1\"" >&2; usage >&2; exit 2 ;;
            esac
            ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=("${all_games[@]}")

target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release --workspace --bins
for game in "${names[@]}"; do
    log=$target/evaluations-$game.log
    cargo bench --quiet --package benches --bench "$game" -- "^(evaluation|search)/$game/" >"$log" 2>&1 ||
        { tail -n 20 "$log" >&2; exit 1; }
    CRITERION_HOME=$target/criterion "$target/release/evaluations" "$game" "$target/release/referee" "$games"
done
