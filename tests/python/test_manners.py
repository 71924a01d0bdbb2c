# SPDX-License-Identifier: BSD-3-Clause
# How calls behave: exceptions, Ctrl+C, threads, progress, forks, help, the window.
import doctest
import inspect
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import fathom
from conftest import deep_image


def test_typos_offer_the_nearest_name():
    with pytest.raises(fathom.UsageError, match='no argument "blok_size", did you mean "block_size"'):
        fathom.deep.merge(deep_image(), blok_size=4)


def test_values_out_of_range_are_refused_as_on_the_command_line():
    with pytest.raises(fathom.UsageError, match="ll, la, ia, bia"):
        fathom.deep.merge(deep_image(), layout="lla")
    with pytest.raises(ValueError):
        fathom.deep.flatten(deep_image(), block_size=5)


def test_files_that_are_missing():
    with pytest.raises(fathom.Error, match="/none/here.exr: no such file"):
        fathom.deep.read("/none/here.exr")
    with pytest.raises(fathom.Error, match="/none/here.exr"):
        fathom.deep.merge("/none/here.exr", output="/tmp/out.exr")


    with pytest.raises(FileNotFoundError):
        fathom.smoe.read("/none/here.smoe")


def test_warnings_are_those_of_python(tmp_path):
    (tmp_path / "a.obj").write_text("mtllib no.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.warns(UserWarning, match='material file "no.mtl" not found') as caught:
        fathom.deep.capture(str(tmp_path / "a.obj"), size=(8, 8))
    assert caught[0].filename == __file__


def test_names_to_choose_from_are_those_of_the_package():
    for module in (fathom.deep, fathom.dof, fathom.flame, fathom.smoe, fathom.active_pixel):
        assert not {"Any", "os", "math", "Measured", "annotations"} & set(dir(module))
    assert {"render", "animate", "Genome"} <= set(dir(fathom.flame))


def test_help_shows_settings_with_ranges():
    signature = inspect.signature(fathom.dof.render)
    assert isinstance(signature.parameters["f_number"].default, float)
    assert "Also k." in fathom.smoe.fit.__doc__
    assert signature.parameters["f_number"].kind is inspect.Parameter.KEYWORD_ONLY
    assert "f_number: 0" in fathom.dof.render.__doc__ or "f_number: " in fathom.dof.render.__doc__
    assert "layout: ll | la | ia | bia" in inspect.getdoc(fathom.deep.merge)


def test_progress_is_reported_and_may_stop_the_work():
    seen = []
    fathom.smoe.fit(numpy.random.default_rng(1).random((48, 64, 3), numpy.float32), k=64, steps=300,
                    progress=lambda phase, fraction: seen.append((phase, fraction)))
    assert seen and all(0 <= fraction <= 1 for _, fraction in seen)

    class Enough(Exception):
        pass

    def stop(phase, fraction):
        raise Enough

    with pytest.raises(Enough):
        fathom.bench.run("flame.iterate", quick=True, trials=100000, progress=stop)
    assert fathom.deep.merge(deep_image()).fragments > 0  # and all goes on


def test_a_callback_cannot_call_back():
    errors = []

    def nested(phase, fraction):
        try:
            fathom.device()
        except fathom.UsageError as error:
            errors.append(str(error))

    fathom.smoe.fit(numpy.zeros((48, 64, 3), numpy.float32), k=64, steps=200, progress=nested)
    assert errors and "progress callback" in errors[0]


INTERRUPTED = """
import os, signal, threading, time, fathom
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.time()
try:
    fathom.bench.run("flame.iterate", quick=True, trials=100000)
except KeyboardInterrupt:
    print("interrupted", time.time() - begin)
print(fathom.flame.random(seed=1)[0].size)
"""


def test_control_c_interrupts_and_the_next_call_works():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
    word, seconds = done.stdout.split()[:2]
    assert word == "interrupted" and "(800, 600)" in done.stdout, done.stderr


def test_threads_are_served_in_turn():
    a, b = deep_image(seed=1), deep_image(seed=2)
    expected = fathom.deep.merge(a, b)["Z"].tobytes()
    results = []

    def work():
        for _ in range(4):
            results.append(fathom.deep.merge(a, b)["Z"].tobytes())

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 24


def test_the_lock_is_released_while_working():
    counted = [0]
    ready = threading.Event()

    def count():
        ready.set()
        while ready.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    fathom.smoe.fit(numpy.zeros((48, 64, 3), numpy.float32), k=64, steps=200)
    ready.clear()
    thread.join()
    assert counted[0] - before > 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_is_told_what_to_do():
    fathom.device()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            fathom.deep.merge(deep_image())
            os.write(writing, b"no error")
        except fathom.Error as error:
            os.write(writing, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b'"spawn"' in os.read(reading, 1000)


def test_the_device_may_be_chosen():
    first = fathom.device()
    assert fathom.device(backend="egl", index=0) == first and first.version
    with pytest.raises(fathom.UsageError, match="backend: expected auto, egl or window"):
        fathom.device(backend="vulkan")
    with pytest.raises(fathom.UsageError, match="index"):
        fathom.device(index=-2)


def test_no_device_is_an_exception():
    code = "import fathom\ntry:\n fathom.device()\nexcept fathom.NoDeviceError as e: print('none:', e)"
    environment = dict(os.environ, LIBGL_DRIVERS_PATH="/none", __EGL_VENDOR_LIBRARY_FILENAMES="/none",
                       DISPLAY="")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=environment)
    assert done.stdout.startswith("none:"), done.stderr


def test_doctests():
    for module in (fathom, fathom._calls, fathom.bench, fathom.deep, fathom.dof, fathom.flame,
                   fathom.smoe, fathom.active_pixel):
        assert doctest.testmod(module).failed == 0


@pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="needs a display")
def test_the_window_shows_images_in_memory(tmp_path):
    shot = tmp_path / "window.png"
    image = deep_image(64, 48)
    with fathom.View("test") as window:
        window.show([image], settings={"show": "heat-map"},
                    options=["--frames", "2", "--hidden", f"--screenshot={shot}"])
        assert window.wait(60) == 0
    assert shot.exists()
