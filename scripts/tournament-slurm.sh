#!/usr/bin/env bash
# Plays a tournament in shards as a Slurm job array; a last job joins the records.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/tournament-slurm.sh SHARDS FOLDER [SBATCH-OPTION...] -- REFEREE-ARGUMENT...

Submits an array of SHARDS jobs, each a referee with a part of the games, and a job that joins their
records in FOLDER/joined.jsonl after all have ended. The same command resumes an interrupted run.

Options before -- go to sbatch for the array (--cpus-per-task, --time, --partition, …). FOLDER and
the built project must be on a disk that the nodes share.

  scripts/tournament-slurm.sh 16 runs/cup --time 1:00:00 -- match GAME --a own --b own:"--eval OTHER"
TEXT
}

# shellcheck source=shards.bash
. "$(dirname "$0")/shards.bash"
read_words sbatch "$@"
array=$(sbatch --parsable --array "1-$shards" --job-name referee --chdir "$top" --output "$folder/part%a.txt" \
    "${options[@]}" --wrap "$command --shard \$SLURM_ARRAY_TASK_ID/$shards --record $part\$SLURM_ARRAY_TASK_ID.jsonl")
joined=$(sbatch --parsable --dependency "afterok:$array" --job-name referee-merge --chdir "$top" \
    --output "$folder/joined.txt" --wrap "$(printf '%q' "$referee") merge --output ${part%part}joined.jsonl $part*.jsonl")
echo "array job $array, joining job $joined; the result: $folder/joined.txt"
