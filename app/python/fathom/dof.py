# SPDX-License-Identifier: BSD-3-Clause
# Depth of field: the commands of `fathom dof`.
"""Depth of field: render scenes, deep images and images with depth through a lens."""

from typing import TYPE_CHECKING, List

from . import _calls

_variants = _calls.function("dof variants", __name__)


def variant_ids() -> List[str]:
    """The ids of all accumulation variants of the paper, for render(variant=...).

    >>> len(variant_ids())
    320
    """
    lines = _variants().text.splitlines()
    return lines[len(lines) - lines[::-1].index("") :]


if TYPE_CHECKING:
    from ._stubs.dof import *
else:
    _calls.install(globals(), "dof")
