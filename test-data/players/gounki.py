#!/usr/bin/env python3
"""Gounki: a robot whose stacks go one step ahead, the foremost first. Options -B, -N (humain or robot) and -c FILE."""
import sys

# A stack is its colour, squares and rounds; codes 1 to 9 of the course's files.
STACKS = {"1": (1, 0), "2": (0, 1), "3": (2, 0), "4": (0, 2), "5": (3, 0), "6": (0, 3), "7": (1, 1), "8": (2, 1), "9": (1, 2)}
START = ["B1 B2".split()[(f + r) % 2] if r < 2 else "N1 N2".split()[(f + r) % 2] if r > 5 else "V0" for r in range(8) for f in range(8)]


def option(name, default=None):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def read(text):
    return [(ord(text[i]) - 97, int(text[i + 1]) - 1) for i in range(0, len(text), 3)]


def put(men, at, colour, squares, rounds):
    old = men.get(at, (colour, 0, 0))
    men[at] = (colour, squares + old[1], rounds + old[2]) if old[0] == colour else (colour, squares, rounds)


def play(men, text):
    start, *cells = read(text.replace("#", ""))
    colour, squares, rounds = men.pop(start)
    if text[2] == "-":
        put(men, cells[0], colour, squares, rounds)
    for i, cell in enumerate(cells if text[2] in "+*" else []):
        square = i < squares if text[2] == "+" else i >= rounds
        put(men, cell, colour, square, not square)


def choose(men, colour):
    ahead, last = (1, 7) if colour == "B" else (-1, 0)
    name = lambda at: f"{chr(97 + at[0])}{at[1] + 1}"
    mine = sorted((at for at in men if men[at][0] == colour), key=lambda at: -ahead * at[1])
    for x, y in mine:
        _, squares, rounds = men[x, y]
        if y == last:
            return f"{name((x, y))}#"
        for dx in [0] * bool(squares) + [-1, 1] * bool(rounds):
            there = men.get((x + dx, y + ahead), ("", 0, 0))
            if 0 <= x + dx < 8 and (there[0] != colour or sum(there[1:]) + squares + rounds <= 3):
                return f"{name((x, y))}-{name((x + dx, y + ahead))}"


def main():
    codes = open(option("-c")).read().split() if option("-c") else START
    men = {(i % 8, i // 8): (code[0], *STACKS[code[1]]) for i, code in enumerate(codes) if code[1] != "0"}
    colours, turn = "BN", 0
    while len({man[0] for man in men.values()}) == 2:
        human = option(f"-{colours[turn % 2]}", "humain") == "humain"
        text = sys.stdin.readline().strip() if human else choose(men, colours[turn % 2])
        if not text:
            return
        play(men, text)
        turn += 1
        print(f"Coup {turn} : {text}", flush=True)
        if text.endswith("#"):
            return


if __name__ == "__main__":
    main()
