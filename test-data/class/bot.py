"""Connect5 for a class of tests: BEHAVIOUR says what the program does with a position."""
import os
import random
import sys
import time

BEHAVIOUR = "first"
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def attack():
    """Tries what a program must not do. What works is told, and shows on the card."""
    here = os.path.dirname(os.path.abspath(__file__))
    for path in ("/etc/shadow", here + "/..", here + "/../..", os.path.expanduser("~root")):
        try:
            print("read", path, os.listdir(path) if os.path.isdir(path) else open(path).read(), file=sys.stderr)
            sys.exit(99)
        except OSError:
            pass
    # What it writes beside itself goes to its own copy.
    for folder in ("/tmp", "/var/tmp", os.path.expanduser("~root"), here + "/.."):
        try:
            open(folder + "/written", "w").close()
            sys.exit(98)
        except OSError:
            pass


def run(grid, at, way, stone):
    count = 1
    for sign in (1, -1):
        r, c = at[0] + sign * way[0], at[1] + sign * way[1]
        while 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] == stone:
            count, r, c = count + 1, r + sign * way[0], c + sign * way[1]
    return count


def choose(grid):
    rows, columns = len(grid), len(grid[0])
    free = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] == "0"]
    taken = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] != "0"]
    if BEHAVIOUR == "cheat" and taken:
        return taken[0]
    if BEHAVIOUR == "random":
        return random.choice(free)
    if BEHAVIOUR not in ("nearest", "win"):
        return free[0]
    text = "".join(grid)
    own, other = "NB" if text.count("N") == text.count("B") else "BN"

    def worth(at):
        near = -abs(2 * at[0] - rows) - abs(2 * at[1] - columns)
        if BEHAVIOUR == "nearest":
            return near
        five = [max(run(grid, at, way, stone) for way in WAYS) for stone in (own, other)]
        return (five[0] == 5, five[1] == 5, max(five), near)

    return max(free, key=worth)


def main():
    if BEHAVIOUR == "attack":
        attack()
    if BEHAVIOUR == "sleep":
        time.sleep(10000)
    print("Class\nREADY", flush=True)
    asked = 0
    while (line := sys.stdin.readline()) and not line.startswith("0"):
        rows = int(line.split()[0])
        grid = [sys.stdin.readline().strip() for _ in range(rows)]
        sys.stdin.readline()
        asked += 1
        if BEHAVIOUR == "crash" and asked > 5:
            raise ValueError("a mistake in the program")
        if BEHAVIOUR == "hang" and asked > 5:
            time.sleep(10000)
        while BEHAVIOUR == "flood":
            print("thinking " * 1000)
        if BEHAVIOUR == "talk":
            print("thinking")
        print(*choose(grid), flush=BEHAVIOUR != "buffer")


main()
