#!/usr/bin/env bash
# Builds the executables and plays one whole game of each assignment.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/demo.sh [GAME...] [--boards]

Builds every executable in release mode, then plays one whole game of each assignment (or of those
named: connect5, gounki, moules, othello, uttt), each executable as a real process through its
course's protocol, judged by the referee. --boards shows every board, not only the last one.
TEXT
}

case ${1-} in
    -h | --help) usage; exit 0 ;;
esac

cd "$(dirname "$0")/.."
cargo build --release --workspace --bins
exec target/release/referee demo "$@"
