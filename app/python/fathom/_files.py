# SPDX-License-Identifier: BSD-3-Clause
# Values as files and back, for commands that read and write files: in memory (/dev/shm) where there
# is room, without loss.
"""Values as files, and files as values."""

import json
import os
import pathlib
import shutil
import tempfile

import numpy

from . import _core
from ._values import picture

_MEMORY = "/dev/shm"
_ROOM = 64 << 20  # for what a command may write that is not known beforehand


class Folder:
    """A folder for the files of one call; `named` tells what stands for a file in messages."""

    def __init__(self, size=0):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="fathom-", dir=_place(size)))
        self.named = {}

    def file(self, name, meaning):
        path = self.path / name
        self.named[str(path)] = meaning
        return path

    def plain(self, message):
        """A message without paths of this folder."""
        for path in sorted(self.named, key=len, reverse=True):
            message = message.replace(path, self.named[path])
        return message

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def _place(size):
    try:
        free = os.statvfs(_MEMORY)
        if os.access(_MEMORY, os.W_OK) and free.f_bavail * free.f_frsize > 4 * size + _ROOM:
            return _MEMORY
    except OSError:
        pass
    return None


def is_value(given):
    """Something that a file must be made of, in contrast to a path or a scene's name."""
    return not isinstance(given, (str, bytes, os.PathLike))


def size_of(given):
    if isinstance(given, (list, tuple)):
        return sum(size_of(one) for one in given)
    return int(getattr(given, "nbytes", 0)) if is_value(given) else 0


def save(value, folder, stem, meaning):
    """Writes a value to a file of the folder without loss; returns its path."""
    from . import active_pixel, flame, smoe

    if isinstance(value, _core.DeepImage):
        path = folder.file(stem + ".exr", meaning)
        _core.write_deep(value, path, "none", False, None)
    elif isinstance(value, smoe.Model):
        path = folder.file(stem + ".smoe", meaning)
        smoe.write(value, path)
    elif isinstance(value, active_pixel.Image):
        path = folder.file(stem + ".icet", meaning)
        active_pixel.write(value, path)
    elif isinstance(value, flame.Genome) or (
        isinstance(value, (list, tuple)) and value and isinstance(value[0], flame.Genome)
    ):
        path = folder.file(stem + ".flame", meaning)
        flame.write(value, path)
    elif isinstance(value, numpy.ndarray):
        path = folder.file(stem + ".exr", meaning)
        depth = getattr(value, "depth", None)
        _core.write_picture(value, path, depth, value.dtype != numpy.float16, meaning)
    else:
        raise _core.UsageError(
            f"{meaning}: expected a path, a scene, an array or a value of fathom, found "
            f"{type(value).__name__}"
        )
    return path


def words(inputs, folder, stem="input"):
    """Inputs as the command line has them: values become files."""
    paths = []
    for number, given in enumerate(inputs, 1):
        if is_value(given):
            given = save(given, folder, f"{stem}{number}", f"input {number}")
        paths.append(os.fspath(given))
    return paths


def load(path, channels=False):
    """What a file holds, as a value; with `channels` those of an EXR beside color, too."""
    from . import active_pixel, flame, smoe

    ending = pathlib.Path(path).suffix.lower()
    if ending == ".smoe":
        return smoe.read(path)
    if ending == ".icet":
        return active_pixel.read(path)
    if ending in (".flame", ".flam3"):
        return flame.read(path)
    if ending == ".json":
        return json.loads(pathlib.Path(path).read_text())
    if ending in (".csv", ".ply", ".glsl", ".html"):
        return pathlib.Path(path).read_bytes()
    kind = _core.kind_of(path)
    if kind == "deep":
        return _core.read_deep(path, "", False, True, None)
    if kind == "unknown":
        raise _core.Error(f"{path}: expected a picture, a model or a genome, found none of these")
    others = {}
    if channels and ending == ".exr":
        others, has_color = _core.read_channels(path)
        if not has_color:
            return others
    pixels, depth, data, display, _ = _core.read_picture(path)
    made = picture(pixels, depth, data, display)
    made.channels = others
    return made
