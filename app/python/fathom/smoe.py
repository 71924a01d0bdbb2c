# SPDX-License-Identifier: BSD-3-Clause
# Steered mixtures of experts: models as arrays, and the commands of `fathom smoe`.
"""Steered mixtures of experts: fit images, light fields and videos, decode any view."""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from . import _calls, _core
from ._values import Measured, Path, Pixels, Progress

COMPONENT = _core.component_type
"""The type of a component's record; fields are explained in docs/guides/python.md."""


@dataclass(eq=False, repr=False)
class Model(Measured):
    """A model; `components` is an array of COMPONENT.

    `alpha`, where there is one, is a gray model of the same size; the colors are premultiplied.
    """

    width: int
    height: int
    components: Pixels
    dims: int = 2
    frames: int = 1
    views: Tuple[int, int] = (1, 1)
    view_origin: Tuple[float, float] = (0.0, 0.0)
    color_space: str = "srgb"
    peak: float = 1.0
    center_fraction_bits: int = 20
    source: str = ""
    fit: str = ""
    psnr: float = 0.0
    alpha: Optional["Model"] = None
    record: Dict[str, Any] = field(default_factory=dict, compare=False)
    text: str = ""
    exit_code: int = 0

    @property
    def passes(self) -> List[Dict[str, Any]]:
        return self.record.get("passes", [])

    @property
    def nbytes(self) -> int:
        return self.components.nbytes + (self.alpha.nbytes if self.alpha else 0)

    def table(self) -> Dict[str, Any]:
        """The fields that a file holds."""
        names = (
            "width height components dims frames views view_origin color_space "
            "peak center_fraction_bits source fit psnr"
        )
        table = {name: getattr(self, name) for name in names.split()}
        table["alpha"] = self.alpha.table() if self.alpha is not None else None
        return table

    def check(self) -> None:
        """Raises Error or UsageError that names what is wrong with the model."""
        _core.check_model(self.table())

    def __repr__(self) -> str:
        return (
            f"<fathom.smoe.Model {self.width}x{self.height}, {len(self.components)} components, "
            f"{self.dims} dimensions, {self.psnr:.2f} dB>"
        )


def read(path: Path, *, progress: Optional[Progress] = None) -> Model:
    """Reads a model from a .smoe file."""
    table = _core.read_model(os.fspath(path), progress)
    if table["alpha"] is not None:
        table["alpha"] = Model(**table["alpha"])
    return Model(**table)


def write(model: Model, path: Path, *, encoding: str = "f32") -> None:
    """Writes a .smoe file; `encoding` is f32, archive, compact or packed."""
    if not isinstance(model, Model):
        raise _core.UsageError(f"model: expected a Model, found {type(model).__name__}")
    _core.write_model(model.table(), os.fspath(path), encoding)


def fit_steps(source: Any, **settings: Any) -> _calls.Steps:
    """fit() as an iterator of its progress: `for step in steps: print(step.phase, step.psnr)`.

    The model is `steps.value` at the end; leaving the loop earlier cancels the fit.
    """
    return _calls.Steps(globals()["fit"], (source,), settings)


if TYPE_CHECKING:
    from ._stubs.smoe import *
else:
    _calls.install(globals(), "smoe")
