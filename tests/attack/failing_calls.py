#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lets every allocation and every write of commands that write fail once, as SQLite's tests do.

failing_calls.py PROGRAM LIBRARY [--each N] [--only COMMAND]

LIBRARY is failing_calls.c. Of each command and kind of call N are tried, evenly spread (0: all). Expected: done, with the
output of an undisturbed run; or one line, exit code 1 to 3 and the old output. Nothing is left beside it.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

# Whether a driver is loaded, whose allocations are its own; the output; the words.
COMMANDS = {
    "deep pack": (False, "out.fdp", "deep pack a.exr -o out.fdp"),
    "deep unpack": (False, "out.exr", "deep unpack a.fdp -o out.exr"),
    "flame random": (False, "out.flame", "flame random --seed 3 -o out.flame"),
    "flame palette": (False, "out.map", "flame palette a.flame -o out.map"),
    "dof variants": (False, "out.glsl", "dof variants --source warp.peel.a.copy.each.l1.load.ftb.int -o out.glsl"),
    "report": (False, "out.html", "report bench.json -o out.html"),
    "info": (False, "out.json", "info a.exr --json out.json"),
    "deep merge": (True, "out.exr", "deep merge a.exr b.exr -o out.exr"),
    "deep flatten": (True, "out.png", "deep flatten a.exr -o out.png"),
    "smoe convert": (True, "out.smoe", "smoe convert a.smoe --encoding packed -o out.smoe"),
    "flame render": (True, "out.png", "flame render a.flame --size 16x12 --quality 1 --seed 1 -o out.png"),
    "active-pixel encode": (True, "out.icet", "active-pixel encode flat.exr -o out.icet"),
}
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fuzz/corpus")
OLD = b"as it was"


class Place:
    def __init__(self, program, library, folder):
        self.program, self.library, self.folder = program, library, folder
        self.environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder + "/config", TMPDIR=folder)
        for name, scene in (("a.exr", "planes:count=3"), ("b.exr", "planes:count=2")):
            self.fathom(f"deep merge {scene} --size 20x12 -o {name}")
        self.fathom("deep pack a.exr -o a.fdp")
        self.fathom("deep flatten a.exr --depth front -o flat.exr")
        for name, seed in (("a.smoe", "smoe/record-2.smoe"), ("a.flame", "flame/flam3"), ("bench.json", "bench/one")):
            shutil.copy(os.path.join(CORPUS, seed), os.path.join(folder, name))

    def put(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as out:
            out.write(data)

    def get(self, name):
        """The bytes of a file; of JSON without times and figures."""
        with open(os.path.join(self.folder, name), "rb") as file:
            data = file.read()
        return re.sub(rb"[0-9.]+", b"", data) if name.endswith(".json") else data

    def fathom(self, words):
        subprocess.run([self.program, *words.split(), "--quiet"], cwd=self.folder, env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def run(self, words, loads_driver, fail):
        environment = dict(self.environment, LD_PRELOAD=self.library, FAIL=fail, FAIL_COUNT=self.folder + "/count")
        if not loads_driver:
            environment["FAIL_CALLERS"] = "all"
        return subprocess.run([self.program, *words.split()], cwd=self.folder, env=environment, capture_output=True,
                              timeout=60)


def judge(place, output, result, whole, before):
    """What is wrong, or nothing."""
    said = [line for line in result.stderr.decode(errors="replace").splitlines()
            if not line.startswith("fathom: warning: ")]
    if result.returncode == 0:
        if place.get(output) != whole:
            return "another output"
    elif result.returncode not in (1, 2, 3):
        return f"exit code {result.returncode}"
    elif place.get(output) not in (OLD, whole):  # or done, and failed to say so
        return "the old output is gone"
    elif len(said) != 1 or not said[0].startswith("fathom: "):
        return f"{len(said)} lines"
    left = set(os.listdir(place.folder)) - before
    return f"left {', '.join(left)}" if left else None


def attempt(place, name, kind, each):
    """Prints what went wrong; how many calls there are, were tried, were refused and were wrong."""
    loads_driver, output, words = COMMANDS[name]
    place.fathom(words)
    whole = place.get(output)
    result = place.run(words, loads_driver, f"{kind}:0")
    if result.returncode != 0 or place.get(output) != whole:
        sys.exit(f"fathom {words}: expected the same output when nothing fails, found code {result.returncode}: {result.stderr}")
    count = int(place.get("count"))
    before = set(os.listdir(place.folder))
    tried = range(1, count + 1) if each == 0 else sorted({1 + i * (count - 1) // max(1, each - 1) for i in range(each)})
    refused = wrong = 0
    for number in tried:
        place.put(output, OLD)
        result = place.run(words, loads_driver, f"{kind}:{number}")
        refused += result.returncode != 0
        problem = judge(place, output, result, whole, before)
        if problem:
            wrong += 1
            print(f"fathom {words}: {kind} {number} of {count}: {problem}: {result.stderr[-300:]!r}", flush=True)
        for left in set(os.listdir(place.folder)) - before:
            os.remove(os.path.join(place.folder, left))
    return count, len(tried), refused, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--only", choices=COMMANDS)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        place = Place(os.path.abspath(options.program), os.path.abspath(options.library), folder)
        print("| Command | Call | Calls | Failed once | Refused | Wrong |\n|---|---|---|---|---|---|")
        for name in [options.only] if options.only else COMMANDS:
            for kind in ("malloc", "write"):
                row = attempt(place, name, kind, options.each)
                failed = failed or row[3] > 0
                print(f"| {name} | {kind} | " + " | ".join(map(str, row)) + " |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
