#!/usr/bin/env python3
"""Gounki, a move a process: a file with the moves so far in (--meilleur-coup FILE), the move of gounki.py out."""
from gounki import STACKS, START, choose, option, play

men = {(i % 8, i // 8): (code[0], *STACKS[code[1]]) for i, code in enumerate(START) if code[1] != "0"}
# Before the first move the file is a configuration, the initial one: codes of two letters.
moves = [word for word in open(option("--meilleur-coup")).read().split() if len(word) > 2]
for move in moves:
    play(men, move)
print(choose(men, "BN"[len(moves) % 2]))
