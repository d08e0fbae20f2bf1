#!/usr/bin/env bash
# Prints a crate's experiments in readable form.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/experiments.sh CRATE [WORD...]

Prints the rows of crates/CRATE/EXPERIMENTS.tsv that contain every WORD, ignoring case. CRATE is
a player's crate or trainer, or the start of such a name. "trust" prints docs/data/trust.tsv. The columns:

  commit     commit or date of the measurement, if known
  against    the opponent or reference; "before" with a figure is the state without the idea
  condition  the quantity measured with its unit; time, nodes or depth a move
  score      the figure, in the unit of the condition
  elo        difference in Elo
  low, high  interval of elo, or of score if there is no elo
TEXT
}

case ${1-} in
    -h | --help) usage; exit 0 ;;
    "") usage >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
name=$1
shift
files=(crates/"$name"*/EXPERIMENTS.tsv)
[ "$name" != trust ] || files=(docs/data/trust.tsv)
[ -f "${files[0]}" ] || { echo "experiments.sh: no crate with experiments is named \"$name\"" >&2; usage >&2; exit 2; }

# Prints each idea once, then a line for each of its rows with the non-empty columns.
awk -F '\t' -v words="$*" '
    NR == 1 {
        count = split(tolower(words), wanted, " ")
        for (i = 1; i <= NF; i++) { title[i] = $i; if ($i == "idea" || $i == "what") subject = i }
        next
    }
    {
        for (i = 1; i <= count; i++) if (!index(tolower($0), wanted[i])) next
        if ($subject != last) print (last == "" ? "" : "\n") $subject
        last = $subject
        line = ""
        for (i = 1; i <= NF; i++) if (i != subject && $i != "") line = line (line == "" ? "" : " | ") title[i] " " $i
        print "    " line
    }' "${files[0]}"
