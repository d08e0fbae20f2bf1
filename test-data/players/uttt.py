#!/usr/bin/env python3
"""Ultimate tic-tac-toe: takes a win, else any cell. The argument is a position's integer; the next one is printed."""
import random
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(nine):
    return next((nine[a] for a, b, c in LINES if nine[a] and nine[a] == nine[b] == nine[c]), 0)


def main():
    number = int(sys.argv[1])
    cells = [number >> ((80 - i) << 1) & 3 for i in range(81)]
    last = number >> 162 & 127
    boards = [cells[9 * b : 9 * b + 9] for b in range(9)]
    closed = [winner(board) or all(board) for board in boards]
    empty = not any(cells)
    me = 1 if empty else 3 - cells[last]
    playable = range(9) if empty or closed[last % 9] else [last % 9]
    moves = [9 * b + c for b in playable if not closed[b] for c in range(9) if not boards[b][c]]
    if not moves or winner([winner(board) for board in boards]):
        return print(number)

    def takes(cell):
        board = list(boards[cell // 9])
        board[cell % 9] = me
        return winner(board) == me

    cell = next(filter(takes, moves), None) or random.choice(moves)
    position = number & ((1 << 162) - 1) | me << ((80 - cell) << 1)
    print(position | cell << 162)


main()
