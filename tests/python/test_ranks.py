# SPDX-License-Identifier: BSD-3-Clause
# Compositing over the ranks of a communicator that mpi4py made.
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import fathom
from conftest import program

SCRIPTS = pathlib.Path(__file__).parent


def over_ranks(ranks, script, *arguments):
    """What a script prints under mpirun."""
    pytest.importorskip("mpi4py")
    words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), sys.executable]
    done = subprocess.run([*words, SCRIPTS / script, *arguments], capture_output=True, text=True,
                          timeout=120, env=dict(os.environ, LP_NUM_THREADS="1"))
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not shutil.which("mpirun"), reason="needs mpirun")
def test_ranks_of_mpi4py_equal_those_of_the_program(tmp_path):
    try:
        program("active-pixel", "composite", "planes", "--size", "24x16", "-o", tmp_path / "cli.exr")
    except AssertionError:
        pytest.skip("built without IceT")
    said = over_ranks(2, "composite_over_ranks.py", tmp_path / "ours.exr")
    assert "ranks 2 (16, 24, 4)" in said
    for rank in ("0", "1"):
        for kind in ("value", "type"):
            assert f"{kind} {rank} UsageError: rank 1: " in said, said
        assert f"file {rank} Error: rank 1: nosuch.exr" in said.replace("FileNotFound", "Error")
        assert f"scene {rank} Error: rank 1: planes: expected what rank 0 has (--frames 1)" in said
    result = fathom.compare(tmp_path / "ours.exr", tmp_path / "cli.exr", fail_max_above=0.01)
    assert result.exit_code == 0


@pytest.mark.skipif(not shutil.which("mpirun"), reason="needs mpirun")
def test_bricks_in_the_memory_of_each_rank_equal_one_process():
    with pytest.raises(fathom.Error) as refused:
        fathom.deep.composite("planes", comm=3)
    if "built without" in str(refused.value):
        pytest.skip("built without MPI")
    assert "picture True lists True" in over_ranks(4, "bricks_over_ranks.py")


def test_what_is_no_communicator_is_refused():
    with pytest.raises(fathom.Error, match="comm: expected a communicator|built without"):
        fathom.active_pixel.composite("planes", size=(24, 16), comm=3)
