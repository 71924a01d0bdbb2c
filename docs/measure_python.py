#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# What the package for Python costs beside the program, in processor time and memory: two deep images
# of arrays merged, written and read. ./dev python docs/measure_python.py MILLIONS [FOLDER]; the folder
# should be in memory. Prints what stands in docs/python.md.
import gc
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy

import fathom
from fathom._view import program

WIDTH, HEIGHT = 1920, 1080


def cpu(who=resource.RUSAGE_SELF):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def memory(name):
    """Of this process in MB: VmRSS now, VmHWM at most since clear_refs."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1e3
    return 0.0


def arrays(millions, seed):
    """Half color, Z and ZBack, lists front to back."""
    random = numpy.random.default_rng(seed)
    counts = random.poisson(millions * 1e6 / (WIDTH * HEIGHT), WIDTH * HEIGHT)
    offsets = numpy.concatenate([[0], numpy.cumsum(counts)]).astype(numpy.uint64)
    total = int(offsets[-1])
    channels = {name: random.random(total, numpy.float32).astype(numpy.float16) for name in "RGBA"}
    place = numpy.arange(total) - numpy.repeat(offsets[:-1].astype(numpy.int64), counts)
    channels["Z"] = 1 + place.astype(numpy.float32) + random.random(total, numpy.float32) * 0.9
    channels["Z"] = channels["Z"].astype(numpy.float32)
    channels["ZBack"] = channels["Z"] + numpy.float32(0.05)
    return offsets, channels


def spent(what, work):
    before = cpu()
    value = work()
    print(f"{what}: {cpu() - before:.2f} s of processor time", flush=True)
    return value


def main():
    millions = float(sys.argv[1])
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(dir="/dev/shm"))
    folder.mkdir(exist_ok=True)
    print(fathom.device().renderer)
    base = memory("VmRSS")
    given = [arrays(millions / 2, seed) for seed in (1, 2)]
    gc.collect()
    inputs = sum(one.nbytes for offsets, channels in given for one in [offsets, *channels.values()]) / 1e6
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    images = [fathom.DeepImage(*one, WIDTH, HEIGHT) for one in given]
    merged = spent("merge of arrays", lambda: fathom.deep.merge(*images))
    output, peak = merged.nbytes / 1e6, memory("VmHWM") - base
    print(f"{merged}\npeak {peak:.0f} MB, {peak / (inputs + output):.2f} times inputs and output")
    paths = [folder / "a.exr", folder / "b.exr"]
    for image, path in zip(images, paths):
        spent("write", lambda: fathom.deep.write(image, path, compression="none"))
    spent("write the merged one", lambda: fathom.deep.write(merged, folder / "m.exr", compression="none"))
    del images, given, merged
    for path in paths:
        spent("read", lambda: fathom.deep.read(path))
    before = cpu(resource.RUSAGE_CHILDREN)
    subprocess.check_call([program(), "deep", "merge", *paths, "--compression", "none", "-o",
                           folder / "cli.exr"])
    print(f"fathom deep merge, with its files: {cpu(resource.RUSAGE_CHILDREN) - before:.2f} s")
    same = (folder / "cli.exr").read_bytes() == (folder / "m.exr").read_bytes()
    print(f"the same file: {same}")
    for name in ("a.exr", "b.exr", "m.exr", "cli.exr"):
        (folder / name).unlink()


main()
