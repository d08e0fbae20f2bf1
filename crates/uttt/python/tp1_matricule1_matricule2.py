#!/usr/bin/env python3
"""The course's command line, answered by the executable uttt.

    python3 tp1_matricule1_matricule2.py INT
    python3 tp1_matricule1_matricule2.py a DEPTH INT
    python3 tp1_matricule1_matricule2.py p INT

The executable is looked for in the variable UTTT, beside this file, in the build folders
of the project that this file lies in, and in the PATH.
"""
import os
import shutil
import sys


def executable():
    """The path of uttt, or None."""
    here = os.path.dirname(os.path.abspath(__file__))
    target = os.path.join(here, "..", "..", "..", "target")
    candidates = [
        os.environ.get("UTTT"),
        os.path.join(here, "uttt"),
        os.path.join(target, "release", "uttt"),
        os.path.join(target, "debug", "uttt"),
        shutil.which("uttt"),
    ]
    return next((path for path in candidates if path and os.access(path, os.X_OK)), None)


def main():
    """Becomes the executable: same arguments, same output, same exit code."""
    path = executable()
    if path is None:
        sys.exit("uttt is not built: cargo build --release -p uttt")
    os.execv(path, [path] + sys.argv[1:])


if __name__ == "__main__":
    main()
