#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws frames of films with flam3-animate and with fathom and prints how far they are apart.

  compare_films_with_flam3.py [--fathom build/fathom] [--samples 200] [--width 256] [--seeds 4] [--only N]
  compare_films_with_flam3.py --time [--frames 60] [GENOME]

Twelve films between genomes made by flam3-genome: each way of mixing matrices, smooth curves, each
way of mixing palettes, each temporal filter, different numbers of xforms, a final xform in one only.
A frame with the shutter open for three is drawn by flam3 (double buffers) and by fathom with four
seeds each, from the same text at the same samples per pixel. `self` is the PSNR over all pairs of
flam3's pictures, the next column that over all pairs of one of each: with two pictures alone either
scatters by half a dB. A row fails below self - 0.5 dB. Exit code 1 when a row fails.

--time draws a loop of a genome (assets/flame/corona.flame) at 640x360 and 100 samples per pixel with
1000 moments per frame: by fathom, by fathom with one moment, and by flam3-animate on two threads.
"""
import argparse
import copy
import itertools
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree

import compare_with_flam3 as stills

TIME = 5  # of the frame; keyframes stand at 0, 12, ...

# name, seed, keyframes, attributes of all of them, xforms more or fewer in the second one, where the
# final xform is (1: the first keyframe, 2: the second one)
BOX, GAUSSIAN = {"temporal_filter_type": "box"}, {"temporal_filter_type": "gaussian"}
RISING = {"temporal_filter_type": "exp", "temporal_filter_exp": "1.5"}
FALLING = {"temporal_filter_type": "exp", "temporal_filter_exp": "-2"}


def kinds(matrices, palettes, **more):
    return {"interpolation_type": matrices, "palette_interpolation": palettes, **more}


FILMS = (
    ("log, box, hue circle", 1, 2, {**kinds("log", "hsv_circular"), **BOX}, 0, 0),
    ("linear, gaussian, hue", 3, 2, {**kinds("linear", "hsv"), **GAUSSIAN}, 0, 0),
    ("old, rising, rgb", 5, 2, {**kinds("old", "rgb"), **RISING}, 0, 0),
    ("older, falling, sweep", 7, 2, {**kinds("older", "sweep"), **FALLING}, 0, 0),
    ("log, smooth, box", 9, 4, {**kinds("log", "hsv_circular", interpolation="smooth"), **BOX}, 0, 0),
    ("linear, smooth, gaussian", 11, 4, {**kinds("linear", "rgb", interpolation="smooth"), **GAUSSIAN}, 0, 0),
    ("log, two more xforms", 13, 2, {**kinds("log", "hsv_circular"), **BOX}, 2, 0),
    ("linear, an xform fewer, rising", 25, 2, {**kinds("linear", "rgb"), **RISING}, -1, 0),
    ("log, final xform at first", 17, 2, {**kinds("log", "hsv"), **BOX}, 0, 1),
    ("log, final xform at last", 19, 2, {**kinds("log", "hsv_circular"), **GAUSSIAN}, 0, 2),
    ("old, an xform more, box", 21, 2, {**kinds("old", "rgb"), **BOX}, 1, 0),
    ("log, all of it, falling", 23, 2, {**kinds("log", "sweep"), **FALLING}, 2, 1),
)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("genome", nargs="?", default="assets/flame/corona.flame")
    p.add_argument("--fathom", default="build/fathom")
    p.add_argument("--samples", type=int, default=200, help="per pixel")
    p.add_argument("--width", type=int, default=256, help="of the frames")
    p.add_argument("--seeds", type=int, default=4, help="pictures by each program")
    p.add_argument("--only", type=int, help="one of the twelve")
    p.add_argument("--time", action="store_true", help="how long a loop takes")
    p.add_argument("--frames", type=int, default=60, help="of the loop")
    return p.parse_args()


def set_final_xform(flame, wanted):
    for old in flame.findall("finalxform"):
        flame.remove(old)
    if wanted:
        tree.SubElement(flame, "finalxform", color="0.5", color_speed="0", linear="0.8",
                        spherical="0.2", coefs="0.9 0.1 -0.1 0.9 0.1 0")


def set_xforms(flame, more):
    xforms = flame.findall("xform")
    for old in xforms[len(xforms) + min(more, 0):]:
        if len(xforms) > 2:
            flame.remove(old)
    for i in range(max(more, 0)):
        added = copy.deepcopy(xforms[i % len(xforms)])
        added.set("coefs", f"0.4 0.1 -0.1 0.4 {0.5 - i} {0.3 * i}")
        added.attrib.pop("chaos", None)
        flame.append(added)


def film(seed, keyframes, attributes, more, final, args):
    root = tree.Element("flames")
    for k in range(keyframes):
        flame = stills.random_flame(seed + k)
        width, height = (int(v) for v in flame.get("size").split())
        flame.set("scale", repr(float(flame.get("scale")) * args.width / width))
        flame.set("size", f"{args.width} {args.width * height // width}")
        for name, value in {"quality": str(args.samples), "temporal_samples": "100", "passes": "1",
                            "temporal_filter_width": "3", "time": str(12 * k), **attributes}.items():
            flame.set(name, value)
        if keyframes == 4:  # the middle segment is the smooth one
            flame.set("time", str(12 * (k - 1)))
        set_final_xform(flame, final == k + 1)
        if k == 1:
            set_xforms(flame, more)
        root.append(flame)
    return tree.tostring(root)


def over_pairs(pairs):
    """PSNR of the mean squared difference, and the mean difference in levels."""
    found = [stills.compare(a, b) for a, b in pairs]
    squares = sum(10 ** (-psnr / 10) for psnr, _ in found) / len(found)
    return -10 * math.log10(squares), sum(mean for _, mean in found) / len(found)


def row(number, name, text, args, folder):
    keyframes = folder / "film.flam3"
    keyframes.write_bytes(text)
    theirs, ours = [], []
    for seed in range(1, args.seeds + 1):
        stills.run(["flam3-animate"], **{"in": str(keyframes)}, prefix=f"{folder}/theirs.", begin=str(TIME),
                   end=str(TIME), isaac_seed=f"fathom{seed}", nthreads="2", bits="64",
                   sub_batch_size="100000", earlyclip="0", format="ppm", verbose="0")
        theirs.append(stills.pixels(folder / f"theirs.{TIME:05}.ppm"))
        stills.run([args.fathom, "flame", "animate", str(keyframes), "--begin", str(TIME), "--end", str(TIME),
                    "-o", f"{folder}/ours.%d.ppm", "--again", "--quiet", "--seed", str(seed)])
        ours.append(stills.pixels(folder / f"ours.{TIME}.ppm"))
    own, _ = over_pairs(itertools.combinations(theirs, 2))
    psnr, mean = over_pairs(itertools.product(ours, theirs))
    passed = psnr >= own - 0.5
    print(f"{number:2} {name:32} {own:6.2f} {psnr:7.2f} {mean:+7.3f}" + ("" if passed else "  FAILS"), flush=True)
    return passed


def timed(command, **variables):
    """Wall and processor seconds of a child."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    stills.run(command, **variables)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_loop(args, folder):
    loop = folder / "loop.flam3"
    stills.run([args.fathom, "flame", "sequence", args.genome, "--frames", str(args.frames),
                "--size", "640x360", "-o", str(loop), "--quiet"])
    root = tree.fromstring(loop.read_bytes())
    results = []
    for label, moments in (("fathom, 1000 moments", "1000"), ("fathom, one moment", "1")):
        for flame in root.iter("flame"):
            flame.attrib.update(quality="100", temporal_samples=moments, passes="1")
        loop.write_bytes(tree.tostring(root))
        results.append((label, timed([args.fathom, "flame", "animate", str(loop), "--begin", "0", "--end",
                                      str(args.frames - 1), "-o", f"{folder}/ours.%d.png", "--again", "--quiet"])))
    for flame in root.iter("flame"):
        flame.set("temporal_samples", "1000")
    loop.write_bytes(tree.tostring(root))
    results.append(("flam3-animate, 1000 moments", timed(
        ["flam3-animate"], **{"in": str(loop)}, prefix=f"{folder}/theirs.", begin="0",
        end=str(args.frames - 1), nthreads="2", format="png", verbose="0")))
    print(f"{args.frames} frames of {args.genome}, 640x360, 100 samples per pixel")
    for label, (wall, processor) in results:
        print(f"{label:28} {wall:7.1f} s  {processor:7.1f} s of processor time", flush=True)
    (moving, moving_cpu), (still, still_cpu), (theirs, _) = (r for _, r in results)
    print(f"1000 moments / one: {moving / still:.2f} ({moving_cpu / still_cpu:.2f} of processor time); "
          f"fathom / flam3-animate: {moving / theirs:.2f}")


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if args.time:
            time_loop(args, folder)
            return
        print(f"{'film':35} {'self':>6} {'fathom':>7}    mean")
        passed = True
        for number, (title, *how) in enumerate(FILMS, 1):
            if args.only in (None, number):
                passed &= row(number, title, film(*how, args), args, folder)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
