# SPDX-License-Identifier: BSD-3-Clause
# Random calls with random arrays: an exception with one sentence or a value, never a crash. Under the
# sanitizers (./dev asan) there are 10^5 of them. What hypothesis builds itself finds the odd argument;
# the bulk is built by numpy from a seed of hypothesis, which takes a tenth of the time.
import copy
import os

import hypothesis
import numpy
from hypothesis import strategies as st

import fathom

CALLS = int(os.environ.get("FATHOM_FUZZ_CALLS", "1000"))
FEW = max(100, CALLS // 20)
PER_SEED = 20
DTYPES = ["f2", "f4", "f8", ">f4", "u4", "i4", "u8", "i8", "u1", "?", "c8", "O", "U3"]
NAMES = ["Z", "ZBack", "R", "A", "Y", "id", "", "x" * 300, "\0", "\udcff", "Ä"]
NUMBERS = [0, 1, -1, 2, 3, 7, 2**31, 2**32, 2**63, -(2**63), 1.5, float("nan"), None, "1"]


@st.composite
def arrays(draw):
    dtype = draw(st.sampled_from(DTYPES))
    shape = draw(st.sampled_from([(), (0,), (1,), (3,), (4,), (5,), (7,), (2, 2), (2, 3, 4), (1, 0)]))
    values = draw(st.sampled_from(["zeros", "count", "nan", "huge"]))
    array = numpy.zeros(shape, dtype)
    if values == "count" and dtype not in ("O", "U3", "?"):
        array = numpy.arange(array.size).reshape(shape).astype(dtype)
    elif values in ("nan", "huge") and array.dtype.kind == "f":
        array = numpy.asarray(array + array.dtype.type(numpy.nan if values == "nan" else 6e4))
    if draw(st.booleans()) and array.ndim:
        array = array[::-1]
    array.flags.writeable = draw(st.booleans())
    return array


anything = st.one_of(arrays(), st.sampled_from(NUMBERS), st.lists(st.sampled_from(NUMBERS), max_size=4))
windows = st.one_of(st.none(), st.lists(st.sampled_from(NUMBERS), max_size=5), anything)


def refused(call):
    """True when a call raises what is meant to be raised: one sentence, or Python's own complaint."""
    try:
        call()
    except fathom.Error as error:
        assert "\n" not in str(error) and str(error)
    except (TypeError, ValueError, KeyError, OverflowError, UnicodeError, MemoryError):
        pass
    else:
        return False
    return True


def check(image):
    """An image that was made holds what it says."""
    assert image.offsets[-1] == image.fragments
    for name in image.channels:
        assert len(image[name]) == image.fragments
    assert repr(image)


@hypothesis.settings(max_examples=FEW, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(anything, st.one_of(anything, st.dictionaries(st.sampled_from(NAMES), anything)),
                  st.sampled_from(NUMBERS), st.sampled_from(NUMBERS), windows, windows)
def test_random_images(offsets, channels, width, height, data, display):
    def call():
        image = fathom.DeepImage(offsets, channels, width, height, data_window=data,
                                 display_window=display)
        check(image)

    refused(call)


@st.composite
def nearly_right(draw):
    """Arguments that are right but for one or two things."""
    width, height = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    counts = draw(st.lists(st.integers(0, 3), min_size=width * height, max_size=width * height))
    offsets = numpy.concatenate([[0], numpy.cumsum(counts)]).astype(
        draw(st.sampled_from(["u4", "i8", "u8", "i2"])))
    total = int(offsets[-1])
    channels = {"Z": numpy.linspace(3, 1, total).astype(draw(st.sampled_from(["f2", "f4"])))}
    for name in draw(st.lists(st.sampled_from(["R", "G", "A", "ZBack", "id", "Y"]), unique=True)):
        channels[name] = numpy.linspace(-1, 2, total).astype(draw(st.sampled_from(["f2", "f4", "u4"])))
    if draw(st.integers(0, 3)) == 0 and total:
        offsets[draw(st.integers(0, len(offsets) - 1))] = draw(st.integers(-5, 9)) % 2**15
    if draw(st.integers(0, 3)) == 0:
        channels["Z"] = channels["Z"][: draw(st.integers(0, 3))]
    if draw(st.integers(0, 3)) == 0 and len(channels["Z"]):
        channels["Z"][0] = draw(st.sampled_from([numpy.nan, numpy.inf, -numpy.inf, -0.0]))
    return offsets, channels, width, height


@hypothesis.settings(max_examples=FEW, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(nearly_right(), st.booleans())
def test_random_images_go_to_a_file_and_back(tmp_path_factory, given, tiled):
    path = "/dev/shm/fathom-fuzz.exr" if os.path.isdir("/dev/shm") else "fathom-fuzz.exr"

    def call():
        image = fathom.DeepImage(*given)
        check(image)
        fathom.deep.write(image, path, compression="none", tiled=tiled)
        back = fathom.deep.read(path, keep_bad_values=True)
        check(back)
        assert back.fragments == image.fragments

    refused(call)
    if os.path.exists(path):
        os.remove(path)


VALUES = st.one_of(anything, st.text(max_size=3), st.binary(max_size=9),
                   st.lists(st.floats(), max_size=9), st.lists(st.text(max_size=2), max_size=3),
                   st.builds(fathom.Attribute, st.sampled_from(["int", "v2f", "m44f", "string", "", "x"]),
                             st.one_of(st.binary(max_size=70), anything)))


@hypothesis.settings(max_examples=FEW, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(st.one_of(anything, st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text()), VALUES)))
def test_random_attributes(attributes):
    def call():
        image = fathom.DeepImage(numpy.array([0, 1]), {"Z": numpy.ones(1, "f4")}, 1, 1,
                                 attributes=attributes)
        assert len(dict(image.attributes)) == len(image.attributes.updated({}))
        assert len(fathom.deep.merge(image, image).attributes) >= len(image.attributes)

    refused(call)


@hypothesis.settings(max_examples=FEW, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(arrays(), st.sampled_from(["words", "picture", "depth", "model"]))
def test_random_values(array, kind):
    def call():
        if kind == "words":
            fathom.active_pixel.Image.from_words(array)
        elif kind == "model":
            fathom.smoe.Model(2, 2, array).check()
        elif kind == "depth":
            fathom.write(numpy.zeros((2, 2, 4), "f4"), "/dev/null/x.exr", depth=array)
        else:
            fathom.write(array, "/dev/null/x.exr")

    refused(call)


class Calls:
    """Calls with arguments out of a generator of random numbers."""

    def __init__(self, seed, words, genome, model):
        self.random = numpy.random.default_rng(seed)
        self.words, self.genome, self.model = words, genome, model
        self.image = None

    def pick(self, values):
        return values[self.random.integers(len(values))]

    def array(self, count=None):
        count = int(self.pick([0, 1, 2, 3, 7, 40])) if count is None else count
        bits = self.random.integers(0, 256, 8 * count, dtype=numpy.uint8)
        values = bits.view(self.pick(["u1", "f2", "f4", "f8", "u4", "i8", ">f4", "?", "c8"]))
        return values[: count] if self.random.random() < 0.8 else values.reshape(2, -1)[:, ::2]

    def make(self):
        width, height = self.random.integers(1, 4, 2)
        counts = self.random.integers(0, 4, width * height)
        offsets = numpy.concatenate([[0], numpy.cumsum(counts)])
        if self.random.random() < 0.2:
            offsets[self.random.integers(len(offsets))] += self.random.integers(-3, 4)
        total = max(0, int(offsets[-1]))
        channels = {"Z": self.random.random(total).astype(self.pick(["f4", "f4", "f2", "f8"]))}
        for name in self.random.choice(NAMES, self.random.integers(0, 4)):
            channels[str(name)] = self.array(self.pick([total, total, total, total + 1]))
        self.image = fathom.DeepImage(offsets.astype(self.pick(["u8", "i8", "u4", "i2"])), channels,
                                      width, height)
        check(self.image)

    def look(self):
        if self.image is not None:
            self.image.fragments_of(int(self.random.integers(-2, 5)), int(self.random.integers(-2, 5)))
            self.image[str(self.pick(NAMES))]

    def damaged_words(self):
        words = self.words.copy()
        for _ in range(self.random.integers(1, 4)):
            at = self.random.integers(len(words)) if self.random.random() < 0.5 else self.random.integers(9)
            words[at] = self.pick([0, 1, 2**31, 2**32 - 1, int(words[at]) ^ 1, int(words[at]) + 1])
        fathom.active_pixel.Image.from_words(words[: self.pick([len(words), len(words), 7, 8, 3, 0])])

    def damaged_model(self):
        model = copy.copy(self.model)
        model.components = model.components.copy()
        raw = model.components.view(numpy.uint8)
        raw[self.random.integers(len(raw))] = self.random.integers(256)
        name = self.pick(["width", "height", "dims", "frames", "center_fraction_bits"])
        setattr(model, name, self.pick([getattr(model, name), 0, -1, 2**30, 3, 4]))
        model.check()

    def damaged_genome(self):
        genome = self.genome.copy()
        target = self.pick([genome, genome.xforms[0]])
        name = self.pick(list(vars(target)))
        setattr(target, name, self.pick([-1, 0, 1e308, float("inf"), None, "x", [], (1, 2), {"a": 1.0}]))
        fathom.flame.xml(genome)

    def picture(self):
        fathom.write(self.array(), "/dev/null/x.exr", depth=self.pick([None, self.array()]))

    def keywords(self):
        name = self.pick(["layout", "layuot", "block_size", "thin", "roles", "set", "size", "z_ranges"])
        value = self.pick([0, -1, "la", "", "x=y", {"a": 1}, (1, 2), [1, None], 2**70, 1j, self.array()])
        fathom.deep.inspect("/none.exr", **{name: value})


@hypothesis.settings(max_examples=CALLS // PER_SEED, deadline=None, database=None,
                     suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(seed=st.integers(0, 2**32 - 1))
def test_many_calls(files, seed):
    if not hasattr(test_many_calls, "values"):
        test_many_calls.values = (
            fathom.active_pixel.encode(files / "depth.exr").words,
            fathom.flame.read(files / "rose.flame")[0],
            fathom.smoe.fit(files / "picture.png", k=4, steps=0),
        )
    calls = Calls(seed, *test_many_calls.values)
    kinds = [calls.make, calls.make, calls.look, calls.damaged_words, calls.damaged_model,
             calls.damaged_genome, calls.picture]
    for _ in range(PER_SEED):
        refused(calls.pick(kinds))
    refused(calls.keywords)
