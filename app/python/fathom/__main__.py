# SPDX-License-Identifier: BSD-3-Clause
# `python3 -m fathom ARGS`, and the command `fathom` of a wheel: the command line of the program that
# this package belongs to.
import os
import sys

from ._view import program


def main() -> None:
    os.execv(program(), ["fathom", *sys.argv[1:]])


if __name__ == "__main__":
    main()
