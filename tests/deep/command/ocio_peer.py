# SPDX-License-Identifier: BSD-3-Clause
"""A chart with AP1, Rec. 709 and no primaries through every way out of the program, beside
OpenColorIO's own Python module.

usage: ocio_peer.py FATHOM
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy
import PyOpenColorIO as ocio

WIDTH, HEIGHT = 16, 8
AP1 = (0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767)
REC709 = (0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329)


def config():
    made = ocio.Config()
    made.setMajorVersion(2)

    def space(name, *to_reference):
        group = ocio.GroupTransform(list(to_reference))
        made.addColorSpace(ocio.ColorSpace(
            name=name, toReference=group if to_reference else None))

    curve = ocio.ExponentWithLinearTransform(
        gamma=[2.4, 2.4, 2.4, 1], offset=[0.055, 0.055, 0.055, 0])
    space("lin_rec709")
    space("ACEScg", ocio.BuiltinTransform(style="UTILITY - ACES-AP1_to_LINEAR-REC709_BFD"))
    space("sRGB", curve)
    made.addDisplayView("Monitor", "sRGB", "sRGB")
    made.addDisplayView("Monitor", "Wide", "ACEScg")
    made.setRole("scene_linear", "lin_rec709")
    made.setRole("default", "lin_rec709")
    made.validate()
    return made


def write_exr(path, pixels, primaries):
    """Float RGBA and Z of 1, scanlines without compression."""
    def attribute(name, kind, value):
        return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value

    channels = b"".join(name + b"\0" + struct.pack("<iiii", 2, 0, 1, 1) for name in (b"A", b"B", b"G", b"R", b"Z"))
    window = struct.pack("<4i", 0, 0, WIDTH - 1, HEIGHT - 1)
    header = struct.pack("<II", 20000630, 2) + attribute("channels", "chlist", channels + b"\0")
    if primaries:
        header += attribute("chromaticities", "chromaticities", struct.pack("<8f", *primaries))
    header += attribute("compression", "compression", b"\0") + attribute("dataWindow", "box2i", window)
    header += attribute("displayWindow", "box2i", window) + attribute("lineOrder", "lineOrder", b"\0")
    header += attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    header += attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
    header += attribute("screenWindowWidth", "float", struct.pack("<f", 1)) + b"\0"
    row = 8 + 4 * 5 * WIDTH
    start = len(header) + 8 * HEIGHT
    data = header + b"".join(struct.pack("<Q", start + y * row) for y in range(HEIGHT))
    for y in range(HEIGHT):
        planes = [pixels[y, :, 3], pixels[y, :, 2], pixels[y, :, 1], pixels[y, :, 0], numpy.ones(WIDTH)]
        data += struct.pack("<ii", y, row - 8) + b"".join(p.astype("<f4").tobytes() for p in planes)
    path.write_bytes(data)


def read_exr(path, folder):
    """RGB of any flat EXR, through oiiotool as an uncompressed TIFF of floats."""
    tiff = folder / "read.tif"
    subprocess.run(["oiiotool", path, "--ch", "R,G,B", "-d", "float", "--compression", "none", "-o", tiff], check=True)
    return read_tiff(tiff, "<f4")


def read_tiff(path, kind="<u2"):
    data = path.read_bytes()
    at = struct.unpack_from("<I", data, 4)[0]
    tags = {}
    for entry in range(struct.unpack_from("<H", data, at)[0]):
        tag, form, count = struct.unpack_from("<HHI", data, at + 2 + 12 * entry)
        size = {3: "H", 4: "I"}.get(form)
        if not size:
            continue
        place = at + 10 + 12 * entry
        if count * struct.calcsize(size) > 4:
            place = struct.unpack_from("<I", data, place)[0]
        tags[tag] = struct.unpack_from(f"<{count}{size}", data, place)
    bytes_ = b"".join(data[start:start + length] for start, length in zip(tags[273], tags[279]))
    values = numpy.frombuffer(bytes_, kind).reshape(HEIGHT, WIDTH, tags[277][0])[..., :3].astype(float)
    return values / 65535 if kind == "<u2" else values


def read_dpx(path, folder):
    words = numpy.frombuffer(path.read_bytes()[2048:], ">u4").reshape(HEIGHT, WIDTH)
    return numpy.stack([words >> shift & 1023 for shift in (22, 12, 2)], axis=2) / 1023


def read_png(path, folder):
    tiff = folder / "read.tif"
    subprocess.run(["oiiotool", path, "--ch", "R,G,B", "-d", "uint16", "--compression", "none", "-o", tiff], check=True)
    return read_tiff(tiff)


READERS = {"png": (read_png, 0.51 / 255), "tif": (lambda path, _: read_tiff(path), 1.01 / 65535),
           "dpx": (read_dpx, 0.51 / 1023), "exr": (read_exr, 2e-6)}
FLAGS = {
    "default": ([], "sRGB"),
    "view sRGB": (["--display", "Monitor", "--view", "sRGB"], "sRGB"),
    "view Wide": (["--view", "Wide"], "ACEScg"),
    "space ACEScg": (["--colorspace", "ACEScg"], "ACEScg"),
    "space sRGB": (["--colorspace", "sRGB"], "sRGB"),
}


def main():
    fathom = os.path.abspath(sys.argv[1])
    ways = {"flatten": [fathom, "deep", "flatten"],
            "dof": [fathom, "dof", "render", "--f-number", "64", "--focal-length", "1"]}
    made = config()
    random = numpy.random.default_rng(5)
    colors = numpy.ones((HEIGHT, WIDTH, 4), numpy.float32)
    colors[..., :3] = random.uniform(0.02, 0.6, (HEIGHT, WIDTH, 3))
    worst, checked, turn = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "config.ocio").write_text(made.serialize())
        os.environ["OCIO"] = str(folder / "config.ocio")
        for chart, primaries in {"AP1": AP1, "Rec. 709": REC709, "linear": None}.items():
            source = folder / "chart.exr"
            write_exr(source, colors, primaries)
            own = "ACEScg" if chart == "AP1" else "lin_rec709"
            for flags, (words, space) in FLAGS.items():
                # All pairs of chart, flags, way and ending, not all combinations: a run takes half a second.
                turn += 1
                for way, command in ways.items():
                    endings = [list(READERS)[(turn + (way == "dof")) % 4]] + ["exr"] * (way == "flatten")
                    for ending in sorted(set(endings)):
                        reader, bound = READERS[ending]
                        target = own if flags == "default" and ending == "exr" else space
                        out = folder / f"out.{ending}"
                        floats = ["--float"] if ending == "exr" else []
                        subprocess.run([*command, source, "-o", out, *words, *floats], check=True,
                                       stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                        found = reader(out, folder)
                        exact = colors[..., :3].copy()
                        made.getProcessor(own, target).getDefaultCPUProcessor().applyRGB(exact)
                        error = float(numpy.abs(found - (numpy.clip(exact, 0, 1) if ending != "exr" else exact)).max())
                        checked += 1
                        worst = max(worst, error / bound)
                        if error > bound:
                            raise SystemExit(f"{chart}, {flags}, {way}, .{ending}: off by {error:.3g}, at most {bound:.3g}")
    print(f"{checked} exports, the worst at {worst:.2f} of its bound")


if __name__ == "__main__":
    main()
