# SPDX-License-Identifier: BSD-3-Clause
# Active pixels: images as IceT compresses them, and the commands of `fathom active-pixel`.
"""Active pixels: compress frames as IceT does, composite what many ranks draw."""

import os
from typing import TYPE_CHECKING, Any, Dict
from dataclasses import dataclass, field

import numpy

from . import _calls, _core
from ._values import Measured, Path, Pixels


@dataclass(eq=False, repr=False)
class Image(Measured):
    """A sparse image; `words` is IceT's own memory, header included, as uint32."""

    words: Pixels
    width: int
    height: int
    color: str
    depth: bool
    active: int
    runs: int
    ratio: float
    record: Dict[str, Any] = field(default_factory=dict, compare=False)
    text: str = ""
    exit_code: int = 0

    @classmethod
    def from_words(cls, words: Any) -> "Image":
        """An image of words from elsewhere (icetCompressImage). Raises Error: damaged."""
        return cls(**_core.icet_from(numpy.asarray(words)))

    @property
    def nbytes(self) -> int:
        return self.words.nbytes

    def __repr__(self) -> str:
        return (
            f"<fathom.active_pixel.Image {self.width}x{self.height}, {self.active} active, "
            f"{self.runs} runs, {self.nbytes} bytes>"
        )


def read(path: Path) -> Image:
    """Reads an .icet file."""
    return Image(**_core.read_icet(os.fspath(path)))


def write(image: Image, path: Path) -> None:
    """Writes an .icet file."""
    if not isinstance(image, Image):
        raise _core.UsageError(f"image: expected an Image, found {type(image).__name__}")
    _core.write_icet(image.words, os.fspath(path))


if TYPE_CHECKING:
    from ._stubs.active_pixel import *
else:
    _calls.install(globals(), "active-pixel")
