# Sourced by tournament-parallel.sh and tournament-slurm.sh: SHARDS FOLDER [OPTION...] -- REFEREE-ARGUMENT...
# Needs a function `usage`. Sets shards, folder, options, top and referee; also command (the referee's words, quoted for a
# shell) and part (the start of the paths of a part's files, quoted).

# read_words TOOL WORD...: parses the caller's words, if TOOL is installed on this machine.
read_words() {
    local name tool=$1
    name=$(basename "$0")
    shift
    case ${1-} in
        -h | --help) usage; exit 0 ;;
    esac
    [ $# -ge 4 ] || { usage >&2; exit 2; }
    command -v "$tool" >/dev/null || { echo "$name: $tool is not installed" >&2; exit 2; }
    shards=$1 folder=$2
    shift 2
    options=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ "${1-}" = -- ] || { echo "$name: -- and the referee's arguments are missing" >&2; exit 2; }
    shift
    top=$(cd "$(dirname "$0")/.." && pwd)
    referee=${REFEREE-$(cd "$top" && realpath -m "${CARGO_TARGET_DIR:-target}")/release/referee}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    command=$(printf '%q ' "$referee" "$@" --quiet --concurrency 1)
    part=$(printf '%q' "$folder")/part
}
