"""A piskvork engine that keeps a history of moves: whoever did not put the last stone of BOARD is to move.

It completes five, keeps the other side from it, or fills the grid from its corner.
"""
import sys

OWN, OTHER = 1, 2
columns = rows = 0
stones = {}
# The side that it believes to play.
me = OWN


def is_five(cell, who):
    for dx, dy in (1, 0), (0, 1), (1, 1), (1, -1):
        run = 1
        for sign in 1, -1:
            x, y = cell
            while stones.get((x := x + sign * dx, y := y + sign * dy)) == who:
                run += 1
        if run == 5:
            return True
    return False


def move():
    free = [(x, y) for y in range(rows) for x in range(columns) if (x, y) not in stones]
    fives = [cell for who in (me, OWN + OTHER - me) for cell in free if is_five(cell, who)]
    cell = (fives or free)[0]
    stones[cell] = me
    print("%d,%d" % cell, flush=True)


for line in sys.stdin:
    word, *numbers = line.replace(",", " ").split() or [""]
    if word in ("START", "RECTSTART"):
        columns, rows = int(numbers[0]), int(numbers[-1])
        stones = {}
        print("OK", flush=True)
    elif word == "BEGIN":
        me = OWN
        move()
    elif word == "TURN":
        stones[int(numbers[0]), int(numbers[1])] = OWN + OTHER - me
        move()
    elif word == "BOARD":
        stones, last = {}, OTHER
        while (stone := sys.stdin.readline().strip()) != "DONE":
            x, y, last = map(int, stone.split(","))
            stones[x, y] = last
        me = OWN + OTHER - last
        move()
    elif word == "END":
        break
