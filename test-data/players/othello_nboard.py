#!/usr/bin/env python3
"""Othello by NBoard: the moves of othello.py's rules, the square that turns the most discs."""
import re
import sys

from othello import play, start, turned


def main():
    discs, me = start(), "b"
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ping":
            print("pong", *rest, flush=True)
        elif word == "set" and rest[:1] == ["game"]:
            discs, me = start(), "b"
            for side, x, y in re.findall(r"([BW])\[(?:([A-H])([1-8])|PA)", line):
                if x:
                    play(discs, side.lower(), (ord(x) - 65, int(y) - 1))
                me = "b" if side == "W" else "w"
        elif word == "go":
            gain, at = max((len(turned(discs, me, (x, y))), (x, y)) for x in range(8) for y in range(8))
            print("===", f"{chr(65 + at[0])}{at[1] + 1}" if gain else "PA", flush=True)
        elif word == "quit":
            return


main()
