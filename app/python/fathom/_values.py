# SPDX-License-Identifier: BSD-3-Clause
# What calls return besides deep images: pictures, and results of calls that wrote a file or measured.
"""Pictures and results."""

import os
from collections.abc import Mapping
from typing import Any, Callable, Dict, Iterator, List, Optional, Union

import numpy

Path = Union[str, "os.PathLike[str]"]
Progress = Callable[[str, float], object]
Pixels = numpy.ndarray[Any, numpy.dtype[Any]]


class Measured:
    """What a call did: the same facts as --json on the command line."""

    def __init__(
        self, record: Optional[Dict[str, Any]] = None, text: str = "", exit_code: int = 0
    ) -> None:
        self.record = record or {}
        self.text = text
        self.exit_code = exit_code

    @property
    def passes(self) -> List[Dict[str, Any]]:
        """The passes on the GPU: dicts with name, gpu_ms, cpu_ms and count."""
        return self.record.get("passes", [])

    @property
    def settings(self) -> Dict[str, Any]:
        """The technique's settings, by name."""
        return self.record.get("settings", {})


def attach(value, measured):
    """Puts what was measured beside a value: value.passes, value.record, value.text."""
    try:
        value.measured = measured
        value.record, value.passes = measured.record, measured.passes
        value.text = measured.text
    except AttributeError:
        pass  # a list or a str: fathom.last() has it
    return value


class Result(Measured, Mapping[str, Any]):
    """Of a call without a value of its own: numbers by name, and the file that it wrote."""

    def __init__(
        self,
        record: Dict[str, Any],
        text: str,
        exit_code: int,
        output: Optional[Path] = None,
    ) -> None:
        Measured.__init__(self, record, text, exit_code)
        self.output = output
        facts = self.record.get("result", {})
        self._facts = facts if isinstance(facts, dict) else {}

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """Of a bench: one dict per case, as bench files have them."""
        return self.record.get("trials", [])

    def __getitem__(self, name: str) -> Any:
        return self._facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __repr__(self) -> str:
        parts = [f"{name}={value!r}" for name, value in list(self._facts.items())[:6]]
        if len(self._facts) > 6:
            parts.append("...")
        if self.rows:
            parts.append(f"{len(self.rows)} rows")
        if self.output:
            parts.append(f"output={str(self.output)!r}")
        return f"<fathom.Result {', '.join(parts)}>"


class Picture(numpy.ndarray[Any, numpy.dtype[numpy.float32]]):
    """float32[height, width, 4], linear and premultiplied, with what a file has besides.

    `depth` is float32[height, width] or None, `data_window` (x, y, width, height). `channels` holds
    what an EXR has beside color, alpha and Z, each [height, width].
    """

    depth: Optional[Pixels] = None
    channels: Dict[str, Pixels] = {}
    data_window: Any = None
    display_window: Any = None
    measured: Optional[Measured] = None
    record: Dict[str, Any] = {}
    passes: List[Dict[str, Any]] = []
    text: str = ""

    def __new__(
        cls,
        pixels: Any,
        depth: Any = None,
        data_window: Any = None,
        display_window: Any = None,
    ) -> "Picture":
        """An image from an array: bytes as in PNG files, floats as they are."""
        from . import _core

        return picture(_core.pixels_of(numpy.asarray(pixels), depth), depth, data_window, display_window)

    def __array_finalize__(self, other: Any) -> None:
        for name in ("depth", "channels", "data_window", "display_window", "measured", "record", "passes"):
            if isinstance(other, Picture) and other.shape[:2] == self.shape[:2]:
                setattr(self, name, getattr(other, name))

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        words = index if isinstance(index, tuple) else (index,)
        if isinstance(part, Picture) and (self.depth is not None or self.channels):
            regular = part.ndim == 3 and all(isinstance(word, slice) for word in words)
            part.depth = self.depth[words[:2]] if regular and self.depth is not None else None
            part.channels = {name: values[words[:2]] for name, values in self.channels.items()} if regular else {}
        return part

    def __reduce__(self) -> Any:
        make, arguments, state = super().__reduce__()
        return make, arguments, (state, self.__dict__)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state[0])
        self.__dict__.update(state[1])

    def _repr_png_(self) -> Optional[bytes]:
        """What notebooks show."""
        from . import _core, _files

        if self.ndim != 3 or self.size == 0:
            return None
        with _files.Folder(self.nbytes) as folder:
            path = folder.file("shown.png", "picture")
            _core.write_picture(numpy.asarray(self), path, None, False)
            return bytes(path.read_bytes())

    def __repr__(self) -> str:
        if self.ndim != 3:
            return numpy.ndarray.__repr__(self)
        with_depth = ", with depth" if self.depth is not None else ""
        return (
            f"<fathom.Picture {self.shape[1]}x{self.shape[0]}, {self.shape[2]} channels{with_depth}\n"
            f"{numpy.array2string(numpy.asarray(self), threshold=16, edgeitems=1)}>"
        )


def picture(pixels, depth=None, data_window=None, display_window=None):
    made = numpy.asarray(pixels).view(Picture)
    depth = None if depth is None else numpy.asarray(depth)
    made.depth, made.data_window, made.display_window = depth, data_window, display_window
    return made
