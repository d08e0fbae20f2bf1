#!/usr/bin/env python3
"""The maze: walks to the nearest mussel. Arguments: host, port, name."""
import socket
import sys
from collections import deque

STEPS = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "O": (-1, 0)}


def choose(line, me):
    size, cells, players = line.split("/")
    width = int(size.split("x")[0])
    cells = cells.split("-")
    x, y = map(int, players.split("-")[1 + me].split(","))
    queue, seen = deque([(x, y, None)]), {(x, y)}
    while queue:
        x, y, first = queue.popleft()
        if cells[y * width + x].isdigit():
            return first
        for letter, (dx, dy) in STEPS.items():
            at = (x + dx, y + dy)
            if at not in seen and cells[at[1] * width + at[0]] != "D":
                seen.add(at)
                queue.append((*at, first or letter))
    return "C"


def main():
    host, port, name = sys.argv[1:4]
    with socket.create_connection((host, int(port))) as connection, connection.makefile("rw") as wire:
        print(name, file=wire, flush=True)
        me = int(wire.readline())
        while (line := wire.readline().strip()) and line != "FIN":
            print(choose(line, me), file=wire, flush=True)


main()
