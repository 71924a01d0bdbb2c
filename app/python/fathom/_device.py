# SPDX-License-Identifier: BSD-3-Clause
# The device that calls work on.
"""fathom.device."""

from dataclasses import dataclass
from typing import Optional

from . import _core


@dataclass(frozen=True)
class Device:
    """An OpenGL 4.5 device."""

    vendor: str
    renderer: str
    version: str
    software: bool


def device(backend: Optional[str] = None, index: Optional[int] = None) -> Device:
    """The device that calls work on, made at first use.

    `backend` ("auto", "egl", "window") and `index` (which hardware device, modulo their number)
    choose another one from now on. Raises NoDeviceError.
    """
    if index is not None and index < 0:
        raise _core.UsageError(f"index: expected 0 or more, found {index}")
    return Device(**_core.device(backend, -1 if index is None else index))
