#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Figure 4 and tables 1 and 2 of Lipinski et al. 2021 with real ranks: starts mpirun for each number
of ranks, mode and size, keeps the rows of every frame and rank, and prints tables in Markdown.

  docs/measure_ranks.py build/fathom station --ranks 1 2 4 --sizes 1920x1080 --frames 180 --out FOLDER

Ranks that share a machine share its cores and its GPU: there the tables tell modes apart, not how the
work scales."""
import argparse
import csv
import os
import pathlib
import subprocess
import sys

MODES = ["generic", "roi", "gpu"]
TIMES = ["render_ms", "read_ms", "compress_ms", "compose_ms", "collect_ms"]


def run(options, ranks, mode, size):
    """The rows of one run; the first frame warms up and is left out."""
    file = options.out / f"{options.scene.replace('/', '_')}-{size}-{ranks}-{mode}.csv"
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-q", "-n", str(ranks)]
    if os.geteuid() == 0:
        command.insert(1, "--allow-run-as-root")
    command += [options.program, "active-pixel", "composite", options.scene, "--mode", mode,
                "--size", size, "--frames", str(options.frames + 1), "--figures", str(file)]
    if subprocess.run(command).returncode != 0:
        sys.exit(f"measure_ranks.py: failed: {' '.join(command)}")
    with open(file, newline="") as rows:
        return [row for row in csv.DictReader(rows) if row["frame"] != "0"]


def by_frame(rows):
    frames = {}
    for row in rows:
        frames.setdefault(row["frame"], []).append(row)
    return frames.values()


def mean_of_slowest(rows, names):
    """The mean over frames of the slowest rank, in ms."""
    slowest = [max(sum(float(row[name]) for name in names) for row in frame) for frame in by_frame(rows)]
    return sum(slowest) / len(slowest)


def shares(rows, name):
    """The least and the most of a rank's bytes in any frame, in percent of the whole frame."""
    values = [100 * float(row[name]) / float(row["raw_bytes"]) for row in rows]
    return f"{min(values):.3f} - {max(values):.3f}"


def print_tables(options, measured):
    print(f"\nTimes of {options.scene} in ms, mean over {options.frames} frames of the slowest rank; "
          "speed relative to roi (table 1, figure 4)\n")
    print("| size | ranks | mode | render | read | compress | compose | collect | frames/s | speed |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for size in options.sizes:
        for ranks in options.ranks:
            whole = {mode: mean_of_slowest(measured[size, ranks, mode], TIMES) for mode in MODES}
            for mode in MODES:
                rows = measured[size, ranks, mode]
                times = " | ".join(f"{mean_of_slowest(rows, [name]):.3f}" for name in TIMES)
                print(f"| {size} | {ranks} | {mode} | {times} | {1000 / whole[mode]:.2f} "
                      f"| {whole['roi'] / whole[mode]:.2f} |")
    print("\nBytes of a rank in percent of the whole frame, least and most (table 2)\n")
    print("| size | ranks | region | active pixels |\n|---|---|---|---|")
    for size in options.sizes:
        for ranks in options.ranks:
            rows = measured[size, ranks, "gpu"]
            print(f"| {size} | {ranks} | {shares(rows, 'region_bytes')} | {shares(rows, 'sparse_bytes')} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scene")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--sizes", nargs="+", default=["1920x1080", "3840x2160", "7680x4320"])
    parser.add_argument("--frames", type=int, default=180)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("ranks"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    measured = {(size, ranks, mode): run(options, ranks, mode, size)
                for size in options.sizes for ranks in options.ranks for mode in MODES}
    print_tables(options, measured)


if __name__ == "__main__":
    main()
