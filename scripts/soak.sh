#!/usr/bin/env bash
# Runs the checks that take hours: many games, equal reports from every build, answers in time.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/soak.sh [games|threads|races|reports|lateness|faults|class|languages|page]... [--games N] [--moves N] [--only GAME]

  games      plays every player against itself: N games (default 10000) of the release build at
             1 ms a move, and N/10 of a debug build; of the maze, with four players a game, an
             eighth as many. Fails on an illegal move, crash, hang or protocol error.
  threads    plays N/10 games of four games whose moves are searched by three threads
  races      runs the tests of search-core's threads by Miri and by ThreadSanitizer, and models of a shared tree's
             node by loom. Needs the nightly toolchain with miri and rust-src. Fails if one finds a race.
  reports    runs the signature, agreement and protocol tests of every game, built with and without
             optimisation, for any x86-64 processor, for AVX2 and for this processor. All builds
             must give the same reports.
  lateness   counts the answers that come after the time limit, with one core busy and with all,
             and reports the latest: N moves (default 1000) a game, of 20 ms, or 100 ms for
             games of more than two players; uttt with both
  faults     makes every call fail once that writes a file or carries bytes of a connection: a full
             disk, a broken device, a signal, a short write, a power cut. Fails if anything that was
             kept before is damaged.
  class      marks the 40 programs of test-data/class with --quick, in four languages, of which some hang,
             crash, flood, cheat or attack, and is interrupted once. Fails if a card is missing or wrong, if an
             honest program has other points in another language, or after ten minutes.
  languages  marks honest programs of the five courses in four languages under each mode of the sandbox.
             Fails if the marks differ.
  page       builds the page without a server with all games, and tests it in a browser

Runs all by default, or for one game with --only. Prints a line for each check in the columns
of docs/data/trust.tsv, to be appended there: scripts/soak.sh >> docs/data/trust.tsv. The exit code
is 1 if a check fails; late answers do not count, because they also depend on the machine's load.
TEXT
}

parts=() games=10000 moves=1000 only=
while [ $# -gt 0 ]; do
    case $1 in
        games | threads | races | reports | lateness | faults | class | languages | page) parts+=("$1") ;;
        --games | --moves | --only)
            [ $# -ge 2 ] || { echo "soak.sh: $1 needs a value" >&2; exit 2; }
            declare "${1#--}=$2"
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        *) echo "soak.sh: unknown argument \"$1\"" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
case $games$moves in
    *[!0-9]*) echo "soak.sh: --games and --moves need a number" >&2; exit 2 ;;
esac
[ ${#parts[@]} -gt 0 ] || parts=(games threads races reports lateness faults class languages page)
cd "$(dirname "$0")/.."
source scripts/games.bash
all=("${all_games[@]}")
case " ${all[*]} " in
    *" ${only:-${all[0]}} "*) [ -z "$only" ] || all=("$only") ;;
    *) echo "soak.sh: expected one of ${all[*]}, found \"$only\"" >&2; exit 2 ;;
esac

target=${CARGO_TARGET_DIR:-target}
out=$target/soak
mkdir -p "$out"
failed=0

commit=$(git rev-parse --short HEAD 2>/dev/null || date +%F)

# row WHAT CONDITION CASES UNIT FAILURES DETAIL PART: a line of docs/data/trust.tsv.
row() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\tscripts/soak.sh %s\n' "$commit" "$@"; }

# has_many GAME: true if more than two may play. takes GAME OPTION: true if the option is one of the game's.
has_many() { "$target/release/referee" games | awk -F '\t' -v game="$1" '$1 == game && $2 > 2 { found = 1 } END { exit !found }'; }
takes() { "$target/release/referee" games | awk -F '\t' -v game="$1" '$1 == game { print $4 }' | grep -qw -- "$2"; }

# play BUILD GAME GAMES MILLISECONDS GRACE [PLAYER]: the player against itself; leaves the record in $record.
play() {
    local build=$1 game=$2 number=$3 time=$4 grace=$5 player=${6:-own} common
    record=$out/$build-$game-$time.jsonl
    rm -f "$record"
    common=(--bin-dir "$target/$build" --time "$time" --grace "$grace" --record "$record" --force --quiet)
    if has_many "$game"; then
        "$target/release/referee" tournament "$game" --player own --player own --player own --player own \
            --rounds $((number / 4 + 1)) "${common[@]}"
    else
        "$target/release/referee" match "$game" --a "$player" --b "$player" --games "$number" "${common[@]}"
    fi >"${record%.jsonl}.txt" 2>&1 || { tail -n 5 "${record%.jsonl}.txt" >&2; failed=1; }
}

# Counts the games of the record, and those with a fault other than a late move.
games_of() { grep -c '"game":' "$record" || true; }
faults_of() { grep -c '"faults":\[\[' "$record" || true; }

soak_games() {
    local build game number
    cargo build --quiet --workspace --bins
    for build in release debug; do
        for game in "${all[@]}"; do
            number=$games
            [ $build = release ] || number=$((games / 10))
            if has_many "$game"; then number=$((number / 8)); fi
            # Time is not tested here, and a debug build on a busy machine would exceed it.
            play $build "$game" "$number" 1 60000
            row "$game against itself" "$build, 1 ms a move" "$(games_of)" games "$(faults_of)" "" "games --only $game"
            [ "$(faults_of)" = 0 ] || failed=1
        done
    done
}

soak_threads() {
    local log=$out/threads.log wrong=0
    "$target/release/threaded_games" $((games / 10)) 3 >"$log" 2>&1 || wrong=1 failed=1
    row "games whose moves are searched by three threads" "release, 1,000 nodes a move" \
        "$(awk '{ for (i = 2; i <= NF; i++) if ($i ~ /^games/) sum += $(i - 1) } END { print sum + 0 }' "$log")" \
        games "$wrong" "" threads
}

soak_races() {
    local log=$out/races.log
    # checked WHAT COMMAND…: a row for its tests.
    checked() {
        local what=$1 wrong=0
        shift
        "$@" >"$log" 2>&1 || { wrong=1 failed=1; tail -n 12 "$log" >&2; }
        row "threads of search-core" "$what" "$(grep -c -e ' \.\.\. ok$' -e '^model: ' "$log" || true)" tests "$wrong" "" races
    }
    checked "nightly, Miri" env RUSTFLAGS= \
        cargo +nightly miri test --target-dir "$target/miri" -p search-core --lib threads
    checked "nightly, thread sanitizer" env RUSTFLAGS=-Zsanitizer=thread \
        cargo +nightly test -Zbuild-std --target x86_64-unknown-linux-gnu --target-dir "$target/tsan" \
        -p search-core --lib --test it -- threads
    checked "loom, all orders of two threads" env RUSTFLAGS="--cfg loom" \
        cargo run --release --manifest-path crates/search-core/models/Cargo.toml --target-dir "$target/models"
}

soak_reports() {
    local cpu release log
    for cpu in x86-64 x86-64-v3 native; do
        for release in "" --release; do
            log=$out/reports-$cpu${release:+-release}.log
            if env RUSTFLAGS="-C target-cpu=$cpu" CARGO_PROFILE_RELEASE_LTO=off \
                CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 cargo test $release --target-dir "$target/soak-$cpu" \
                --workspace --test it -- protocol signature agree kernel same >"$log" 2>&1; then
                row "the same report from every build" "$cpu ${release:-debug}" "$(grep -c ' \.\.\. ok$' "$log")" tests 0 "" reports
            else
                row "the same report from every build" "$cpu ${release:-debug}" "$(grep -c ' \.\.\. ok$' "$log" || true)" \
                    tests "$(grep -c ' \.\.\. FAILED$' "$log" || true)" "$log" reports
                failed=1
            fi
        done
    done
}

# Keeps this number of cores busy until `quiet`.
busy=()
load() {
    local core
    for ((core = 0; core < $1; core++)); do
        taskset -c "$core" sh -c 'while :; do :; done' &
        busy+=("$!")
    done
}
quiet() {
    [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null || true
    busy=()
}
trap quiet EXIT

soak_lateness() {
    local game time number cores late player
    # UTTT twice: the longer the time, the larger the tree that a move drops.
    local timed=("${all[@]}")
    case " ${all[*]} " in *" uttt "*) timed+=(uttt:100) ;; esac
    for cores in 1 "$(nproc)"; do
        for game in "${timed[@]}"; do
            time=20
            case $game in *:*) time=${game#*:} game=${game%:*} ;; esac
            number=$((moves / 40 + 2))
            player=own
            if has_many "$game"; then time=100 number=$((moves / 100 + 4)); fi
            # A game at equal depth reaches it before the time limit; with depth 60, the clock alone ends its search.
            if takes "$game" depth; then player="own:--depth 60"; fi
            load "$cores"
            play release "$game" "$number" "$time" 60000 "$player"
            quiet
            late=$(grep -o '"micros":\[[0-9,]*\]' "$record" | tr -dc '0-9,\n' | tr ',' '\n' |
                awk -v limit=$((time * 1000)) '$1 > limit { late++ } $1 > most { most = $1 }
                    END { printf "%d %d %.1f", NR, late, most / 1000 }')
            read -r asked after most <<<"$late"
            row "$game: answers after the limit" "margin 0, $time ms a move, $cores of $(nproc) processors busy" \
                "$asked" answers "$after" "slowest $most ms" "lateness --only $game"
        done
    done
}

soak_faults() {
    local log=$out/faults.log
    cargo test --workspace --lib -- --show-output whichever_call_fails >"$log" 2>&1 || failed=1
    row "the n-th call of a file or a connection fails, for every n" debug "$(grep -c '^fault: ' "$log" || true)" \
        calls "$(grep -c ' \.\.\. FAILED$' "$log" || true)" "$(grep -c ' \.\.\. ok$' "$log" || true) tests" faults
}

soak_class() {
    local class=$out/class began=$SECONDS seconds cards mark wrong=0
    rm -rf "$class" "$class-built" "$class.jsonl" "$class.csv"
    python3 test-data/class/make.py "$class"
    mark=("$target/release/referee" mark connect5 --class "$class" --quick --record "$class.jsonl" --csv "$class.csv")
    # The exit code is 1, for some of the programs crash.
    timeout 150 "${mark[@]}" >"$class.txt" 2>"$class.log" || true
    "${mark[@]}" >"$class.txt" 2>>"$class.log" || true
    seconds=$((SECONDS - began))
    cards=$(tail -n +2 "$class.csv" | wc -l)
    python3 test-data/class/check.py "$class.jsonl" >&2 && [ "$seconds" -le 600 ] || wrong=1 failed=1
    row "a class of strangers' programs, marked" "--quick, interrupted once, $(nproc) processors" "$cards" programs \
        "$wrong" "$seconds s" class
}

soak_languages() {
    local log=$out/languages.log
    cargo test --package referee --test it -- languages --ignored --show-output >"$log" 2>&1 || failed=1
    row "equal marks under strict, auto and off" "4 languages" "$(grep -c '^marks: ' "$log" || true)" programs \
        "$(grep -c ' \.\.\. FAILED$' "$log" || true)" "" languages
}

soak_page() {
    local log=$out/page.log
    scripts/static.sh --quick >"$log" 2>&1 && cargo test --package static-page --test it -- browser --show-output >>"$log" 2>&1 ||
        failed=1
    row "the page without a server, in a browser" "uttt" "$(grep -c ' \.\.\. ok$' "$log" || true)" \
        tests "$(grep -c ' \.\.\. FAILED$' "$log" || true)" "$(grep -c '^skipped: ' "$log" || true) skipped" page
}

case ${parts[*]} in
    faults | languages | page | races) ;;
    threads) cargo build --quiet --release --package benches --bin threaded_games ;;
    *) cargo build --quiet --release --workspace --bins ;;
esac
for part in "${parts[@]}"; do
    "soak_$part"
done
exit $failed
