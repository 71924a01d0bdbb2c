#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Processor time (user and system) of flam3-render and of `fathom flame render`, the same samples by both.

  measure_flame_speed.py [--fathom build/fathom] [--times 5] [--cold] GENOME[:SIZE[:QUALITY[:MOMENTS]]]...

Both read the same file: the genome in the proportions of its own, SIZE pixels wide (800), with QUALITY samples per
pixel (200) and MOMENTS of its shutter (1). They draw in turns, so that other work on the machine meets both, flam3
with two threads. A first picture of each is not counted: it fills the disk cache of shaders. Prints a table of
medians, with the least and the most. --cold: Fathom with an empty shader cache, too.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree


def as_drawn(path, width, quality, moments):
    flame = next(tree.parse(path).getroot().iter("flame"))
    size = [int(v) for v in flame.get("size").split()]
    flame.set("size", f"{width} {round(size[1] * width / size[0])}")
    flame.set("scale", repr(float(flame.get("scale", "50")) * width / size[0]))
    for name, value in (("quality", quality), ("temporal_samples", moments), ("passes", 1)):
        flame.set(name, str(value))
    return flame


def seconds(command, **variables):
    with subprocess.Popen(command, env={**os.environ, **variables}, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit code {process.returncode}")
    return used.ru_utime + used.ru_stime


def shown(times):
    return f"{statistics.median(times):.2f} ({min(times):.2f}-{max(times):.2f})"


def row(given, args, folder):
    path, width, quality, moments = (given.split(":") + [None] * 3)[:4]
    width, quality, moments = int(width or 800), int(quality or 200), int(moments or 1)
    flame, text, out = as_drawn(path, width, quality, moments), folder / "genome.flam3", str(folder / "picture.png")
    text.write_bytes(tree.tostring(flame))
    theirs = {"in": str(text), "out": out, "nthreads": "2", "verbose": "0", "earlyclip": "0", "isaac_seed": "speed"}
    ours = [args.fathom, "flame", "render", str(text), "-o", out, "--quiet"]
    turns = [(seconds(["flam3-render"], **theirs), seconds(ours)) for _ in range(args.times + 1)]
    flam3, fathom = zip(*turns[1:])
    about = path.rsplit("/", 1)[-1].removesuffix(".flam3") + (f", {moments} moments" if moments > 1 else "")
    ratio = statistics.median(flam3) / statistics.median(fathom)
    cells = [about, f"{flame.get('size').replace(' ', 'x')}, {quality}", shown(flam3), shown(fathom), f"{ratio:.1f}"]
    if args.cold:
        with tempfile.TemporaryDirectory() as empty:
            cells.append(f"{seconds(ours, MESA_SHADER_CACHE_DIR=empty):.2f}")
    print("| " + " | ".join(cells) + " |", flush=True)
    return ratio


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("genomes", nargs="+", metavar="GENOME")
    p.add_argument("--fathom", default="build/fathom")
    p.add_argument("--times", type=int, default=5)
    p.add_argument("--cold", action="store_true")
    args = p.parse_args()
    heads = ["Genome", "Size, quality", "flam3-render, s", "Fathom, s", "Ratio"] + ["Cold, s"] * args.cold
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        ratios = [row(given, args, pathlib.Path(name)) for given in args.genomes]
    print(f"\nMedian ratio {statistics.median(ratios):.1f}, least {min(ratios):.1f}")


if __name__ == "__main__":
    main()
