# SPDX-License-Identifier: BSD-3-Clause
# Pictures, models, genomes and IceT's images: round trips, and what is wrong with them.
import pickle

import numpy
import pytest

import fathom
from conftest import deep_image


def test_pictures_of_all_shapes(tmp_path):
    for shape in [(5, 7), (5, 7, 1), (5, 7, 3), (5, 7, 4)]:
        given = numpy.linspace(0, 1, num=int(numpy.prod(shape)), dtype=numpy.float32).reshape(shape)
        fathom.write(given, tmp_path / "p.exr", float=True)
        back = fathom.read(tmp_path / "p.exr")
        assert back.shape == (5, 7, 4)
        color = given if given.ndim == 3 else given[..., None]
        assert numpy.array_equal(back[..., : min(3, color.shape[2])], color[..., :3])


def test_depth_stays_with_a_picture(tmp_path):
    pixels = numpy.ones((3, 4, 4), numpy.float32)
    depth = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
    fathom.write(pixels, tmp_path / "p.exr", depth=depth)
    picture = fathom.read(tmp_path / "p.exr")
    assert numpy.array_equal(picture.depth, depth)
    assert repr(picture).startswith("<fathom.Picture 4x3, 4 channels, with depth\n[[[1.")
    assert numpy.array_equal(picture[:2, ::-1].depth, depth[:2, ::-1])
    assert picture[depth > 3].ndim == 2 and picture[0].depth is None
    made = fathom.Picture(pixels.astype(numpy.float64), depth=depth)
    assert made.dtype == numpy.float32 and numpy.array_equal(made.depth, depth)
    again = pickle.loads(pickle.dumps(made))
    assert numpy.array_equal(again, made) and numpy.array_equal(again.depth, depth)
    assert made._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(fathom.UsageError, match="depth: expected floats of shape"):
        fathom.Picture(pixels, depth=depth[:2])


def test_bytes_are_pictures_as_png_files_have_them(tmp_path):
    given = numpy.array([[[255, 128, 0, 255], [255, 255, 255, 51]]], numpy.uint8)
    picture = fathom.Picture(given)
    assert numpy.allclose(picture, [[[1, 0.21586, 0, 1], [0.2, 0.2, 0.2, 0.2]]], atol=1e-5)
    fathom.write(given, tmp_path / "p.png")
    assert numpy.allclose(fathom.read(tmp_path / "p.png")[0, 0], picture[0, 0], atol=1e-6)


@pytest.mark.parametrize(
    "pixels",
    [
        numpy.zeros((3, 4, 2), numpy.float32),
        numpy.zeros((3,), numpy.float32),
        numpy.zeros((0, 4, 4), numpy.float32),
        numpy.zeros((3, 4, 4), numpy.int8),
        numpy.zeros((3, 4, 4), complex),
    ],
)
def test_other_arrays_are_no_pictures(tmp_path, pixels):
    with pytest.raises(fathom.UsageError, match="picture: expected float16, float32, float64 or uint8"):
        fathom.write(pixels, tmp_path / "p.exr")
    assert not (tmp_path / "p.exr").exists()


def test_models_round_trip(files, tmp_path):
    model = fathom.smoe.fit(files / "picture.png", k=8, steps=0)
    fathom.smoe.write(model, tmp_path / "m.smoe")
    again = fathom.smoe.read(tmp_path / "m.smoe")
    assert again.components.tobytes() == model.components.tobytes()
    model.components = model.components.copy()
    model.components["color"][3] = numpy.nan
    with pytest.raises(fathom.Error, match="component 3"):
        model.check()
    model.components = numpy.zeros(3)
    with pytest.raises(fathom.UsageError, match="components: expected fathom.smoe.COMPONENT"):
        model.check()


def test_models_keep_their_alpha(tmp_path):
    pixels = numpy.zeros((24, 32, 4), numpy.float32)
    pixels[6:18, 8:24] = (0.5, 0.25, 0, 1)
    model = fathom.smoe.fit(pixels, k=16, steps=5)
    assert model.alpha.color_space == "gray"
    assert len(model.components) + len(model.alpha.components) == 16
    fathom.smoe.write(model, tmp_path / "m.smoe", encoding="archive")
    again = fathom.smoe.read(tmp_path / "m.smoe")
    assert len(again.alpha.components) == len(model.alpha.components)
    assert again.alpha.alpha is None
    picture = numpy.asarray(fathom.smoe.render(again))
    assert picture[12, 16, 3] > 0.8 and picture[0, 0, 3] < 0.2
    model.alpha.width = 31
    with pytest.raises(fathom.Error, match="alpha: expected 32 x 24"):
        model.check()


def test_genomes_are_plain_objects(files, tmp_path):
    (genome,) = fathom.flame.read(files / "rose.flame")
    again = genome.copy()
    assert again == genome
    again.xforms[0].variations = {"julian": 1.0}
    again.xforms[0].parameters = {"julian_power": 3.0, "julian_dist": 1.0}
    again.palette[:, 1] = 1
    assert again != genome
    fathom.flame.write([genome, again], tmp_path / "two.flame")
    one, two = fathom.flame.read(tmp_path / "two.flame")
    assert one == genome and two.xforms[0].parameters["julian_power"] == 3
    picture = fathom.flame.render(again, quality=1, size=(16, 12))
    assert picture.shape == (12, 16, 4)


_JWILDFIRE = """<jwf-flame name="two" version="JWildfire 8.00" size="40 30" center="0 0" scale="12"
 quality="2" contrast="1.5" white_level="180" low_density_brightness="0.5" fg_opacity="0.75"
 filter_kernel="MITCHELL_SINEPOW" filter_sharpness="3" filter_low_density="0.125"
 antialias_amount="0.0625" antialias_radius="0.25" post_symmetry_type="X_AXIS"
 post_symmetry_centre_x="0.5" post_symmetry_rotation="30" balancing_green="0.875" cam_pitch="0.5">
<layer name="front" weight="0.5" density="0.25" visible="1">
<xform weight="1" color="0" linear="1" coefs="1 0 0 1 0.5 0"/><color index="0" rgb="255 0 0"/></layer>
<layer name="back" weight="2" density="0.75" visible="0" smooth_gradient="0">
<xform weight="3" color="1" spherical="1" coefs="0.5 0 0 0.5 0 0.25"/>
<finalxform color="0" linear="2" coefs="1 0 0 1 0 0"/><color index="0" rgb="0 255 0"/></layer>
</jwf-flame>"""


def test_genomes_of_jwildfire_keep_their_tones_and_layers(tmp_path):
    (tmp_path / "in.flame").write_text(_JWILDFIRE)
    (read,) = fathom.flame.read(tmp_path / "in.flame")
    fathom.flame.write(read, tmp_path / "out.flame")
    (again,) = fathom.flame.read(tmp_path / "out.flame")
    assert again == read
    for genome in (read, again):
        assert genome.dialect == "jwildfire" and genome.camera.pitch == 0.5
        assert (genome.contrast, genome.white_level) == (1.5, 180)
        assert (genome.low_density_brightness, genome.fg_opacity) == (0.5, 0.75)
        assert genome.filter_kernel == "MITCHELL_SINEPOW"
        assert (genome.filter_sharpness, genome.filter_low_density) == (3, 0.125)
        assert (genome.antialias_amount, genome.antialias_radius) == (0.0625, 0.25)
        assert genome.balance == (1, 0.875, 1)
        assert (genome.post_symmetry, genome.post_symmetry_order) == ("X_AXIS", 3)
        assert (genome.post_symmetry_x, genome.post_symmetry_rotation) == (0.5, 30)
        assert genome.layer == fathom.flame.LayerSettings("front", 0.5, 0.25, True, [])
        assert genome.xforms[0].coefs == (1, 0, 0, 1, 0.5, 0)
        (back,) = genome.layers
        assert back.settings == fathom.flame.LayerSettings(
            "back", 2, 0.75, False, [("smooth_gradient", "0")]
        )
        assert back.xforms[0].weight == 3 and back.xforms[0].variations == {"spherical": 1}
        assert back.final_xform.variations == {"linear": 2}
        assert tuple(back.palette[0]) == (0, 1, 0, 1) and tuple(genome.palette[0]) == (1, 0, 0, 1)
    again.layers[0].palette[0, 2] = 1
    assert again != read
    again.layers[0].palette[0, 2], again.fg_opacity = 0, 0.5
    assert again != read


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda g: setattr(g, "filter_kernel", "round"), "filter_kernel: expected BELL"),
        (lambda g: setattr(g.layer, "weight", float("nan")), "weight: expected a finite number"),
        (lambda g: g.xforms[0].variations.update(sperical=1), 'did you mean "spherical"'),
        (lambda g: g.xforms[0].parameters.update(julian_pover=1), "no parameter of a variation"),
        (lambda g: setattr(g, "scale", float("nan")), "scale: expected a finite number"),
        (lambda g: setattr(g, "scale", "big"), "scale: expected another kind"),
        (lambda g: setattr(g, "palette", numpy.zeros((3, 4))), r"palette: expected shape \(256, 4\)"),
        (lambda g: setattr(g, "filter_shape", "round"), "filter_shape: expected gaussian"),
        (lambda g: setattr(g, "size", (0, 5)), "genome"),
    ],
)
def test_wrong_genomes_are_refused(files, tmp_path, change, message):
    (genome,) = fathom.flame.read(files / "rose.flame")
    change(genome)
    with pytest.raises(fathom.Error, match=message):
        fathom.flame.write(genome, tmp_path / "no.flame")
    assert not (tmp_path / "no.flame").exists()


def test_damaged_words_are_refused(files):
    words = fathom.active_pixel.encode(files / "depth.exr").words.copy()
    assert fathom.active_pixel.Image.from_words(words).width == 32
    for at in range(8):
        damaged = words.copy()
        damaged[at] ^= 0x40000001
        try:
            fathom.active_pixel.Image.from_words(damaged)
        except fathom.Error as error:
            assert str(error).startswith("words: expected")


def test_values_of_one_kind_are_not_another(tmp_path):
    for call in (fathom.deep.write, fathom.smoe.write, fathom.active_pixel.write):
        with pytest.raises(fathom.UsageError, match="found int"):
            call(3, tmp_path / "x")
    with pytest.raises(fathom.UsageError, match="input 1: expected a path"):
        fathom.deep.inspect(3, pixel=(0, 0))
    with pytest.raises(fathom.Error):
        fathom.smoe.render(deep_image())
