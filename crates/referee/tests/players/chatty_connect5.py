"""The first free cell; behind it a banner and a board, or, with an argument, the next free cell, too."""
import sys

print("READY", flush=True)
while len(size := sys.stdin.readline().split()) == 2:
    rows, columns = map(int, size)
    grid = [sys.stdin.readline().strip() for _ in range(rows)]
    sys.stdin.readline()
    free = [f"{r} {c}" for r in range(rows) for c in range(columns) if grid[r][c] == "0"]
    behind = free[1:2] if len(sys.argv) > 1 else ["thinking was fun", *grid, "1 2 3"]
    sys.stdout.write("\n".join([free[0], *behind]) + "\n")
    sys.stdout.flush()
