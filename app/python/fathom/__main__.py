# SPDX-License-Identifier: BSD-3-Clause
# `python3 -m fathom ARGS` is the command line of the program that this package belongs to.
import os
import sys

from ._view import program

os.execv(program(), ["fathom", *sys.argv[1:]])
