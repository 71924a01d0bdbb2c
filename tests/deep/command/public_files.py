#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Public deep files of other programs go through fathom and come back: packed and unpacked, and
merged alone, with every sample, window and attribute. Needs the network, or a folder of files.

usage: public_files.py FATHOM [FOLDER]
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

RAW = "https://raw.githubusercontent.com/"
IMAGES = RAW + "AcademySoftwareFoundation/openexr-images/main/"
IDS = RAW + "AcademySoftwareFoundation/openexr/main/src/test/bin/test_images/"
FILES = {
    **{f"{name}.exr": f"{IMAGES}v2/LowResLeftView/{name}.exr" for name in ("Leaves", "Trunks", "Balls")},
    "LeftTrunks.exr": IMAGES + "v2/LeftView/Trunks.exr",
    "StereoTrunks.exr": IMAGES + "v2/Stereo/Trunks.exr",
    **{f"{name}.exr": f"{IDS}{name}.deep.exr" for name in ("11", "42", "64", "multivariate", "objectid")},
    "openexrid.exr": RAW + "MercenariesEngineering/openexrid/master/data/sample_motionblur_transparency.exr",
    "volume.exr": RAW + "GafferHQ/gaffer/main/python/GafferImageTest/images/representativeDeepImage.exr",
    "arnold7.exr": RAW + "Autodesk/arnold-usd/master/testsuite/test_1306/ref/reference.exr",
    "deepalpha.exr": RAW + "AcademySoftwareFoundation/OpenImageIO/main/testsuite/oiiotool-deep/src/deepalpha.exr",
}
# How pixels are stored, which a command may change.
STORAGE = {"compression", "tiles", "type", "version", "chunkCount", "lineOrder", "maxSamplesPerPixel", "name"}


def headers(path):
    """Attributes of each part: {name: (type, bytes)}."""
    data, at, parts = path.read_bytes(), 8, []
    many = data[5] & 0x10
    while True:
        part = {}
        while data[at]:
            end = data.index(b"\0", at)
            name, at = data[at:end], end + 1
            end = data.index(b"\0", at)
            kind, at = data[at:end], end + 1
            size = struct.unpack_from("<i", data, at)[0]
            part[name.decode()] = (kind, data[at + 4:at + 4 + size])
            at += 4 + size
        at += 1
        if part:
            parts.append(part)
        if not many or not part:
            return parts


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def check(fathom, path, folder):
    """Returns the packed size in parts of the file's."""
    packed, plain, merged = (folder / f"out.{end}" for end in ("fdp", "exr", "merged.exr"))
    run(fathom, "deep", "pack", path, "-o", packed)
    run(fathom, "deep", "unpack", packed, "-o", plain)
    before, after = headers(path), headers(plain)
    assert len(before) == len(after), "parts"
    for one, other in zip(before, after):
        assert one == other or {k: v for k, v in one.items() if k not in STORAGE} == {
            k: v for k, v in other.items() if k not in STORAGE}, "attributes"
    many = len(before) > 1
    for part in range(len(before)):
        one, other = path, plain
        if many:
            one, other = folder / "one.exr", folder / "other.exr"
            run(fathom, "deep", "merge", f"{path}#{part}", "-o", one)
            run(fathom, "deep", "merge", f"{plain}#{part}", "-o", other)
        assert "identical yes" in run(fathom, "compare", one, other), "samples"
    if not many:
        run(fathom, "deep", "merge", path, "-o", merged)
        assert "identical yes" in run(fathom, "compare", path, merged), "samples of the merge"
        kept = {k: v for k, v in before[0].items() if k not in STORAGE | {"deepImageState"}}
        assert kept.items() <= headers(merged)[0].items(), "attributes of the merge"
    return packed.stat().st_size / path.stat().st_size


def main():
    fathom, folder = sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    if len(sys.argv) < 3:
        for name, address in FILES.items():
            try:
                urllib.request.urlretrieve(address, folder / name)
            except urllib.error.URLError as error:
                print(f"{name}: not fetched, {error}")
    paths = sorted(folder.glob("*.exr"))
    if not paths:
        print("no network and no files: nothing is checked")
        raise SystemExit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as out:
        for path in paths:
            if b"deep" not in path.read_bytes()[:4096]:
                continue
            try:
                print(f"{path.name}: packed {check(fathom, path, pathlib.Path(out)):.3f} of the file")
            except (AssertionError, SystemExit) as error:
                failed += 1
                print(f"{path.name}: {error}")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
