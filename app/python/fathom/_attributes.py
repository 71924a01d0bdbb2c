# SPDX-License-Identifier: BSD-3-Clause
# Attributes of deep images as Python has them: the bytes of a header as numbers, tuples, matrices
# and texts, and back. What no value stands for stays bytes, so that nothing of a file is lost.
"""What the header of an EXR says besides how it is stored."""

import struct
from collections.abc import Mapping
from typing import Any, Iterator, List, NamedTuple, Tuple

import numpy

from ._core import UsageError

# Types that are nothing but numbers (OpenEXR, "Predefined Attribute Types"): how struct reads them.
_NUMBERS = {
    "int": "i",
    "float": "f",
    "double": "d",
    "v2i": "2i",
    "v2f": "2f",
    "v2d": "2d",
    "v3i": "3i",
    "v3f": "3f",
    "v3d": "3d",
    "box2i": "4i",
    "box2f": "4f",
    "chromaticities": "8f",
    "rational": "iI",
    "timecode": "2I",
    "keycode": "7i",
    "envmap": "B",
    "deepImageState": "B",
}
_MATRICES = {"m33f": (3, "<f4"), "m44f": (4, "<f4"), "m33d": (3, "<f8"), "m44d": (4, "<f8")}
# The types of tuples that are not said otherwise: by length, of whole numbers and of others.
_WHOLE = {2: "v2i", 3: "v3i", 4: "box2i", 7: "keycode"}
_REAL = {2: "v2f", 3: "v3f", 4: "box2f", 8: "chromaticities"}


class Attribute(NamedTuple):
    """A value with its type said: Attribute("double", 0.1), Attribute("ours", b"...")."""

    type: str
    value: Any


class Attributes(Mapping[str, Any]):
    """Values by name. It does not change; `updated` gives another one.

    Numbers, tuples of numbers, texts, lists of texts; matrices are arrays as EXR stores them (a row
    vector times the matrix). `type` and `raw` tell how the file has a value.
    """

    def __init__(self, given: List[Tuple[bytes, ...]]) -> None:
        self._packed = {_text(one[0]): (_text(one[1]), one[2]) for one in given}

    def __getitem__(self, name: str) -> Any:
        return _unpacked(*self._packed[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def __repr__(self) -> str:
        return f"<fathom.Attributes {', '.join(self._packed)}>"

    def type(self, name: str) -> str:
        """As EXR names it: "float", "v2f", "string", ..."""
        return self._packed[name][0]

    def raw(self, name: str) -> bytes:
        """The bytes of the file."""
        return self._packed[name][1]

    def updated(self, values: Mapping[str, Any]) -> "Attributes":
        """These, with some replaced or added; None takes one away."""
        kept = [one for one in packed(self) if one[-1] not in values]
        return Attributes([*kept, *packed({n: v for n, v in values.items() if v is not None})])


def packed(values: Any) -> List[Tuple[bytes, bytes, bytes, str]]:
    """Names, types and values in bytes, and the names for messages; UsageError for what no type of
    EXR can hold."""
    if isinstance(values, Attributes):
        all_of_them = values._packed.items()
        return [(_encoded(name), _encoded(kind), raw, name) for name, (kind, raw) in all_of_them]
    if not isinstance(values, Mapping):
        raise UsageError(f"attributes: expected values by name, found {type(values).__name__}")
    made = []
    for name, value in values.items():
        if not isinstance(name, str):
            raise UsageError(f"attributes: expected names, found {name!r:.40}")
        kind, raw = _packed_value(name, value)
        try:
            made.append((_encoded(name), _encoded(kind), raw, name))
        except UnicodeEncodeError:
            raise UsageError(f"attribute {name!a:.40}: expected a name of Unicode characters") from None
    return made


def _unpacked(kind: str, raw: bytes) -> Any:
    try:
        if kind == "string":
            return _text(raw)
        if kind == "stringvector":
            return _texts(raw)
        if kind == "floatvector":
            return struct.unpack(f"<{len(raw) // 4}f", raw)
        if kind in _MATRICES:
            size, type_of_numbers = _MATRICES[kind]
            return numpy.frombuffer(raw, type_of_numbers).reshape(size, size)
        if kind in _NUMBERS:
            numbers = struct.unpack("<" + _NUMBERS[kind], raw)
            return numbers if len(numbers) > 1 else numbers[0]
    except (struct.error, ValueError):
        pass  # a damaged one
    return raw


def _texts(raw: bytes) -> List[str]:
    texts, at = [], 0
    while at < len(raw):
        (size,) = struct.unpack_from("<i", raw, at)
        if size < 0 or size > len(raw) - at - 4:
            raise ValueError
        texts.append(_text(raw[at + 4 : at + 4 + size]))
        at += 4 + size
    return texts


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _shown(name: str) -> str:
    """In a message of one line."""
    return name if name.isprintable() and len(name) < 60 else ascii(name)[:60]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _packed_value(name: str, value: Any) -> Tuple[str, bytes]:
    kind = _type_for(name, value)
    if isinstance(value, Attribute):
        value = value.value
    if isinstance(value, bytes):
        return kind, value
    try:
        return kind, _bytes_of(kind, value)
    except (struct.error, ValueError, TypeError, AttributeError, OverflowError):
        found = ascii(value)[:60].replace("\n", " ")
        what = f"attribute {_shown(name)}: expected a value for {_shown(kind)}, found {found}"
        raise UsageError(what) from None


def _bytes_of(kind: str, value: Any) -> bytes:
    if kind == "string":
        return _encoded(value)
    if kind == "stringvector":
        return b"".join(struct.pack("<i", len(_encoded(one))) + _encoded(one) for one in value)
    if kind in _MATRICES:
        size, type_of_numbers = _MATRICES[kind]
        return numpy.asarray(value).astype(type_of_numbers).reshape(size, size).tobytes()
    numbers = value if isinstance(value, (tuple, list, numpy.ndarray)) else (value,)
    if kind == "floatvector":
        return struct.pack(f"<{len(numbers)}f", *numbers)
    if kind in _NUMBERS:
        return struct.pack("<" + _NUMBERS[kind], *numbers)
    raise ValueError  # only bytes can be of a type that is not known


def _type_for(name: str, value: Any) -> str:
    """What EXR calls such a value; vectors and windows by their length."""
    if isinstance(value, Attribute):
        return str(value.type)
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, numpy.integer)):
        return "int"
    if isinstance(value, (float, numpy.floating)):
        return "float"
    if isinstance(value, numpy.ndarray) and value.shape in ((3, 3), (4, 4)):
        return f"m{len(value)}{len(value)}f"
    if isinstance(value, (tuple, list)) or isinstance(value, numpy.ndarray) and value.ndim == 1:
        if len(value) and all(isinstance(one, str) for one in value):
            return "stringvector"
        if all(isinstance(one, (int, numpy.integer)) for one in value) and len(value) in _WHOLE:
            return _WHOLE[len(value)]
        if all(isinstance(one, (int, float, numpy.number)) for one in value):
            return _REAL.get(len(value), "floatvector")
    raise UsageError(
        f"attribute {_shown(name)}: expected a number, a text, a tuple of numbers, a matrix, a list of texts "
        f"or an Attribute with its type, found {type(value).__name__}"
    )
