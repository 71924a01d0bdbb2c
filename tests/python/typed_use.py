# SPDX-License-Identifier: BSD-3-Clause
# What a user may write, for mypy: not run. Lines marked WRONG are those that it has to refuse.
from typing import List

import fathom

image: fathom.DeepImage = fathom.deep.read("a.exr", part="left")
both: fathom.DeepImage = fathom.deep.merge(image, "b.exr", layout="la", block_size=8, tidy=True)
result: fathom.Result = fathom.deep.merge("a.exr", "b.exr", output="c.exr", compression="rle")
flat: fathom.Picture = fathom.deep.flatten(both)
passes: List[object] = [one["gpu_ms"] for one in flat.passes]
model: fathom.smoe.Model = fathom.smoe.fit(flat, components=100)
genomes: List[fathom.flame.Genome] = fathom.flame.random(seed=7)
genomes[0].xforms[0].weight = 0.5
rows = fathom.bench.run("deep.composite", quick=True).rows
error: float = fathom.compare("a.png", "b.png")["psnr"]
window: fathom.View = fathom.view(image, settings={"show": "points"})
for step in fathom.smoe.fit_steps("a.png"):
    print(step.psnr + 1, step.alpha)
fathom.smoe.fit(flat, k=100)
made: fathom.Picture = fathom.Picture([[0.0]], depth=None)

fathom.deep.merge(image, layot="la")  # WRONG
fathom.deep.merge(image, layout="lla")  # WRONG
fathom.deep.merge(image, tiled="yes")  # WRONG
fathom.dof.render("a.exr", f_number="x")  # WRONG
fathom.deep.read(3)  # WRONG
offsets: int = image.offsets  # WRONG
