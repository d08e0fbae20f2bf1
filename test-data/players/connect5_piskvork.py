#!/usr/bin/env python3
"""Connect5 by the piskvork protocol: the moves of connect5.py, columns in front of rows."""
import sys

from connect5 import choose


def main():
    grid = []
    for line in sys.stdin:
        word, *numbers = line.replace(",", " ").split() or [""]
        if word in ("START", "RECTSTART"):
            columns, rows = int(numbers[0]), int(numbers[-1])
            grid = [["0"] * columns for _ in range(rows)]
            print("OK", flush=True)
        elif word == "END":
            return
        elif word in ("BEGIN", "TURN", "BOARD"):
            if word == "TURN":
                grid[int(numbers[1])][int(numbers[0])] = "X"
            while word == "BOARD" and (stone := sys.stdin.readline().strip()) != "DONE":
                x, y, _who = map(int, stone.split(","))
                grid[y][x] = "X"
            row, column = choose(grid)
            grid[row][column] = "X"
            print(f"{column},{row}", flush=True)


main()
