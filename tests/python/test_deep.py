# SPDX-License-Identifier: BSD-3-Clause
# Deep images as arrays: what goes in comes out, and the program agrees.
import copy
import gc
import pickle

import numpy
import pytest

import fathom
from conftest import deep_image, program


def same(a, b):
    assert a.channels == b.channels and numpy.array_equal(a.offsets, b.offsets)
    for name in a.channels:
        assert a[name].dtype == b[name].dtype
        assert a[name].tobytes() == b[name].tobytes(), name


@pytest.mark.parametrize("uint", [False, True])
@pytest.mark.parametrize("compression, tiled", [("none", False), ("rle", False), ("zips", True)])
def test_what_is_written_is_read(tmp_path, uint, compression, tiled):
    image = deep_image(uint=uint)
    fathom.deep.write(image, tmp_path / "image.exr", compression=compression, tiled=tiled)
    same(fathom.deep.read(tmp_path / "image.exr"), image)


def test_arrays_are_views_that_outlive_their_image():
    image = deep_image()
    z, offsets = image["Z"], image.offsets
    kept = z.copy(), offsets.copy()
    assert not z.flags.writeable and not z.flags.owndata
    del image
    gc.collect()
    numpy.zeros(1 << 20)  # would take the memory over
    assert numpy.array_equal(z, kept[0]) and numpy.array_equal(offsets, kept[1])


def test_contiguous_arrays_are_not_copied():
    z = numpy.array([1, 2, 3], numpy.float32)
    image = fathom.DeepImage(numpy.array([0, 3]), {"Z": z}, 1, 1)
    assert numpy.shares_memory(image["Z"], z)


def test_a_read_image_shows_the_memory_it_was_read_to(tmp_path):
    fathom.deep.write(deep_image(), tmp_path / "image.exr")
    image = fathom.deep.read(tmp_path / "image.exr")
    assert numpy.shares_memory(image["Z"], image["Z"])
    assert image["Z"].strides == image["R"].strides == (16,)  # values of a fragment lie together


# A value of each type that has one in Python, and of one that has none.
ATTRIBUTES = {
    "comments": "caf\u00e9",
    "isoSpeed": 400.5,
    "count": 7,
    "center": (0.5, -1.5),
    "corner": (3, -4),
    "up": (0.0, 1.0, 0.0),
    "region": (0, 1, 16, 8),
    "primaries": (0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329),
    "weights": [0.25, 0.5, 0.75, 1.0, 2.0],
    "multiView": ["left", "right"],
    "worldToCamera": numpy.arange(16, dtype=numpy.float32).reshape(4, 4),
    "exact": fathom.Attribute("double", 0.1),
    "timeCode": fathom.Attribute("timecode", (0x01020304, 5)),
    "framesPerSecond": fathom.Attribute("rational", (24000, 1001)),
    "ours": fathom.Attribute("studio", b"\x00\xff bytes"),
}


def with_attributes(attributes):
    like = deep_image()
    channels = {name: like[name] for name in like}
    return fathom.DeepImage(like.offsets, channels, 17, 9, attributes=attributes)


def test_attributes_are_written_and_read(tmp_path):
    fathom.deep.write(with_attributes(ATTRIBUTES), tmp_path / "image.exr", compression="rle")
    read = fathom.deep.read(tmp_path / "image.exr")
    for name, value in ATTRIBUTES.items():
        found, wanted = read.attributes[name], getattr(value, "value", value)
        wanted = tuple(wanted) if name == "weights" else wanted
        if name == "primaries":
            wanted = tuple(numpy.float32(wanted).tolist())
        assert numpy.array_equal(found, wanted), name
    assert read.attributes.type("center") == "v2f" and read.attributes.type("corner") == "v2i"
    assert read.attributes.type("region") == "box2i" and read.attributes.type("ours") == "studio"
    assert "café" in program("info", tmp_path / "image.exr")


def test_attributes_go_through_merging_and_back_into_images(tmp_path):
    first = with_attributes({"comments": "first", "only": 1})
    second = with_attributes({"comments": "second", "other": fathom.Attribute("studio", b"x")})
    merged = fathom.deep.merge(first, second).attributes
    assert (merged["comments"], merged["only"], merged["other"]) == ("first", 1, b"x")
    changed = merged.updated({"comments": "both", "only": None})
    image = with_attributes(changed)
    assert image.attributes["comments"] == "both" and "only" not in image.attributes
    assert image.attributes.type("other") == "studio"
    for name, image in (("a.exr", first), ("b.exr", second)):
        fathom.deep.write(image, tmp_path / name, compression="rle")
    fathom.deep.merge(first, second, output=tmp_path / "values.exr")
    fathom.deep.merge(tmp_path / "a.exr", tmp_path / "b.exr", output=tmp_path / "files.exr")
    assert "zips" in program("info", tmp_path / "values.exr")
    assert "rle" in program("info", tmp_path / "files.exr")


@pytest.mark.parametrize(
    "attributes, message",
    [
        ({"compression": 1}, "'compression': expected one that does not say how a file is stored"),
        ({"": 1}, "expected a name of 1 to 255 bytes"),
        ({"a": 2**40}, "a: expected a value for int, found 1099511627776"),
        ({"a": object()}, "a: expected a number, a text, .* found object"),
        ({"a": fathom.Attribute("v2f", (1, 2, 3))}, r"a: expected a value for v2f, found \(1, 2, 3"),
        ({"a\ud800": 1}, "expected a name of Unicode characters"),
        ({"a": "\ud800"}, "a: expected a value for string"),
        ({3: 1}, "expected names, found 3"),
        ("text", "expected values by name, found str"),
    ],
)
def test_what_no_header_can_hold(attributes, message):
    with pytest.raises(fathom.UsageError, match=message):
        with_attributes(attributes)


def test_a_pixel():
    image = deep_image()
    at = image.fragments_of(3, 2)
    p = 2 * 17 + 3
    assert (at.start, at.stop) == (image.offsets[p], image.offsets[p + 1])
    with pytest.raises(fathom.UsageError, match="0,0 to 16,8, found 17,0"):
        image.fragments_of(17, 0)


def test_repr_tells_sizes():
    assert repr(deep_image()).startswith("<fathom.DeepImage 17x9, ")


def test_merging_equals_the_program(files, tmp_path):
    a, b = fathom.deep.read(files / "a.exr"), fathom.deep.read(files / "b.exr")
    merged = fathom.deep.merge(a, b)
    program("deep", "merge", files / "a.exr", files / "b.exr", "-o", tmp_path / "cli.exr")
    fathom.deep.write(merged, tmp_path / "ours.exr")
    assert (tmp_path / "ours.exr").read_bytes() == (tmp_path / "cli.exr").read_bytes()
    assert len(merged["Z"]) == len(a["Z"]) + len(b["Z"])
    assert merged.passes and merged.record["result"]["fragments_out"] == merged.fragments


def test_merging_images_of_arrays_equals_that_of_files(files):
    read = [fathom.deep.read(files / name) for name in ("a.exr", "b.exr")]
    same(fathom.deep.merge(deep_image(seed=1), deep_image(seed=2)), fathom.deep.merge(*read))


def test_lists_out_of_order_are_sorted():
    image = fathom.DeepImage(
        numpy.array([0, 3]),
        {"Z": numpy.array([3, 1, 2], numpy.float32), "id": numpy.array([30, 10, 20], numpy.uint32)},
        1,
        1,
    )
    merged = fathom.deep.merge(image, image)
    assert merged["Z"].tolist() == [1, 1, 2, 2, 3, 3]
    assert merged["id"].tolist() == [10, 10, 20, 20, 30, 30]


def test_settings_hold_for_images_in_memory(files, tmp_path):
    words = ["--roles", "add,hold-out", "--z-offsets", "0,1", "--tidy", "on"]
    program("deep", "merge", files / "a.exr", files / "b.exr", *words, "-o", tmp_path / "cli.exr")
    held = fathom.deep.merge(
        deep_image(seed=1), deep_image(seed=2), roles=["add", "hold-out"], z_offsets=(0, 1), tidy=True
    )
    same(held, fathom.deep.read(tmp_path / "cli.exr"))


def test_flattening_equals_the_program(files, tmp_path):
    flat = fathom.deep.flatten(deep_image(seed=1), files / "b.exr")
    program("deep", "flatten", files / "a.exr", files / "b.exr", "--float", "-o", tmp_path / "cli.exr")
    assert flat.tobytes() == fathom.read(tmp_path / "cli.exr").tobytes()
    assert flat.shape == (9, 17, 4) and flat.data_window == (0, 0, 17, 9)


ONE = numpy.array([0, 1])
Z = numpy.ones(1, numpy.float32)


@pytest.mark.parametrize(
    "offsets, channels, keywords, message",
    [
        (ONE, {"R": Z}, {}, "one named Z"),
        (numpy.array([0, 1, 1]), {"Z": Z}, {}, "expected 2 .* found 3"),
        (numpy.array([1, 1]), {"Z": Z}, {}, "expected 0 first, found 1"),
        (numpy.array([0, -1]), {"Z": Z}, {}, "ascending numbers, found -1 after 0 at 1"),
        (numpy.array([0, 2]), {"Z": Z}, {}, r"expected shape \(2,\) as the offsets end"),
        (numpy.array([0, 2**63], numpy.uint64), {"Z": Z}, {}, "ascending"),
        (numpy.array([0.0, 1.0]), {"Z": Z}, {}, "whole numbers"),
        (ONE, {"Z": Z.astype(numpy.uint32)}, {}, "channel Z: expected float16, float32 or float64"),
        (ONE, {"Z": Z, "A": Z.astype(int)}, {}, "channel A: expected float16, float32, float64 or uint32"),
        (ONE, {"Z": Z.reshape(1, 1)}, {}, r"channel Z: expected shape \(1,\)"),
        (ONE, {"Z": Z * numpy.nan}, {}, "channel Z: expected depths, found NaN at 0"),
        (ONE, {"Z": [1.0]}, {}, "channel Z: expected an array, found list"),
        (ONE, {"": Z, "Z": Z}, {}, "a name of 1 to 255 bytes"),
        (ONE, {"Z": Z}, {"width": -1}, "data_window: expected"),
        (ONE, {"Z": Z}, {"width": 0}, "data_window: expected"),
        (ONE, {"Z": Z}, {"width": 2**40}, "data_window: expected"),
        (ONE, {"Z": Z}, {"width": 1.5}, "width: expected a whole number, found 1.5"),
        (ONE, {"Z": Z}, {"width": None}, "width, height: expected both"),
        (ONE, {"Z": Z}, {"data_window": (0, 0, 1, 1)}, "found both"),
        (ONE, {"Z": Z}, {"display_window": (0, 0, 1)}, r"expected \(x, y, width, height\)"),
        (ONE, {"Z": Z}, {"display_window": (-(2**63), 0, 1, 1)}, "display_window: expected"),
        (ONE, {"Z": Z}, {"pixel_aspect": float("nan")}, "pixel_aspect"),
    ],
)
def test_what_is_wrong_is_named(offsets, channels, keywords, message):
    with pytest.raises(fathom.UsageError, match=message):
        fathom.DeepImage(offsets, channels, **{"width": 1, "height": 1, **keywords})


def test_strided_swapped_and_read_only_arrays():
    z = numpy.arange(1, 7, dtype=">f4")[::2]
    z.flags.writeable = False
    image = fathom.DeepImage(numpy.array([0, 3], numpy.uint32), {"Z": z}, 1, 1)
    assert image["Z"].tolist() == [1, 3, 5]


def test_arrays_that_change_while_in_use_do_no_harm():
    z = numpy.array([1, 2, 3], numpy.float32)
    image = fathom.DeepImage(numpy.array([0, 3]), {"Z": z}, 1, 1)
    z[:] = numpy.nan, -1, 5
    merged = fathom.deep.merge(image, image)
    assert merged["Z"].tolist() == [-1, -1, 5, 5, numpy.inf, numpy.inf]  # as a reader repairs it


def test_images_can_be_pickled_and_copied():
    image = deep_image(uint=True)
    assert copy.copy(image) is image and copy.deepcopy([image])[0] is image
    again = pickle.loads(pickle.dumps(fathom.deep.merge(image)))
    assert again.channels == image.channels and again.record["command"] == "deep merge"
    assert numpy.array_equal(again.offsets, image.offsets)
    for name in image:
        assert again[name].dtype == image[name].dtype and numpy.array_equal(again[name], image[name])


def test_doubles_become_floats():
    image = fathom.DeepImage(ONE, {"Z": numpy.array([1.5]), "A": numpy.array([0.5])}, 1, 1)
    assert image["Z"].dtype == numpy.float32 and image["A"][0] == 0.5


def test_names_have_a_place_for_the_view(tmp_path):
    for view in ("left", "right"):
        fathom.deep.write(deep_image(), tmp_path / f"a.{view}.exr")
    fathom.deep.merge(tmp_path / "a.%V.exr", output=tmp_path / "b.%v.exr")
    for letter in "lr":
        same(fathom.deep.read(tmp_path / f"b.{letter}.exr"), fathom.deep.read(tmp_path / "a.left.exr"))
    with pytest.raises(fathom.UsageError, match="a place for the view"):
        fathom.deep.merge(tmp_path / "a.%V.exr", output=tmp_path / "b.exr")
