#!/usr/bin/env python3
"""Othello by GTP: the move that turns the most discs, corners first."""
import sys

AROUND = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
CORNERS = {(0, 0), (0, 7), (7, 0), (7, 7)}


def start():
    return {(3, 3): "w", (4, 4): "w", (3, 4): "b", (4, 3): "b"}


def turned(discs, me, at):
    found = []
    for dx, dy in AROUND if at not in discs else []:
        line, (x, y) = [], (at[0] + dx, at[1] + dy)
        while discs.get((x, y), me) != me:
            line.append((x, y))
            x, y = x + dx, y + dy
        found += line if (x, y) in discs else []
    return found


def play(discs, me, at):
    discs.update({disc: me for disc in turned(discs, me, at) + [at]})


def main():
    discs = start()
    for line in sys.stdin:
        words, answer = line.lower().split(), ""
        if words[:1] == ["clear_board"]:
            discs = start()
        elif words[:1] == ["play"] and words[2] != "pass":
            play(discs, words[1][0], (ord(words[2][0]) - 97, int(words[2][1]) - 1))
        elif words[:1] == ["genmove"]:
            me, cells = words[1][0], [(x, y) for x in range(8) for y in range(8)]
            best = max(cells, key=lambda at: (bool(gain := len(turned(discs, me, at))), at in CORNERS and gain, gain))
            answer = "pass" if not turned(discs, me, best) else f"{chr(97 + best[0])}{best[1] + 1}"
            if answer != "pass":
                play(discs, me, best)
        print(f"= {answer}\n", flush=True)
        if words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
