#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# What the package for Python costs beside the program, in processor time and memory: two deep images
# of arrays merged, written and read; and reading beside what else Python has, where that is there
# (python3-openimageio). ./dev python docs/measure_python.py MILLIONS [FOLDER]; the folder should be in
# memory. Prints what stands in docs/results/python.md.
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


def cpu_of_program(words):
    """Processor time of the program: in all, and in reading and writing its files."""
    traced = ["strace", "-f", "-c", "-e", "trace=read,pread64,write,pwrite64,rename", "-o", "/dev/stdout"]
    before = cpu(resource.RUSAGE_CHILDREN)
    subprocess.check_call([program(), *words], stdout=subprocess.DEVNULL)
    whole = cpu(resource.RUSAGE_CHILDREN) - before
    try:
        told = subprocess.run([*traced, program(), *words], capture_output=True, text=True).stdout
        files = float([line for line in told.splitlines() if line.endswith("total")][0].split()[1])
    except (FileNotFoundError, IndexError):
        files = float("nan")  # no strace here
    return whole, files


def by_openimageio(path):
    """Counts and a flat array per channel, by a loop over samples: there is no other way."""
    import OpenImageIO

    file = OpenImageIO.ImageInput.open(str(path))
    deep = file.read_native_deep_image()
    value, counts = deep.deep_value, [deep.samples(p) for p in range(deep.pixels)]
    names = file.spec().channelnames
    return {
        name: numpy.array(
            [value(p, c, s) for p, count in enumerate(counts) for s in range(count)], numpy.float32
        )
        for c, name in enumerate(names)
    }


def reading_beside_openimageio(folder):
    path = folder / "small.exr"
    offsets, channels = arrays(1, 1)
    fathom.deep.write(fathom.DeepImage(offsets, channels, WIDTH, HEIGHT), path, compression="none")
    before = cpu()
    theirs = by_openimageio(path)
    between = cpu()
    for _ in range(8):
        image = fathom.deep.read(path)
        ours = {name: numpy.ascontiguousarray(image[name]) for name in image}
    times = between - before, (cpu() - between) / 8
    same = all(numpy.array_equal(theirs[name], ours[name]) for name in ours)
    print(f"reading 1 M fragments into flat arrays: OpenImageIO {times[0]:.2f} s, fathom {times[1]:.3f} s, "
          f"{times[0] / times[1]:.0f} times faster; the same values: {same}")
    path.unlink()


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
    whole, files = cpu_of_program(
        ["deep", "merge", *paths, "--compression", "none", "-o", folder / "cli.exr"])
    print(f"fathom deep merge: {whole:.2f} s, of these reading and writing files {files:.2f} s")
    same = (folder / "cli.exr").read_bytes() == (folder / "m.exr").read_bytes()
    print(f"the same file: {same}")
    for name in ("a.exr", "b.exr", "m.exr", "cli.exr"):
        (folder / name).unlink()
    try:
        reading_beside_openimageio(folder)
    except ImportError:
        print("no OpenImageIO for Python here (python3-openimageio)")


main()
