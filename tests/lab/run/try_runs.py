#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# How well does the comparison tell runs apart? Each try measures the same benches of two techniques twice,
# and once more with a fifth more pixels, labeled as the same size. The three runs alternate, a round each,
# in rotating order. `fathom report --against` must flag nothing between the two runs of the same work;
# when one bench is replaced by that of the third run, it must flag that bench and nothing else.
#
#   tests/lab/run/try_runs.py build/fathom [--tries N] [--rounds N] [--keep FOLDER]
#
# Nothing else should run at the same time: the load average of each try is printed. Exit code 1 when a try
# goes wrong.

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

# A second or two of each bench per round. A fifth more pixels, and more rows of tiles.
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


def measure_alternately(options, folder):
    """The bench files of the three runs."""
    names = list(SIZES)
    for i in range(options.rounds):
        for name in names[i % 3:] + names[:i % 3]:
            fathom(options, "bench", *BENCHES, *ARGUMENTS, "--size", SIZES[name], "--append",
                   "--json", str(folder / f"{name}.json"))
    return [json.loads((folder / f"{name}.json").read_text()) for name in names]


def relabel(more, before):
    """Gives the rows with more pixels the sizes and settings of the others."""
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
    """One try: returns what went wrong, and prints a line for each comparison."""
    before, again, more = measure_alternately(options, folder)
    relabel(more, before)
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
    parser.add_argument("--keep", help="folder to keep the bench files in")
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
