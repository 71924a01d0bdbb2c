#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# How well are two runs told apart? Each try measures the same benches of two techniques twice and once
# with a fifth more pixels, passed off as the same size: the three take turns, a round each, their order
# going around. `fathom report --against` must flag nothing between the two of the same work, and of each
# technique the bench with more work, put among the others as they were, and nothing else.
#
#   tests/bench/try_runs.py build/fathom [--tries N] [--rounds N] [--keep FOLDER]
#
# Nothing else should run beside it: the load average of each try is told. Exit code 1 when a try goes
# wrong.

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

# A second or two of each bench in a round. A fifth more pixels, and rows of tiles.
BENCHES = ["flame.filter", "dof.radius"]
ARGUMENTS = ["--quick", "--trials", "6", "--no-profile", "--quiet",
             "--sweep", "max-radius=8,16", "--sweep", "estimator=fast,off"]
SIZES = {"before": "160x80", "again": "160x80", "more": "160x96"}


def fathom(options, *arguments, codes=(0,)):
    command = [options.fathom, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done


def measure_in_turns(options, folder):
    """The bench files of the three."""
    names = list(SIZES)
    for i in range(options.rounds):
        for name in names[i % 3:] + names[:i % 3]:
            fathom(options, "bench", *BENCHES, *ARGUMENTS, "--size", SIZES[name], "--append",
                   "--json", str(folder / f"{name}.json"))
    return [json.loads((folder / f"{name}.json").read_text()) for name in names]


def pass_off(more, before):
    """Calls the rows with more pixels by what the others are called."""
    for trial, same in zip(more["trials"], before["trials"], strict=True):
        if [trial[key] for key in ("bench", "workload", "label")] != \
                [same[key] for key in ("bench", "workload", "label")]:
            sys.exit(f"{trial['bench']}: expected the row {same['label']}, found {trial['label']}")
        trial["size"], trial["settings"] = same["size"], same["settings"]


def compare(options, folder, before, after, name):
    old, new = folder / "old.json", folder / f"new.{name}.json"
    old.write_text(json.dumps(before))
    new.write_text(json.dumps(after))
    done = fathom(options, "report", "--against", str(old), str(new), "--fail-slower-than", "5%",
                  codes=(0, 3))
    lines = {m[1]: (m[2], bool(m[3])) for m in re.finditer(
        r"^  (\S+)\s+\d+\s+([-+][\d.]+ %)\s+\S.*?( SLOWER)?$", done.stdout, re.M)}
    rows = re.findall(r"^slower: (\S+),", done.stdout, re.M)
    return done.returncode, lines, rows, done.stdout


def attempt(options, folder):
    """One try: what went wrong, and a line for each comparison."""
    before, again, more = measure_in_turns(options, folder)
    pass_off(more, before)
    wrong = []
    code, lines, rows, text = compare(options, folder, before, again, "same")
    print("  same work: " + ", ".join(f"{b} {c}" for b, (c, _) in lines.items()))
    if code != 0:
        wrong.append("flagged the same work:\n" + text)
    for bench in BENCHES:
        mixed = dict(again, trials=[t for t in again["trials"] if t["bench"] != bench] +
                     [t for t in more["trials"] if t["bench"] == bench])
        code, lines, rows, text = compare(options, folder, before, mixed, bench)
        flagged = {b for b, (_, slower) in lines.items() if slower} | set(rows)
        print(f"  more work in {bench}: {lines[bench][0]}, "
              f"{'flagged' if bench in flagged else 'NOT FLAGGED'}")
        if code != 3 or flagged != {bench}:
            wrong.append(f"more work in {bench}, flagged {sorted(flagged) or 'nothing'}:\n" + text)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom")
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--keep", help="where the bench files stay")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        for i in range(1, options.tries + 1):
            folder = pathlib.Path(options.keep or temporary) / f"try-{i}"
            folder.mkdir(parents=True, exist_ok=True)
            start = time.monotonic()
            print(f"try {i}, load average {os.getloadavg()[0]:.1f}")
            wrong = attempt(options, folder)
            print(f"  {math.ceil(time.monotonic() - start)} s, {'WRONG' if wrong else 'right'}", flush=True)
            failures += bool(wrong)
            for text in wrong:
                print(text)
    print(f"{options.tries - failures} of {options.tries} tries right")
    sys.exit(1 if failures else 0)


main()
