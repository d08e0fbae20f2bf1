#!/usr/bin/env bash
# A tournament in shards by GNU parallel, on this machine or on several over ssh.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/tournament-parallel.sh SHARDS FOLDER [PARALLEL-OPTION...] -- REFEREE-ARGUMENT...

Plays a tournament or a match in SHARDS independent parts, a referee each, and joins their records.
FOLDER gets a record file a part, parallel's job log, and joined.jsonl. Started again with the same
words it goes on: whole parts are not begun again, and a part goes on where it was. Options before
-- go to parallel; with --sshlogin the project must lie, built, at the same path on every host, and
FOLDER on a disk that they share.

  scripts/tournament-parallel.sh 8 runs/othello --jobs 2 -- \
      tournament othello --player builtin:random --player own --rounds 100
  scripts/tournament-parallel.sh 8 runs/uttt --sshlogin 2/host1,2/host2 -- match uttt --a own --b own:"--eval boards"
TEXT
}

# shellcheck source=shards.bash
. "$(dirname "$0")/shards.bash"
read_words parallel "$@"
# A part is a game at a time: as many parts at once as --jobs says, one a processor without it.
seq "$shards" | parallel --joblog "$folder/joblog" --resume-failed --workdir "$top" "${options[@]}" \
    "$command --shard {}/$shards --record $part{}.jsonl > $part{}.txt"
"$referee" merge --output "$folder/joined.jsonl" "$folder"/part*.jsonl
