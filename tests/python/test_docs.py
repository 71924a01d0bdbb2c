# SPDX-License-Identifier: BSD-3-Clause
# The worked examples of docs/guides/python.md run as they stand there and make the pictures beside them.
# FATHOM_WRITE_DOCS=1 puts these into docs/pictures.
import os
import re
import shutil

import numpy
import pytest

import fathom
from conftest import ROOT

PAGE = (ROOT / "docs" / "guides" / "python.md").read_text()
EXAMPLES = re.findall(r"## ([^\n]+)\n\n```python\n(.*?)```\n\n!\[[^\]]*\]\(\.\./pictures/([^)]+)\)", PAGE, re.S)


def test_there_are_five():
    assert len(EXAMPLES) == 5 == PAGE.count("```python")


@pytest.mark.parametrize("title, source, picture", EXAMPLES, ids=[one[2] for one in EXAMPLES])
def test_an_example(title, source, picture, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(source, title, "exec"), names)
    names["plt"].close("all")
    shown = fathom.read(tmp_path / picture)
    assert shown.shape[1] > 200 and numpy.std(shown) > 0.02
    in_docs = ROOT / "docs" / "pictures" / picture
    if os.environ.get("FATHOM_WRITE_DOCS"):
        shutil.copy(tmp_path / picture, in_docs)
    assert in_docs.exists()
