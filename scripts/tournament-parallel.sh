#!/usr/bin/env bash
# Plays a tournament in shards with GNU parallel, on this machine or on several over ssh.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/tournament-parallel.sh SHARDS FOLDER [PARALLEL-OPTION...] -- REFEREE-ARGUMENT...

Plays a tournament or a match in SHARDS independent parts, each with its own referee, and joins
their records. FOLDER receives a record file for each part, parallel's job log, and joined.jsonl.
The same command resumes an interrupted run: finished parts are kept, and the others continue.

Options before -- go to parallel. With --sshlogin, the built project must be at the same path on
every host, and FOLDER on a shared disk.

  scripts/tournament-parallel.sh 8 runs/cup --jobs 2 -- \
      tournament GAME --player builtin:random --player own --rounds 100
  scripts/tournament-parallel.sh 8 runs/cup --sshlogin 2/host1,2/host2 -- match GAME --a own --b own:"--eval OTHER"
TEXT
}

# shellcheck source=shards.bash
. "$(dirname "$0")/shards.bash"
read_words parallel "$@"
# A part plays one game at a time. --jobs sets the number of parts at once; the default is one a processor.
seq "$shards" | parallel --joblog "$folder/joblog" --resume-failed --workdir "$top" "${options[@]}" \
    "$command --shard {}/$shards --record $part{}.jsonl > $part{}.txt"
"$referee" merge --output "$folder/joined.jsonl" "$folder"/part*.jsonl
