# SPDX-License-Identifier: BSD-3-Clause
# Small inputs that many tests take, made once.
import json
import os
import pathlib
import subprocess

import numpy
import pytest

import fathom

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FATHOM_PROGRAM", str(ROOT / "build" / "fathom"))


def program(*words):
    """Runs the program; its standard output."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    return done.stdout


def deep_image(width=17, height=9, seed=1, uint=False):
    """Random lists of 0 to 5 fragments, front to back."""
    random = numpy.random.default_rng(seed)
    counts = random.integers(0, 6, width * height)
    offsets = numpy.concatenate([[0], numpy.cumsum(counts)]).astype(numpy.uint64)
    total = int(offsets[-1])
    pixel = numpy.repeat(numpy.arange(width * height), counts)
    z = random.uniform(1, 9, total).astype(numpy.float32)
    z = z[numpy.lexsort((z, pixel))]
    channels = {name: random.uniform(0, 1, total).astype(numpy.float16) for name in "RGBA"}
    channels["Z"] = z
    if uint:
        channels["id"] = random.integers(0, 9, total).astype(numpy.uint32)
    return fathom.DeepImage(offsets, channels, width, height)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """A folder with an input of each kind."""
    folder = tmp_path_factory.mktemp("files")
    fathom.deep.write(deep_image(seed=1), folder / "a.exr")
    fathom.deep.pack(folder / "a.exr", output=folder / "packed.fdp")
    fathom.deep.write(deep_image(seed=2), folder / "b.exr")
    y, x = numpy.mgrid[0:24, 0:32].astype(numpy.float32)
    pixels = numpy.stack([x / 32, y / 24, (x + y) / 56, numpy.ones_like(x)], axis=2)
    fathom.write(pixels, folder / "picture.png")
    depth = 2 + x / 8
    fathom.write(pixels, folder / "depth.exr", float=True, depth=depth)
    fathom.deep.write(deep_image(seed=3, uint=True), folder / "ids.exr")
    fathom.flame.random(output=folder / "rose.flame", seed=7, size=(32, 24))
    fathom.flame.sequence(folder / "rose.flame", output=folder / "film.flame", frames=3)
    fathom.smoe.fit(folder / "picture.png", output=folder / "model.smoe", k=12, steps=4)
    fathom.active_pixel.encode(
        folder / "depth.exr", output=folder / "image.icet", depth_range=(0, 16)
    )
    bench = fathom.bench.run("active-pixel.ratio", quick=True, trials=1)
    (folder / "bench.json").write_text(json.dumps(bench.record))
    return folder
