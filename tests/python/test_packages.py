# SPDX-License-Identifier: BSD-3-Clause
# What pip asks of app/python/build_wheel.py, but for the build itself.
import pathlib
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_a_source_distribution_has_what_a_build_reads(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "app/python"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    import build_wheel

    about = build_wheel.prepare_metadata_for_build_wheel(str(tmp_path))
    metadata = (tmp_path / about / "METADATA").read_text()
    assert metadata.startswith("Metadata-Version: 2.1\nName: fathom\n")
    with tarfile.open(tmp_path / build_wheel.build_sdist(str(tmp_path))) as archive:
        names = archive.getnames()
        base = names[0].split("/")[0]
        assert archive.extractfile(f"{base}/PKG-INFO").read().decode() == metadata
        assert {entry.mtime for entry in archive} == {1700000000}
    for needed in ("CMakeLists.txt", "pyproject.toml", "app/main.cpp", "shaders/common/scan.comp",
                   "assets/flame/palettes.xml", "third_party/CMakeLists.txt", "docs/guides/python.md"):
        assert f"{base}/{needed}" in names
