# SPDX-License-Identifier: BSD-3-Clause
# The types that come with the package, by mypy: they let right calls pass and refuse wrong ones.
import os
import pathlib
import re
import subprocess
import sys

import pytest

import fathom

USE = pathlib.Path(__file__).parent / "typed_use.py"


def test_mypy_knows_right_from_wrong(tmp_path):
    pytest.importorskip("mypy")
    package = pathlib.Path(fathom.__file__).parent
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", "--cache-dir", tmp_path,
         USE],
        capture_output=True, text=True, env=dict(os.environ, MYPYPATH=str(package.parent)))
    found = {int(line) for line in re.findall(r"typed_use\.py:(\d+): error", checked.stdout)}
    wrong = {i for i, line in enumerate(USE.read_text().splitlines(), 1) if line.endswith("# WRONG")}
    assert found == wrong, checked.stdout


def test_every_command_stands_in_the_stubs():
    stubs = pathlib.Path(fathom.__file__).parent / "_stubs"
    for command in set(fathom.commands()) - {"view"}:
        group, _, word = command.replace("-", "_").partition(" ")
        module = group if word else "_bench" if group == "bench" else "_top"
        name = word or ("run" if group == "bench" else group)
        assert f"def {name}(" in (stubs / f"{module}.pyi").read_text(), command
