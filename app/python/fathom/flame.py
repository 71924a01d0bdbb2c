# SPDX-License-Identifier: BSD-3-Clause
# Fractal flames: genomes as plain objects, frames of films one by one, and the commands of
# `fathom flame`.
"""Fractal flames: genomes as plain objects, images and animations of them."""

import copy
import math
import os
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy

from . import _calls, _core
from ._values import Path, Picture, Pixels, Progress

Affine = Tuple[float, float, float, float, float, float]
_IDENTITY: Affine = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass
class Xform:
    """An xform; `coefs` and `post` are (a, d, b, e, c, f) of x' = a x + b y + c, y' = d x + e y + f."""

    weight: float = 0.5
    color: float = 0.0
    color_speed: float = 0.5
    animate: float = 1.0
    opacity: float = 1.0
    coefs: Affine = _IDENTITY
    post: Affine = _IDENTITY
    chaos: List[float] = field(default_factory=list)
    variations: Dict[str, float] = field(default_factory=lambda: {"linear": 1.0})
    parameters: Dict[str, float] = field(default_factory=dict)
    motions: List[Dict[str, Any]] = field(default_factory=list)
    other: List[Tuple[str, str]] = field(default_factory=list)


@dataclass
class Camera:
    """The camera of flames with depth, in the units of the genome's dialect."""

    pitch: float = 0.0
    yaw: float = 0.0
    bank: float = 0.0
    perspective: float = 0.0
    zpos: float = 0.0
    shift: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    blur: float = 0.0
    blur_area: float = 0.5
    blur_exponent: float = 2.0
    focus: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    new_blur: int = 0


@dataclass
class LayerSettings:
    """Settings of a JWildfire layer besides its xforms."""

    name: str = ""
    weight: float = 1.0
    density: float = 1.0
    visible: bool = True
    other: List[Tuple[str, str]] = field(default_factory=list)


def _palette():
    return numpy.zeros((256, 4), numpy.float32)


@dataclass(eq=False)
class Layer:
    """A further layer of a JWildfire genome: drawn into the same image, with xforms of its own."""

    settings: LayerSettings = field(default_factory=LayerSettings)
    xforms: List[Xform] = field(default_factory=list)
    final_xform: Optional[Xform] = None
    further_finals: List[Xform] = field(default_factory=list)
    palette: Pixels = field(default_factory=_palette, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layer) and _equal(self, other)


@dataclass(eq=False)
class Genome:
    """A flame: what flam3's genomes say, in their units; `palette` is float32[256, 4]."""

    name: str = ""
    time: float = 0.0
    size: Tuple[int, int] = (100, 100)
    center: Tuple[float, float] = (0.0, 0.0)
    scale: float = 50.0
    zoom: float = 0.0
    rotate: float = 0.0
    supersample: int = 1
    filter: float = 0.5
    filter_shape: str = "gaussian"
    quality: float = 1.0
    passes: int = 1
    temporal_samples: int = 1000
    temporal_filter: str = "box"
    temporal_filter_width: float = 1.0
    temporal_filter_exp: float = 0.0
    background: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    brightness: float = 4.0
    gamma: float = 4.0
    gamma_threshold: float = 0.01
    vibrancy: float = 1.0
    highlight_power: float = -1.0
    estimator_radius: float = 9.0
    estimator_minimum: float = 0.0
    estimator_curve: float = 0.4
    hue: float = 0.0
    palette_number: int = -1
    palette_mode: str = "step"
    interpolation: str = "linear"
    matrix_interpolation: str = "log"
    palette_interpolation: str = "hsv_circular"
    hsv_rgb_palette_blend: float = 0.0
    solo_xform: int = -1
    dialect: str = "flam3"
    camera_zoom: float = 1.0
    camera: Camera = field(default_factory=Camera)
    preserves_z: int = 0
    contrast: float = 1.0
    white_level: float = 200.0
    low_density_brightness: float = 0.0
    fg_opacity: float = 1.0
    filter_kernel: str = "GAUSSIAN"
    filter_sharpness: float = 4.0
    filter_low_density: float = 0.025
    antialias_amount: float = 0.0
    antialias_radius: float = 0.0
    post_symmetry: str = "NONE"
    post_symmetry_order: int = 3
    post_symmetry_x: float = 0.0
    post_symmetry_y: float = 0.0
    post_symmetry_distance: float = 1.25
    post_symmetry_rotation: float = 6.0
    saturation: float = 1.0
    balance: Tuple[float, float, float] = (1.0, 1.0, 1.0)
    curves: List[Dict[str, Any]] = field(default_factory=list)
    further_finals: List[Xform] = field(default_factory=list)
    lost: List[Tuple[str, int]] = field(default_factory=list)
    xforms: List[Xform] = field(default_factory=list)
    final_xform: Optional[Xform] = None
    palette: Pixels = field(default_factory=_palette, repr=False)
    layer: LayerSettings = field(default_factory=LayerSettings)
    layers: List[Layer] = field(default_factory=list)
    other: List[Tuple[str, str]] = field(default_factory=list)
    children: List[str] = field(default_factory=list)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Genome) and _equal(self, other)

    def copy(self) -> "Genome":
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        return (
            f"<fathom.flame.Genome {self.name!r} {self.size[0]}x{self.size[1]}, "
            f"{len(self.xforms)} xforms, time {self.time:g}>"
        )


def _equal(a, b):
    """Whether all fields of two are equal; palettes are arrays."""
    return all(
        numpy.array_equal(getattr(a, one.name), getattr(b, one.name))
        if one.name == "palette"
        else getattr(a, one.name) == getattr(b, one.name)
        for one in fields(a)
    )


def _table(value):
    """Dataclasses as dicts, at any depth."""
    if is_dataclass(value):
        return {one.name: _table(getattr(value, one.name)) for one in fields(value)}
    return [_table(one) for one in value] if isinstance(value, (list, tuple)) else value


def _tables(genomes):
    genomes = [genomes] if isinstance(genomes, Genome) else list(genomes)
    for genome in genomes:
        if not isinstance(genome, Genome):
            raise _core.UsageError(f"genomes: expected a Genome, found {type(genome).__name__}")
    return _table(genomes)


def _with_xforms(table):
    table = dict(table)
    table["xforms"] = [Xform(**xform) for xform in table["xforms"]]
    table["further_finals"] = [Xform(**xform) for xform in table["further_finals"]]
    if table["final_xform"] is not None:
        table["final_xform"] = Xform(**table["final_xform"])
    return table


def _layer(table):
    table = _with_xforms(table)
    table["settings"] = LayerSettings(**table["settings"])
    return Layer(**table)


def _genome(table):
    table = _with_xforms(table)
    table["camera"] = Camera(**table["camera"])
    table["layer"] = LayerSettings(**table["layer"])
    table["layers"] = [_layer(layer) for layer in table["layers"]]
    return Genome(**table)


def read(path: Path) -> List[Genome]:
    """Reads the genomes of a flam3 file, as a list."""
    return [_genome(table) for table in _core.read_genomes(os.fspath(path))]


def write(genomes: Union[Genome, Sequence[Genome]], path: Path) -> None:
    """Writes one genome or several as a flam3 file."""
    _core.write_genomes(_tables(genomes), os.fspath(path))


def xml(genomes: Union[Genome, Sequence[Genome]]) -> str:
    """The same as text."""
    return _core.genomes_xml(_tables(genomes))


_animate = _calls.function("flame animate", __name__)


def _times(genomes, begin, end, step):
    if begin is None:
        begin = math.ceil(genomes[0].time)
    if end is None:
        end = math.ceil(genomes[-1].time) - 1
    count = int(math.floor((end - begin) / step + 1e-9)) + 1
    if count < 1:
        raise _core.UsageError(f"end: expected {begin} or later, found {end}")
    return [begin + i * step for i in range(count)]


def frames(
    film: Union[Path, Sequence[Genome]],
    *,
    begin: Optional[float] = None,
    end: Optional[float] = None,
    step: float = 1,
    sequence: Optional[int] = None,
    progress: Optional[Progress] = None,
    **settings: Any,
) -> Iterator[Picture]:
    """The frames of an animation one by one, each a Picture: what animate() writes to files.

    `film` is a file or a list of genomes with ascending times. Times run from the first genome's
    up to but excluding the last one's; `begin` and `end` change that. Animations of cuburn need
    both. Each frame is rendered when the loop asks for it.
    """
    source = film
    if not isinstance(film, (str, os.PathLike)):
        source = genomes = list(film)
    if sequence is not None:
        source = genomes = globals()["sequence"](source, frames=sequence)
    elif begin is None or end is None:
        genomes = read(film) if source is film else source
        # Times that make no film are refused here as they are by animate().
    times = _times(genomes if begin is None or end is None else [], begin, end, step)
    _animate.call.texts(settings)
    return _frames(source, times, progress, settings)


def _frames(source, times, progress, settings):
    for time in times:
        yield _animate.call.frame(source, time, progress, settings)


def _animate_any(film, *, output=None, progress=None, **settings):
    if output is None:
        return frames(film, progress=progress, **settings)
    return _animate(film, output=output, progress=progress, **settings)


if TYPE_CHECKING:
    from ._stubs.flame import *
else:
    animate = _calls.dress(_animate_any, _animate)
    _calls.install(globals(), "flame")
