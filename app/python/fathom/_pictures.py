# SPDX-License-Identifier: BSD-3-Clause
# Reading any file as a value, and writing one.
"""fathom.read and fathom.write."""

import os
import pathlib
from typing import Any, Optional

from . import _core, _files
from ._values import Path, Pixels


def read(path: Path, *, channels: bool = False) -> Any:
    """The contents of a file: a DeepImage, a Picture, a model, genomes or an image of IceT.

    With `channels` a Picture has those of a flat EXR beside color, alpha and Z: picture.channels["N.X"].
    A file without color is a dict of them.
    """
    return _files.load(os.fspath(path), bool(channels))


def write(
    value: Any,
    path: Path,
    *,
    float: bool = False,  # noqa: A002  the flag's name
    depth: Optional[Pixels] = None,
) -> None:
    """Writes a value of fathom or an array as an image; the ending decides (.exr, .png).

    `float` writes float channels to an EXR instead of half; `depth` becomes its Z.
    """
    from . import active_pixel, deep, flame, smoe

    ending = pathlib.Path(path).suffix.lower()
    if isinstance(value, _core.DeepImage):
        deep.write(value, path)
    elif isinstance(value, smoe.Model):
        smoe.write(value, path)
    elif isinstance(value, active_pixel.Image):
        active_pixel.write(value, path)
    elif ending in (".flame", ".flam3"):
        flame.write(value, path)
    else:
        import numpy

        if not isinstance(value, numpy.ndarray):
            raise _core.UsageError(
                f"value: expected an array or a value of fathom, found {type(value).__name__}"
            )
        if depth is None:
            depth = getattr(value, "depth", None)
            if ending != ".exr":
                depth = None
        _core.write_picture(value, os.fspath(path), depth, bool(float))
