#!/usr/bin/env bash
# Prints a crate's experiments for a person.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/experiments.sh CRATE [WORD...]

The rows of crates/CRATE/EXPERIMENTS.tsv that contain every WORD, whatever its case. CRATE is
connect5-joueur, gounki, moules-client, othello-player, trainer or uttt, or the start of such a
name. "trust" prints docs/data/trust.tsv. The columns:

  commit     of the measurement, or its date, where it is known
  against    what the idea is measured against; "before" with a figure is the state without it
  condition  what is measured and its unit; time, nodes or depth a move
  score      the figure, in the unit of the condition
  elo        difference in Elo
  low, high  interval of elo, or of score where there is no elo
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
[ -f "${files[0]}" ] || { echo "experiments.sh: no experiments of \"$name\"" >&2; usage >&2; exit 2; }

# The idea once, then a line for each of its rows: column names and values, the empty ones left out.
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
