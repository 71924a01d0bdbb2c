# SPDX-License-Identifier: BSD-3-Clause
# Every command of the program has its call, and both make the same bytes.
import importlib
import json

import numpy
import pytest

import fathom
from conftest import program
from fathom._calls import python_name


def function_of(command):
    group, _, word = command.partition(" ")
    if not word:
        return {"bench": fathom.bench.run}.get(group) or getattr(fathom, python_name(group))
    return getattr(importlib.import_module("fathom." + python_name(group)), python_name(word))


def listed_by_the_program():
    """The names in the first column of `fathom --help`."""
    names = []
    for line in program("--help").splitlines():
        name = line[2:].split("  ")[0] if line.startswith("  ") else ""
        if name and not line.startswith("   "):
            names.append(name)
    return names


def test_every_command_has_its_call():
    commands = set(fathom.commands())
    listed = [name for name in listed_by_the_program() if name.split()[0] in {
        command.split()[0] for command in commands} and (name in commands or " " in name)]
    assert set(listed) == commands
    for command in commands:
        call = function_of(command)
        assert callable(call) and call.__doc__, command


@pytest.mark.parametrize("command", sorted(set(fathom.commands()) - {"view"}))
def test_every_flag_is_an_argument(command):
    call = function_of(command).call
    help_text = program(*command.split(), "--help")
    for flag in call.flags.values():
        assert flag.flag in help_text
        assert flag.name in call.signature().parameters
        assert flag.name + ": " in call.documentation()


# A command, its inputs among the files, and arguments for both.
CASES = {
    "deep capture": (["planes"], ".exr", {"size": (24, 16)}),
    "deep merge": (["a.exr", "b.exr"], ".exr", {"layout": "la", "block_size": 8}),
    "deep flatten": (["a.exr", "b.exr"], ".exr", {"float": True}),
    "deep heatmap": (["a.exr"], ".png", {}),
    "deep resize": (["a.exr"], ".exr", {"size": (9, 5), "filter": "gaussian"}),
    "deep transform": (["a.exr"], ".exr", {"rotate": 20, "scale": 1.5}),
    "deep grade": (["a.exr"], ".exr", {"multiply": "1.2,1,0.9"}),
    "deep expression": (["a.exr"], ".exr", {"expression": "R = R / 2; Z = Z + x"}),
    "deep recolor": (["a.exr", "depth.exr"], ".exr", {}),
    "deep crop": (["a.exr"], ".exr", {"window": (2, 1, 9, 5), "compression": "rle"}),
    "deep run": (["a.exr"], ".exr", {"do": "crop 2,1,9,5"}),
    "deep pack": (["a.exr"], ".fdp", {}),
    "deep unpack": (["packed.fdp"], ".exr", {}),
    "deep cryptomatte": (["ids.exr"], ".exr", {"layer": "thing"}),
    "deep points": (["a.exr"], ".ply", {"count": 40, "seed": 3}),
    "deep composite": (["a.exr", "b.exr"], ".exr", {"deep": True}),
    "deep check": (["a.exr"], None, {}),
    "dof render": (["depth.exr"], ".exr", {"f_number": 2.8, "focus_distance": 3}),
    "dof variants": ([], ".glsl", {"source": "block.peel.a.copy.block.direct.compute.ftb.float"}),
    "flame render": (["rose.flame"], ".png", {"quality": 5, "bits": 16}),
    "flame sequence": (["rose.flame"], ".flame", {"frames": 4}),
    "flame freeze": (["film.flame"], ".flame", {"at": 1}),
    "flame palette": (["rose.flame"], ".gpl", {}),
    "flame random": (["rose.flame"], ".flame", {"seed": 3, "count": 2}),
    "smoe fit": (["picture.png"], ".smoe", {"k": 12, "steps": 4, "seed": 5}),
    "smoe render": (["model.smoe"], ".png", {"size": (40, 30), "bits": 8}),
    "smoe convert": (["model.smoe"], ".smoe", {"encoding": "packed"}),
    "active-pixel decode": (["image.icet"], ".exr", {"depth_range": (0, 16)}),
    "active-pixel encode": (["depth.exr"], ".icet", {"depth_range": (0, 16)}),
    "active-pixel composite": (["planes"], ".png", {"size": (24, 16), "parts": 2}),
    "compare": (["picture.png", "picture.png"], None, {}),
    "info": (["a.exr"], None, {}),
    "deep inspect": (["a.exr"], None, {"pixel": (3, 2)}),
    "flame info": (["rose.flame"], None, {}),
    "flame shader": (["rose.flame"], None, {}),
    "report": (["bench.json"], ".html", {}),
}
# Looked at elsewhere: windows, folders and films in other tests; the rest measures this device.
ELSEWHERE = {"view", "smoe capture", "flame animate", "flame queue", "bench", "tune"}


def test_no_command_is_left_out():
    assert set(CASES) | ELSEWHERE == set(fathom.commands())


def words_of(arguments, flags):
    words = []
    for name, value in arguments.items():
        flag = flags.named(name).flag
        if value is True:
            words.append(flag)
        elif isinstance(value, tuple):
            words += [flag, ("x" if name == "size" else ",").join(map(str, value))]
        else:
            words += [flag, str(value)]
    return words


@pytest.mark.parametrize("command", CASES)
def test_results_equal_those_of_the_program(command, files, tmp_path):
    inputs, ending, arguments = CASES[command]
    inputs = [files / name if "." in name else name for name in inputs]
    call = function_of(command)
    ours, cli = tmp_path / "ours" / f"out{ending}", tmp_path / "cli" / f"out{ending}"
    ours.parent.mkdir(), cli.parent.mkdir()
    words = [*command.split(), *inputs, *words_of(arguments, call.call)]
    if ending is None:
        assert call(*inputs, **arguments).text == program(*words)
        return
    result = call(*inputs, output=ours, **arguments)
    program(*words, "-o", cli)
    assert ours.read_bytes() == cli.read_bytes()
    assert result.exit_code == 0 and str(result.output) == str(ours)


def test_models_and_frames_decode_as_the_program_does(files, tmp_path):
    model = fathom.smoe.fit(files / "picture.png", k=12, steps=4)
    assert model.components.shape == (12,) and model.psnr > 5
    view = fathom.smoe.render(model, size=(40, 30))
    fathom.smoe.write(model, tmp_path / "model.smoe")
    program("smoe", "render", tmp_path / "model.smoe", "--size", "40x30", "--float", "-o",
            tmp_path / "view.exr")
    assert view.tobytes() == fathom.read(tmp_path / "view.exr").tobytes()
    image = fathom.active_pixel.encode(fathom.read(files / "depth.exr"), depth_range=(0, 16))
    program("active-pixel", "encode", files / "depth.exr", "--depth-range", "0,16", "-o",
            tmp_path / "image.icet")
    assert image.words.tobytes() == (tmp_path / "image.icet").read_bytes()
    again = fathom.active_pixel.decode(image, depth_range=(0, 16))
    assert numpy.array_equal(again.depth, fathom.read(files / "depth.exr").depth)


def test_a_grid_of_views(tmp_path):
    views = fathom.smoe.capture("atrium", grid="2x2", size=(16, 12), samples_per_pixel=1)
    program("smoe", "capture", "atrium", "--grid", "2x2", "--size", "16x12", "--samples-per-pixel",
            "1", "-o", tmp_path / "views")
    assert set(views) == {path.name for path in (tmp_path / "views").iterdir()}
    described = views.pop("views.json")
    assert described == json.loads((tmp_path / "views" / "views.json").read_text())
    for name, view in views.items():
        assert view.tobytes() == fathom.read(tmp_path / "views" / name).tobytes()


def test_a_film_frame_by_frame(files, tmp_path):
    film = fathom.flame.read(files / "film.flame")
    program("flame", "animate", files / "film.flame", "--quality", "2", "--float", "-o",
            tmp_path / "cli.%03d.exr")
    made = list(fathom.flame.animate(film, quality=2))
    written = sorted(tmp_path.glob("cli.*.exr"))
    assert len(made) == len(written) > 1
    for frame, path in zip(made, written):
        assert frame.tobytes() == fathom.read(path).tobytes()


def test_steps_of_a_fit_tell_their_psnr(files):
    steps = fathom.smoe.fit_steps(files / "picture.png", k=16, steps=200)
    seen = list(steps)
    assert steps.value.psnr > 5
    assert seen[-1].phase == "done" and seen[-1].psnr == steps.value.psnr
    alone = fathom.smoe._calls.Steps.step_of("alpha: fitting · 77.0 dB", 0.5)
    assert alone.alpha and alone.psnr == 77 and not any(step.alpha for step in seen)


def test_a_bench_gives_rows():
    result = fathom.bench.run("active-pixel.ratio", quick=True, trials=1)
    assert result.rows and all("bench" in row for row in result.rows)
    assert "deep.composite" in fathom.bench.names()


def test_a_difference_is_no_exception(files):
    other = numpy.zeros((24, 32, 4), numpy.float32)
    result = fathom.compare(files / "depth.exr", other, fail_psnr_below=50)
    assert result.exit_code == 3 and result["psnr"] < 50


def test_frames_that_fail_are_an_error(files, tmp_path):
    for frame in (1, 2, 3):
        whole = (files / "a.exr").read_bytes()
        (tmp_path / f"a.{frame}.exr").write_bytes(whole if frame != 2 else whole[:300])
    with pytest.raises(fathom.Error, match="1 failed, 2 are done"):
        fathom.deep.merge(tmp_path / "a.#.exr", output=tmp_path / "o.#.exr")
    assert (tmp_path / "o.3.exr").exists() and not (tmp_path / "o.2.exr").exists()


def test_channels_beside_color(files, tmp_path):
    program("deep", "flatten", files / "ids.exr", "-o", tmp_path / "flat.exr", "--float")
    image = fathom.deep.read(files / "ids.exr")
    for flat in (fathom.read(tmp_path / "flat.exr", channels=True), fathom.deep.flatten(files / "ids.exr"),
                 fathom.deep.flatten(image, channels="*")):
        ids = flat.channels["id"]
        assert ids.dtype == numpy.uint32 and ids.shape == flat.shape[:2]
        assert numpy.array_equal((flat * 2).channels["id"], ids)
        assert numpy.array_equal(flat[::-1, 2:].channels["id"], ids[::-1, 2:])
        first = int(image.offsets[1])
        assert first == 0 or ids[0, 0] in image["id"][:first]
    mattes = fathom.deep.cryptomatte(files / "ids.exr")
    cover = sum(mattes[name] for name in mattes if name.endswith((".G", ".A")))
    assert numpy.allclose(cover, fathom.deep.flatten(image)[..., 3], atol=1e-6)


_SQUARE = "v -1 -1 0{0}\nv 1 -1 0{0}\nv 1 1 0{0}\nv -1 1 0{0}\nf 1 2 3 4\n"


@pytest.mark.parametrize("call", ["deep.flatten", "deep.composite", "dof.render", "active_pixel.composite"])
def test_scenes_are_seen_from_where_one_says(call, tmp_path):
    """A square of 2 x 2, from a distance of 2, under 90 degrees: half as wide as the picture."""
    (tmp_path / "square.obj").write_text(_SQUARE.format(""))
    module, name = call.split(".")
    draw = getattr(getattr(fathom, module), name)
    picture = draw(tmp_path / "square.obj", eye=(0, 0, 2), target=(0, 0, 0), up=(0, 1, 0), fov=90, size=(16, 16))
    covered = numpy.asarray(picture)[..., :3].sum(axis=2) > 0.02
    if call != "dof.render":
        assert covered[4:12, 4:12].all() and covered.sum() == 64
    assert covered[7:9, 7:9].all() and not covered[0].any()
    with pytest.raises(fathom.UsageError, match="--up: expected another direction"):
        draw(tmp_path / "square.obj", eye=(0, 0, 2), target=(0, 0, 0), up=(0, 0, 1), size=(16, 16))


def test_vertices_of_obj_files_have_colors(tmp_path):
    (tmp_path / "square.obj").write_text(_SQUARE.format(" 1 0.5 0"))
    for draw in (fathom.deep.flatten, fathom.active_pixel.composite):
        r, g, b, _ = numpy.asarray(draw(tmp_path / "square.obj", size=(16, 16)))[8, 8]
        assert r > 0.1 and abs(g / r - 0.2159) < 0.02 and b < 0.02 * r + 0.01


def test_each_frame_is_written_where_the_output_has_a_number(tmp_path):
    fathom.active_pixel.composite("station", frames=2, size=(48, 32), output=tmp_path / "k.%02d.png")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k.00.png", "k.01.png"]
    first, second = (fathom.read(tmp_path / f"k.{i:02}.png") for i in range(2))
    assert not numpy.array_equal(first, second)


def test_a_sequence_is_a_dict_of_its_frames(tmp_path):
    for frame, x in ((1001, 0), (1003, 20)):
        scene = fathom.deep.capture("planes", size=(40, 30))
        fathom.deep.transform(scene, translate=(x, 0), output=tmp_path / f"a.{frame}.exr")
    name = tmp_path / "a.####.exr"
    flat = fathom.deep.flatten(name, missing="skip")
    assert sorted(flat) == [1001, 1003]
    numpy.testing.assert_array_equal(flat[1003], fathom.deep.flatten(tmp_path / "a.1003.exr"))
    merged = fathom.deep.merge(name, frames="1003")
    assert list(merged) == [1003] and isinstance(merged[1003], fathom.deep.DeepImage)
    pull = fathom.dof.render(tmp_path / "a.1001.exr", focus="3:5@1-2")
    assert sorted(pull) == [1, 2]
    with pytest.raises(fathom.Error, match="expected files of a sequence"):
        fathom.deep.flatten(tmp_path / "b.####.exr")


def test_a_deep_image_is_written_as_exr_alone(tmp_path):
    image = fathom.deep.capture("planes", size=(8, 8))
    with pytest.raises(fathom.UsageError, match="ends in .exr"):
        fathom.deep.write(image, tmp_path / "a.png")
    assert not list(tmp_path.iterdir())
