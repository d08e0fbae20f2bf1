#!/usr/bin/env python3
"""Connect5: the free cell nearest to the middle that touches a stone. Its team line, READY, then a grid in, a cell out."""
import sys


def choose(grid):
    rows, columns = len(grid), len(grid[0])

    def touches(r, c):
        around = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        return any(0 <= i < rows and 0 <= j < columns and grid[i][j] != "0" for i, j in around)

    free = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] == "0"]
    return min(free, key=lambda at: (not touches(*at), abs(2 * at[0] - rows) + abs(2 * at[1] - columns)))


def dialogue(wire_in, wire_out):
    print("Python Player, 00000000, player@example.org\nREADY", file=wire_out, flush=True)
    while True:
        line = wire_in.readline()
        if not line or line.lstrip().startswith("0") or line.strip().lower() == "shutdown":
            return
        rows, _columns = map(int, line.split())
        grid = [wire_in.readline().strip() for _ in range(rows)]
        wire_in.readline()  # the time: this player needs none
        print(*choose(grid), file=wire_out, flush=True)


def main():
    dialogue(sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
