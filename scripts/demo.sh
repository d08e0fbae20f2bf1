#!/usr/bin/env bash
# Builds the executables and plays one whole game of each assignment.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/demo.sh [GAME...] [--boards]

Builds the referee and the players in release mode, then plays one whole game of each GAME
of `referee games` (default: all). Each player is a process that speaks its
course's protocol, and the referee judges its moves. --boards shows every board, not only the last.
TEXT
}

case ${1-} in
    -h | --help) usage; exit 0 ;;
esac

cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
source scripts/games.bash
players=("${all_players[@]}")
built=true
for program in referee "${players[@]}"; do
    [ -x "$target/release/$program" ] || built=false
done
if $built; then
    echo "demo.sh: builds what has changed, then plays one game of each assignment: about a minute"
else
    echo "demo.sh: builds the referee and the five players in release mode (the first time three to five"
    echo "minutes on two cores), then plays one game of each assignment: about a minute"
fi
packages=()
for package in referee "${players[@]}"; do
    packages+=(--package "$package")
done
cargo build --release "${packages[@]}" --bins
exec "$target/release/referee" demo "$@"
