# SPDX-License-Identifier: BSD-3-Clause
# The package fathom: a module per technique, whose functions are the commands of the program, and
# the few that belong to none. What is what stands in docs/guides/python.md.
"""GPU image techniques on arrays: deep images, SMoE models, depth of field, active pixels, flames.

>>> import fathom
>>> fathom.deep.merge.__name__
'merge'
"""

import atexit

from . import _core, _share  # noqa: F401  before anything asks for a shader
from ._core import (
    DeepImage,
    Error,
    FileNotFound,
    NoDeviceError,
    NotBuiltError,
    UsageError,
    version as __version__,
)
from ._attributes import Attribute, Attributes
from ._calls import commands, last
from ._values import Picture, Result
from ._pictures import read, write
from ._top import compare, info, report, tune
from . import active_pixel, bench, deep, dof, flame, smoe
from ._device import Device, device
from ._view import View, view

atexit.register(_core.stop)

__all__ = [
    "Attribute",
    "Attributes",
    "DeepImage",
    "Device",
    "Error",
    "FileNotFound",
    "NoDeviceError",
    "NotBuiltError",
    "Picture",
    "Result",
    "UsageError",
    "View",
    "active_pixel",
    "bench",
    "commands",
    "compare",
    "deep",
    "device",
    "dof",
    "flame",
    "info",
    "last",
    "read",
    "report",
    "smoe",
    "tune",
    "view",
    "write",
]
