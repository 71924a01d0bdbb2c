# SPDX-License-Identifier: BSD-3-Clause
# Deep images: the commands of `fathom deep`; merging and flattening of images in memory need no file.
"""Deep images: read, write, merge, flatten and the other commands of `fathom deep`."""

import json
import os
import pathlib
from typing import TYPE_CHECKING, Optional

from . import _calls, _core, _files
from ._core import DeepImage
from ._values import Measured, Path, Progress, attach, picture

# Flags that say how files are read; images in memory have nothing to do with them.
_OF_FILES = {"stream", "part", "keep_bad_values"}


def read(
    path: Path,
    *,
    part: str = "",
    keep_bad_values: bool = False,
    progress: Optional[Progress] = None,
) -> DeepImage:
    """Reads a deep EXR. `part` is a number, name or view of a multi-part file.

    Bad values (NaN, infinite color, alpha outside 0..1) are repaired unless they are to be kept.
    """
    return _core.read_deep(os.fspath(path), str(part), bool(keep_bad_values), False, progress)


def write(
    image: DeepImage,
    path: Path,
    *,
    compression: Optional[str] = None,
    tiled: bool = False,
    progress: Optional[Progress] = None,
) -> None:
    """Writes a deep EXR; `compression` is none, rle, zips or zstd; else that of the file which the image
    was read from, or zips."""
    if not isinstance(image, DeepImage):
        raise _core.UsageError(f"image: expected a DeepImage, found {type(image).__name__}")
    if pathlib.Path(path).suffix.lower() != ".exr":
        raise _core.UsageError(f"{os.fspath(path)}: expected a file name that ends in .exr")
    _core.write_deep(image, os.fspath(path), compression, bool(tiled), progress)


def _packed(image):
    """For pickle: the image as the bytes of a file, and what was measured."""
    with _files.Folder(image.nbytes) as folder:
        path = folder.file("image.exr", "image")
        _core.write_deep(image, path, image._compression or "zips", False, None)
        return _unpacked, (path.read_bytes(),), image.__dict__


def _unpacked(data):
    with _files.Folder(len(data)) as folder:
        path = folder.file("image.exr", "image")
        path.write_bytes(data)
        return _core.read_deep(path, "", True, False, None)


DeepImage.__reduce__ = _packed
DeepImage.__copy__ = lambda self: self  # it does not change
DeepImage.__deepcopy__ = lambda self, memo: self


def _in_memory(call, images, keywords):
    """Settings as text when the call can be made without files, else None."""
    if not images or not any(isinstance(image, DeepImage) for image in images):
        return None
    settings = call.texts(keywords)  # also what is wrong is wrong before any work
    if set(settings) - call.settings - _OF_FILES:
        return None
    if set(settings) & _OF_FILES and not all(isinstance(image, DeepImage) for image in images):
        return None
    for image in images:
        if not isinstance(image, (DeepImage, str, os.PathLike)) or _calls.is_scene(image):
            return None
    return {call.flag(name): text for name, text in settings.items() if name in call.settings}


def _opened(images):
    return [image if isinstance(image, DeepImage) else read(image) for image in images]


_merge = _calls.function("deep merge", __name__)
_flatten = _calls.function("deep flatten", __name__)


def _merge_any(*images, output=None, progress=None, **settings):
    direct = _in_memory(_merge.call, images, settings) if output is None else None
    if direct is None:
        return _merge(*images, output=output, progress=progress, **settings)
    merged, facts = _core.merge_deep(_opened(images), direct, progress)
    return _calls.remember(attach(merged, Measured(json.loads(facts))))


def _flatten_any(*images, output=None, progress=None, **settings):
    direct = _in_memory(_flatten.call, images, settings) if output is None else None
    if direct is None:
        return _flatten(*images, output=output, progress=progress, **settings)
    pixels, window, facts = _core.flatten_deep(_opened(images), direct, progress)
    flat = picture(pixels, None, window, None)
    return _calls.remember(attach(flat, Measured(json.loads(facts))))


if TYPE_CHECKING:
    from ._stubs.deep import *
else:
    merge = _calls.dress(_merge_any, _merge)
    flatten = _calls.dress(_flatten_any, _flatten)
    _calls.install(globals(), "deep")
