#!/usr/bin/env bash
# A tournament in shards as a Slurm job array; a last job joins the records.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/tournament-slurm.sh SHARDS FOLDER [SBATCH-OPTION...] -- REFEREE-ARGUMENT...

Submits an array of SHARDS jobs, each a referee with a part of the games, and a job that joins their
records to FOLDER/joined.jsonl once all have ended. Submitted again with the same words, every part
goes on where it was. Options before -- go to sbatch for the array (--cpus-per-task, --time,
--partition, …). FOLDER and the built project must be on a disk that the nodes share.

  scripts/tournament-slurm.sh 16 runs/gounki --time 1:00:00 -- match gounki --a own --b own:robot:niveau:5
TEXT
}

case ${1-} in
    -h | --help) usage; exit 0 ;;
esac
[ $# -ge 4 ] || { usage >&2; exit 2; }
command -v sbatch >/dev/null || { echo "tournament-slurm.sh: Slurm's sbatch is not here" >&2; exit 2; }
shards=$1 folder=$2
shift 2
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
done
[ "${1-}" = -- ] || { echo "tournament-slurm.sh: -- and the referee's arguments are missing" >&2; exit 2; }
shift

top=$(cd "$(dirname "$0")/.." && pwd)
referee=${REFEREE-$top/target/release/referee}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
command=$(printf '%q ' "$referee" "$@" --quiet --concurrency 1)
quoted=$(printf '%q' "$folder")
array=$(sbatch --parsable --array "1-$shards" --job-name referee --chdir "$top" --output "$folder/part%a.txt" \
    "${options[@]}" --wrap "$command --shard \$SLURM_ARRAY_TASK_ID/$shards --record $quoted/part\$SLURM_ARRAY_TASK_ID.jsonl")
joined=$(sbatch --parsable --dependency "afterok:$array" --job-name referee-merge --chdir "$top" \
    --output "$folder/joined.txt" --wrap "$(printf '%q' "$referee") merge --output $quoted/joined.jsonl $quoted/part*.jsonl")
echo "array job $array, joining job $joined; the result: $folder/joined.txt"
