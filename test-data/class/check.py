#!/usr/bin/env python3
"""Checks the cards of the class of make.py: check.py RECORD [COUNT]. Prints each wrong card, and exits with 1 if there is one."""
import json
import sys
from pathlib import Path

# The text of the card of each behaviour that is no honest one.
TOLD = {
    "attack": "tried to write outside its scratch folder",
    "bomb": "the files are too large",
    "buffer": "hang: no answer",
    "cheat": "illegal move",
    "crash": "crash: it ended",
    "endless": "make: it did not end in",
    "error": "make: exit code",
    "flood": "protocol error",
    "hang": "hang: no answer",
    "sleep": "slow start",
    "talk": "protocol error",
}
# The same player in every language. An archive with links holds an honest one.
HONEST = {"win": "win", "nearest": "nearest", "first": "first", "link": "first"}


def main():
    records = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    cards = {record["player"]["name"]: record["card"] for record in records}
    rows = (Path(__file__).parent / "class.tsv").read_text().splitlines()[1:]
    rows = [row.split("\t") for row in rows[: int(sys.argv[2]) if len(sys.argv) > 2 else None]]
    wrong, alike = [], {}
    for name, _, language, behaviour, _ in rows:
        card = cards.get(name)
        if card is None:
            wrong.append(f"{name}: no card")
            continue
        text = json.dumps(card, ensure_ascii=False)
        if TOLD.get(behaviour, "") not in text:
            wrong.append(f"{name}: {behaviour} in {language}: not told \"{TOLD[behaviour]}\"")
        # It ends with 98 or 99 where its attack succeeds.
        if "exit code 98" in text or "exit code 99" in text:
            wrong.append(f"{name}: the attack succeeded")
        if behaviour in HONEST:
            points = [item["points"] for item in card["items"] if item.get("points") is not None]
            alike.setdefault(HONEST[behaviour], {})[f"{name} ({language})"] = points
    for behaviour, points in alike.items():
        if len({str(of) for of in points.values()}) > 1:
            wrong.append(f"{behaviour}: other points in other languages: {points}")
    if len(cards) != len(rows):
        wrong.append(f"{len(cards)} cards of {len(rows)} programs")
    print("\n".join(wrong) or f"{len(rows)} cards are right")
    sys.exit(bool(wrong))


main()
