#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each rule of pages.py finds a fault that is planted in a small project, which passes without it."""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
from unittest import mock

import pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = {
    "README.md": "# Project\n\nA viewer for images. See [the guide](docs/guides/a.md#use).\n",
    "docs/guides/a.md": "# Guide\n\n## Use\n\nRun `fathom deep merge a.exr --layout bia`.\n",
    "app/a.cpp": 'fail("{}: expected an image, found none", file);\n',
    "fathom": "#!/bin/sh\nprintf '%s\\n' '.SS fathom view' '.SS fathom deep merge' '\\fB--layout\\fR'\n",
}
LONG = " ".join(["word"] * 31)
# The file, what is appended to it, what is found.
FAULTS = [
    ("app/a.cpp", 'help("Draw a kGenome again.");', "a name of C++: kGenome"),
    ("app/a.cpp", 'help("Of type std::string, once.");', "a name of C++: std::string"),
    ("app/a.h", 'const char* kText = "Start of "\n    "everything random.";', "retired: start of everything random"),
    ("app/a.py", '"""Looking at the fragments of a file."""', "retired: looking at the fragments"),
    ("fathom", "echo 'what a file holds; without one, the GPU'", "manual page: retired: what a file holds; without"),
    ("docs/guides/a.md", "Files need not be clean.", "retired: files need not be clean"),
    ("docs/guides/a.md", f"Many a {LONG}.", "33 words in a sentence"),
    ("README.md", f"| Cell | {LONG}: more |", "32 words in a sentence"),
    ("docs/guides/a.md", " ".join([f"{' '.join(['word'] * 20)}." for _ in range(5)]), "median sentence: expected 16 words"),
    ("docs/explain/a.md", " ".join(["word"] * 2501), "expected at most 2500 words, found 2501"),
    ("docs/guides/a.md", "\n\n".join(["Two words. "] * 7600), "guides and tutorials: expected at most 15000 words"),
    ("docs/guides/a.md", "See [that](b.md).", "no b.md"),
    ("docs/guides/a.md", "See [that](a.md#misuse).", "no heading for a.md#misuse"),
    ("docs/guides/a.md", "Run `fathom deep merge --layuot bia`.", "no flag --layuot"),
    ("docs/guides/a.md", "```\nfathom deep mrge a.exr\n```", "no command deep mrge"),
]


def found(folder, fault):
    files = dict(GOOD)
    if fault:
        files[fault[0]] = files.get(fault[0], "") + "\n" + fault[1] + "\n"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "fathom").chmod(0o755)
    printed = io.StringIO()
    os.chdir(folder)
    with contextlib.redirect_stdout(printed), mock.patch.object(sys, "argv", ["pages.py", str(folder / "fathom")]):
        code = pages.main()
    os.chdir(ROOT)
    return code, printed.getvalue()


def main():
    missed = []
    for fault in [None] + FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            code, text = found(pathlib.Path(folder), fault)
        if fault is None and code != 0:
            missed.append(f"without a fault: {text}")
        elif fault and (code != 1 or fault[2] not in text):
            missed.append(f"{fault[0]}: expected {fault[2]!r}, found {text}")
    print("\n".join(missed) or f"{len(FAULTS)} faults found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
