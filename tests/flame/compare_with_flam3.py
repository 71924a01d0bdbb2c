#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Renders genomes with flam3-render and with fathom and prints how far they are apart.

  compare_with_flam3.py [--fathom build/fathom] [--samples 200] [--ss 0.5] [--random N]
                        [--restart N] [--paths] [GENOME...]

Every flame of every file is drawn twice by flam3 (double buffers, long trajectories, two seeds) and
once by fathom in each mode of accumulation, from the same text and at the same samples per pixel. `self` is the PSNR
between flam3's two pictures: two correct renderers that draw independently come to the same value.
A row fails when fathom's PSNR against flam3's first picture is below self - 0.5 dB (random genomes:
1 dB), or the means are further apart than 0.25 level or twice flam3's own difference. --random N
adds N genomes made by flam3-genome. Exit code 1 when a row fails.

--paths compares two paths of fathom instead, at 5, 20, 100 and 400 samples per pixel: that of software, and
that of GPUs, which Mesa's renderer takes under another name. Each is held to flam3's picture of 16 times
the samples; a row fails where that of GPUs is more than 0.3 dB worse. Means are of 4 to 32 seeds, until their
difference is known to 0.1 dB. Genomes that mix slowly come first:

  compare_with_flam3.py --paths --ss 0.25 --random 20
"""
import argparse
import copy
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

MODES = ("atomic", "deferred")
QUALITIES = (5, 20, 100, 400)
SEEDS = (4, 32)  # at least, at most: where an xform is rare, one image is up to 1.3 dB from another

# What many rounds find: xforms that hardly follow each other, rare ones, spirals, chains of contractions.
SLOW = {
    "sparse xaos": """
        <xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 -1 0" chaos="1 0.004 0"/>
        <xform weight="1" color="0.5" linear="1" coefs="0.5 0.2 -0.2 0.5 0 0.7" chaos="0 1 0.004"/>
        <xform weight="1" color="1" linear="1" coefs="0.6 0 0 0.4 1 -0.4" chaos="0.004 0 1"/>""",
    "small weights": """
        <xform weight="1" color="0" linear="0.9" spherical="0.1" coefs="0.8 0.4 -0.4 0.8 0.1 0"/>
        <xform weight="0.001" color="0.6" linear="1" coefs="0.3 0 0 0.3 1.2 0.4"/>
        <xform weight="0.0005" color="1" sinusoidal="1" coefs="0.5 0 0 0.5 -1 -0.8"/>""",
    "spiral": """
        <xform weight="1" color="0.2" linear="1" coefs="0.99725 0.0499 -0.0499 0.99725 0 0"/>
        <xform weight="0.002" color="0.9" linear="1" coefs="0.2 0 0 0.2 0.7 0"/>""",
    "linear chains": """
        <xform weight="1" color="0" linear="1" coefs="0.998 0 0 0.998 0.002 0.001"/>
        <xform weight="0.01" color="0.5" linear="1" coefs="0.1 0 0 0.1 -1 0.2"/>
        <xform weight="0.01" color="1" linear="1" coefs="0.1 0.1 -0.1 0.1 0.2 -1"/>""",
}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("genomes", nargs="*", type=pathlib.Path)
    p.add_argument("--fathom", default="build/fathom")
    p.add_argument("--samples", type=int, default=200, help="per pixel")
    p.add_argument("--ss", type=float, default=0.5, help="size relative to the genome's")
    p.add_argument("--random", type=int, default=0, help="genomes made by flam3-genome")
    p.add_argument("--restart", type=int, default=0,
                   help="trajectories of both begin anew after N points (flam3: sub_batch_size; each of its threads begins "
                        "trajectories of its own, so it has one here)")
    p.add_argument("--paths", action="store_true", help="compare the paths of software and GPUs")
    p.add_argument("--set", action="append", default=[], help="a setting of fathom's, NAME=VALUE")
    return p.parse_args()


def run(command, **variables):
    result = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{command[0]}: {result.stderr.decode().strip()}")
    return result.stdout


def flames(path):
    """The flames of a file as elements, flam3-genome's by their seed."""
    text = path.read_bytes()
    root = tree.fromstring(text)
    return [root] if root.tag == "flame" else list(root.iter("flame"))


def random_flame(seed):
    """As flam3-genome makes them, larger and with an ordinary filter."""
    text = run(["flam3-genome"], isaac_seed=f"fathom-{seed}", seed=str(seed))
    flame = next(tree.fromstring(text).iter("flame"))
    width, height = (int(v) for v in flame.get("size").split())
    flame.set("scale", str(float(flame.get("scale")) * 640 / width))
    flame.set("size", "640 480")
    return flame


def slow_flame(name):
    colors = '<color index="0" rgb="255 60 0"/><color index="255" rgb="20 160 250"/>'
    head = 'size="640 480" scale="160" filter="0.5" supersample="1" gamma="2.2" brightness="8"'
    return tree.fromstring(f'<flame name="{name}" {head}>{SLOW[name]}{colors}</flame>')


def scaled(flame, args):
    flame = copy.deepcopy(flame)
    width, height = (int(int(v) * args.ss) for v in flame.get("size").split())
    flame.set("size", f"{width} {height}")
    flame.set("scale", repr(float(flame.get("scale", "50")) * args.ss))
    flame.set("quality", str(args.samples))
    return flame


def pixels(path):
    """Bytes of a binary PPM behind its header, without numpy."""
    data = path.read_bytes()
    width, height = (int(v) for v in data.split(None, 4)[1:3])
    return data[-3 * width * height:]


def compare(a, b):
    """PSNR in dB over all bytes, and the difference of the means in levels."""
    squares = sum((x - y) * (x - y) for x, y in zip(a, b))
    psnr = math.inf if squares == 0 else 10 * math.log10(255 ** 2 * len(a) / squares)
    return psnr, (sum(a) - sum(b)) / len(a)


def row(name, flame, tolerance, args, folder):
    text = folder / "genome.flam3"
    text.write_bytes(tree.tostring(scaled(flame, args)))
    theirs = []
    for seed in ("A", "B"):
        out = folder / f"flam3-{seed}.ppm"
        run(["flam3-render"], out=str(out), **{"in": str(text)}, isaac_seed=f"fathom{seed}",
            nthreads="1", bits="64", sub_batch_size=str(args.restart or 1000000), earlyclip="0", transparency="0",
            format="ppm", verbose="0")
        theirs.append(pixels(out))
    own, own_mean = compare(theirs[1], theirs[0])
    line, passed = f"{name:32.32} {own:6.2f}", True
    for mode in MODES:
        out = folder / f"{mode}.ppm"
        settings = ["--restart", str(args.restart)] if args.restart else []
        settings += [word for s in args.set for word in ("--set", s)]
        run([args.fathom, "flame", "render", str(text), "-o", str(out), "--accumulate", mode, "--quiet"] + settings)
        psnr, mean = compare(pixels(out), theirs[0])
        passed &= psnr >= own - tolerance and abs(mean) <= max(0.25, 2 * abs(own_mean))
        line += f"  {psnr:6.2f} {mean:+7.3f}"
    print(line + ("" if passed else "  FAILS"), flush=True)
    return passed


def standard_error(drawn):
    """Of the difference of two means."""
    return math.sqrt(sum(statistics.variance(values) / len(values) for values in drawn))


def paths_row(name, flame, _, args, folder):
    """Of each quality: mean PSNR of the path of software, and how much nearer that of GPUs is."""
    text, line, passed = folder / "genome.flam3", f"{name:32.32}", True
    for quality in QUALITIES:
        def written(samples):
            args.samples = samples
            text.write_bytes(tree.tostring(scaled(flame, args)))
        written(16 * quality)
        out = folder / "picture.ppm"
        run(["flam3-render"], out=str(out), **{"in": str(text)}, isaac_seed="fathom", bits="64", earlyclip="0",
            transparency="0", format="ppm", verbose="0")
        right = pixels(out)
        written(quality)
        drawn = ([], [])
        while len(drawn[0]) < SEEDS[0] or standard_error(drawn) > 0.1 and len(drawn[0]) < SEEDS[1]:
            for values, renderer in zip(drawn, ({}, {"force_gl_renderer": "GPU"})):
                run([args.fathom, "flame", "render", str(text), "-o", str(out), "--quiet", "--seed", str(len(values) + 1)],
                    **renderer)
                values.append(compare(pixels(out), right)[0])
        near = [statistics.mean(values) for values in drawn]
        line += f"  {near[0]:6.2f} {near[1] - near[0]:+6.2f}"
        passed &= near[1] >= near[0] - 0.3
    print(line + ("" if passed else "  FAILS"), flush=True)
    return passed


def main():
    args = arguments()
    compared = paths_row if args.paths else row
    if args.paths:
        print(f"{'genome':32}" + "".join(f"  {f'at {q}':>6} {'GPU':>6}" for q in QUALITIES))
    else:
        print(f"{'genome':32} {'self':>6}" + "".join(f"  {m:>9} mean" for m in MODES))
    passed = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for slow in SLOW if args.paths else ():
            passed &= compared(slow, slow_flame(slow), 0.5, args, folder)
        for path in args.genomes:
            found = flames(path)
            for i, flame in enumerate(found):
                label = path.stem + (f" #{i}" if len(found) > 1 else "")
                passed &= compared(label, flame, 0.5, args, folder)
        for seed in range(1, args.random + 1):
            passed &= compared(f"flam3-genome {seed}", random_flame(seed), 1.0, args, folder)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
