"""A piskvork engine that drops what comes within 30 ms of its own words, and takes its memory when START comes."""
import os
import select
import sys
import time

pending = b""


def line():
    global pending
    while b"\n" not in pending:
        more = os.read(0, 65536)
        if not more:
            sys.exit()
        pending += more
    text, pending = pending.split(b"\n", 1)
    return text.decode().strip()


def say(text):
    global pending
    # The clock starts before the word is out and is asked again at each wait: where others keep this process from
    # running for longer than it is deaf, what came meanwhile may have come later, and is heard.
    heard = time.monotonic() + 0.03
    os.write(1, (text + "\n").encode())
    pending = b""
    while (deaf := heard - time.monotonic()) > 0:
        if select.select([0], [], [], deaf)[0] and time.monotonic() < heard:
            if not os.read(0, 65536):
                sys.exit()


size, memory, taken = 0, False, set()


def move():
    at = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
    taken.add(at)
    say(f"{at[0]},{at[1]}")


while True:
    words = line().split(" ", 1)
    if words[0] == "INFO":
        memory |= words[1].startswith("max_memory") and not size
    elif words[0] == "START":
        size = int(words[1])
        say("OK" if memory else "ERROR no memory")
    elif words[0] == "BEGIN":
        move()
    elif words[0] == "TURN":
        taken.add(tuple(map(int, words[1].split(","))))
        move()
    elif words[0] == "BOARD":
        while (text := line()) != "DONE":
            taken.add(tuple(map(int, text.split(",")[:2])))
        move()
    elif words[0] == "END":
        sys.exit()
