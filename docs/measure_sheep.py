#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws genomes small with flam3-render and with fathom, four seeds each, and names those that differ.

  measure_sheep.py --records sheep.jsonl [--fathom build/fathom] [--slice N] [--set NAME=VALUE] FOLDER...
  measure_sheep.py --records sheep.jsonl --again FOLDER...   those that differ, with sixteen further seeds
  measure_sheep.py --records sheep.jsonl --table

Every flame of every file below the folders counts once: the same xforms, colors and settings under another name,
size or quality are the same genome. An xform's attribute that flam3 does not know, other than 0, makes it a genome of
another program; attributes of a flame that flam3 does not know are left out. Each is drawn with 4,800 pixels in its
proportions, 50 samples per pixel and no supersampling, with its own filter and density estimation, by both
programs with trajectories of 10,000 points.

The squared difference of the two means is divided by what the variance of each four pictures predicts: about 1 (0 dB)
for programs that draw the same; `fine` of pixels, `coarse` of means of 4x4. `null` is the same of flam3's own halves.
A line of JSON per genome goes to the records at once; the same command goes on where it was stopped.
"""
import argparse
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import numpy

PIXELS, QUALITY, BATCH = 80 * 60, 50, 40
FINE, COARSE, SEEN = 1.5, 3.0, 60.0  # dB of both ratios; PSNR of what is beyond noise: a quarter of a level
FLAME = set("""name time size center scale zoom rotate filter filter_shape background brightness gamma gamma_threshold
    vibrancy highlight_power hue palette palette_mode estimator_radius estimator_minimum estimator_curve
    interpolation interpolation_type palette_interpolation temporal_filter_type temporal_filter_width""".split())
HARMLESS = {"name", "var_color", "animate", "plotmode"}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("folders", nargs="*", type=pathlib.Path)
    p.add_argument("--records", type=pathlib.Path, required=True)
    p.add_argument("--fathom", default="build/fathom")
    p.add_argument("--slice", type=int, default=10**9, help="genomes to draw now")
    p.add_argument("--set", action="append", default=[], help="a setting of fathom's, NAME=VALUE")
    p.add_argument("--again", action="store_true")
    p.add_argument("--only", action="append", default=[], help="keys of genomes")
    p.add_argument("--table", action="store_true")
    return p.parse_args()


# Genomes
# -------------------------------------------------------------------------------------------------


def small(flame):
    """The flame as both programs are to draw it."""
    width, height = (float(v) for v in flame.get("size").split())
    factor = math.sqrt(PIXELS / (width * height))
    drawn = tree.Element("flame", {a: v for a, v in flame.attrib.items() if a in FLAME})
    drawn.extend(part for part in flame if part.tag != "edit")
    drawn.set("size", f"{max(1, round(width * factor))} {max(1, round(height * factor))}")
    drawn.set("scale", repr(float(flame.get("scale", "50")) * factor))
    drawn.set("quality", repr(QUALITY / 4 ** float(flame.get("zoom", "0"))))
    for name in ("supersample", "passes", "temporal_samples"):
        drawn.set(name, "1")
    return drawn


def identity(flame):
    """Equal for flames that draw the same at one size."""
    parts = [(p.tag, sorted(p.attrib.items()), "".join((p.text or "").split()), [sorted(m.attrib.items()) for m in p])
             for p in flame]
    head = sorted((a, v) for a, v in flame.attrib.items() if a not in ("name", "time", "size", "scale", "quality"))
    shape = float(flame.get("scale")) / int(flame.get("size").split()[0])
    return hashlib.sha256(repr((parts, head, f"{shape:.4g}")).encode()).hexdigest()[:10]


def genomes(folders):
    """(key, file, drawn) of all flames that differ, in an order that mixes files."""
    seen = {}
    for path in sorted(p for folder in folders for p in folder.rglob("*") if p.is_file()):
        for text in re.findall(rb"<flame\b.*?</flame>", path.read_bytes(), re.S):
            try:
                flame = small(tree.fromstring(text))
            except (tree.ParseError, ValueError, AttributeError, ZeroDivisionError, OverflowError):
                continue
            key = identity(flame)
            if flame.find("xform") is not None and key not in seen:
                seen[key] = (key, path, flame)
    return [seen[key] for key in sorted(seen)]


def is_number_but_0(text):
    try:
        return any(float(word) != 0 for word in text.split())
    except ValueError:
        return False


# Pictures
# -------------------------------------------------------------------------------------------------


def pixels(path):
    data = path.read_bytes()
    width, height = (int(v) for v in data.split(None, 4)[1:3])
    return numpy.frombuffer(data[-3 * width * height:], numpy.uint8).astype(numpy.float64).reshape(height, width, 3)


def by_flam3(text, seed, out):
    """What flam3 says of it; the picture is at `out`, or is not where flam3 makes none."""
    command = {"in": str(text), "out": str(out), "format": "ppm", "bits": "64", "nthreads": "1", "verbose": "0",
               "earlyclip": "0", "transparency": "0", "isaac_seed": f"sheep{seed}", "seed": str(seed)}
    try:
        return subprocess.run(["flam3-render"], env={**os.environ, **command}, capture_output=True, timeout=300,
                              text=True, errors="replace", check=False).stderr
    except subprocess.TimeoutExpired:
        return "takes more than 300 seconds"


def by_fathom(folder, seed, args):
    """All genomes of the folder at once: start and shaders cost more than pictures."""
    settings = [word for s in ["restart=10000", *args.set] for word in ("--set", s)]
    return subprocess.run([args.fathom, "flame", "render", str(folder), "-o", f"{folder}/%n.fathom{seed}.ppm", "--quiet",
                           "--seed", str(seed), *settings], capture_output=True, text=True, check=False).stderr


def ratio(a, b):
    """The squared difference of the means over what the variance of each list predicts, in dB; and what is beyond that."""
    noise = a.var(axis=0, ddof=1).mean() / len(a) + b.var(axis=0, ddof=1).mean() / len(b)
    square = ((a.mean(axis=0) - b.mean(axis=0)) ** 2).mean()
    return 10 * math.log10(max(square, 1e-9) / max(noise, 1e-9)), square - noise


def in_blocks(pictures):
    """Means of 4x4 pixels: what differs in large is easier to tell from noise there."""
    count, height, width, _ = pictures.shape
    cut = pictures[:, :height // 4 * 4, :width // 4 * 4]
    return cut.reshape(count, height // 4, 4, width // 4, 4, 3).mean(axis=(2, 4))


def compared(theirs, ours):
    """Of two lists of pictures; `null` are ratios of the first list's own halves."""
    a, b = numpy.array(theirs), numpy.array(ours)
    (fine, beyond), (coarse, beyond_coarse) = ratio(a, b), ratio(in_blocks(a), in_blocks(b))
    half = len(a) // 2
    null = [ratio(part[:half], part[half:])[0] for part in (a, in_blocks(a))]
    means, others = a.mean(axis=(1, 2, 3)), b.mean(axis=(1, 2, 3))
    spread = math.sqrt((means.var(ddof=1) + others.var(ddof=1)) / len(a))
    values = {"fine": fine, "coarse": coarse, "null": null, "beyond": psnr(max(beyond, beyond_coarse)),
              "own": psnr(2 * a.var(axis=0, ddof=1).mean()), "mean": means.mean(), "off": others.mean() - means.mean(),
              "spread": spread}
    return json.loads(json.dumps(values), parse_float=lambda text: round(float(text), 3))


def psnr(square):
    return 10 * math.log10(255**2 / max(square, 1e-4))


def named(key, path, flame):
    return {"key": key, "file": f"{path.parent.name}/{path.name}", "name": flame.get("name", "")}


def record(one, folder, seeds, said, args):
    key = one["key"]
    theirs, ours = ([pixels(p) for s in seeds if (p := folder / f"{key}.{who}{s}.ppm").exists()]
                    for who in ("flam3", "fathom"))
    if len(theirs) < len(seeds):
        return {**one, "flam3": "makes no picture"}
    if len(ours) < len(seeds):
        line = [line for line in said.splitlines() if key in line]
        return {**one, "fathom": line[0].replace(str(folder) + "/", "") if line else "makes no picture"}
    return {**one, **compared(theirs, ours)}


def draw(batch, seeds, args, unknown):
    """Records of some genomes. `unknown`: names that flam3 has not known so far."""
    def is_foreign(flame):
        return any(is_number_but_0(part.get(a, "0")) for part in flame if part.tag.endswith("xform") for a in unknown)

    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder, kept, said = pathlib.Path(name), [], ""
        for key, path, flame in batch:
            one, text = named(key, path, flame), folder / f"{key}.flam3"
            text.write_bytes(tree.tostring(flame))
            if not is_foreign(flame):
                warned = by_flam3(text, seeds[0], folder / f"{key}.flam3{seeds[0]}.ppm")
                unknown |= set(re.findall(r"unrecognized variation (\S+?)\.  Ign", warned)) - HARMLESS
            if is_foreign(flame):
                text.unlink()
                yield {**one, "not of flam3": True}
                continue
            for seed in seeds[1:]:
                by_flam3(text, seed, folder / f"{key}.flam3{seed}.ppm")
            kept.append(one)
        if kept:
            said = "".join(by_fathom(folder, seed, args) for seed in seeds)
        for one in kept:
            yield record(one, folder, seeds, said, args)


# Records
# -------------------------------------------------------------------------------------------------


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def differs(one):
    return "fathom" in one or one.get("beyond", SEEN) < SEEN and (one["fine"] > FINE or one["coarse"] > COARSE)


def table(records, again):
    drawn = [r for r in records if "fine" in r]
    print(f"{len(drawn)} compared, {sum('not of flam3' in r for r in records)} of other programs, "
          f"{sum('flam3' in r for r in records)} that flam3 does not draw")
    for name, values in (("fine", [r["fine"] for r in drawn]), ("coarse", [r["coarse"] for r in drawn]),
                         ("flam3's halves, fine", [r["null"][0] for r in drawn]),
                         ("flam3's halves, coarse", [r["null"][1] for r in drawn])):
        print(f"{name}, dB: " + ", ".join(f"{p} % {numpy.percentile(values, p):+.2f}" for p in (1, 10, 50, 90, 99, 100)))
    second = {r["key"]: r for r in again}
    for one in filter(differs, records):
        print("differs:", json.dumps(one), "with other seeds:", json.dumps(second.get(one["key"])))
    print(f"{sum(map(differs, records))} differ, with other seeds, too: {sum(map(differs, again))}")


def main():
    args = arguments()
    known, second = read(args.records), args.records.with_suffix(".again.jsonl")
    if args.table:
        return table(known, read(second))
    wanted = {r["key"] for r in known if differs(r)} if args.again else set(args.only)
    records = second if args.again else args.records
    done = {r["key"] for r in read(records)}
    seeds = range(5, 21) if args.again else range(1, 5)
    listed = [g for g in genomes(args.folders) if g[0] in wanted or not (args.again or args.only)]
    left = [g for g in listed if g[0] not in done][:args.slice]
    print(f"{len(listed)} genomes, {len(left)} to draw", flush=True)
    unknown = set()
    for at in range(0, len(left), BATCH):
        with records.open("a") as file:
            for one in draw(left[at:at + BATCH], seeds, args, unknown):
                file.write(json.dumps(one) + "\n")
        print(f"{min(at + BATCH, len(left))} of {len(left)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
