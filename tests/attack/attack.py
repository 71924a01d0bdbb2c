#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program on damaged files of every kind that it reads and counts what must not happen.

attack.py PROGRAM [--first M] [--cases N] [--seed S] [--only KIND] [--keep FOLDER]

The files are those of tests/fuzz/corpus, some that the program writes, and the recipes below; each case changes one in
a way that may follow its structure. The exit code is 1 when anything was counted. --keep takes the files that did it.
"""
import argparse
import glob
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
import zlib

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fuzz/corpus")
SANITIZED = "ASAN_OPTIONS" in os.environ  # which takes some times the time, and memory of its own
SECONDS, WALL, MEMORY = 60 if SANITIZED else 10, 120, 1 << 30  # of processor time; of any; bytes resident
FAULTS = ("crash", "hang", "memory", "control", "name", "lines", "code", "output")

# Seeds and variants ---------------------------------------------------------------------------------------------------

NUMBERS = (0, 1, 2, 127, 128, 255, 256, 32767, 65535, 65536, 1 << 20, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1,
           1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
WORDS = ("0", "-1", "1e308", "-1e308", "1e-320", "99999999999", "4294967296", "nan", "inf", "null", "", "[", "{", '"',
         "<", "\n", "\x1b]0;x\x07", "\x9b", "/", "../..", "%s", "a" * 5000, "1 2 3 4 5", "0x7fffffff", "\u202e", "&x;")


def bits(rng, data, seeds):
    """One change that knows nothing of the file."""
    at, length = rng.randrange(len(data)), rng.randint(1, 16)
    kind = rng.randrange(8)
    if kind == 0:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
    if kind == 1:
        return data[:at] or data
    if kind == 2:  # a count
        size, order = rng.choice((1, 2, 4, 8)), rng.choice(("little", "big"))
        number = rng.choice(NUMBERS) % (1 << 8 * size)
        return data[:at] + number.to_bytes(size, order) + data[at + size:]
    if kind == 3:
        return data[:at] + data[at + length:] or data
    if kind == 4:
        return data[:at] + data[at:at + length] * rng.randint(2, 400) + data[at + length:]
    if kind == 5:
        return data[:at] + rng.choice(WORDS).encode() + data[at:]
    if kind == 6:
        other = rng.choice(seeds)[1]
        return data[:at] + other[rng.randrange(len(other)):]
    return data + rng.randbytes(length)


def numbers_of_text(rng, data, _):
    places = list(re.finditer(rb"-?[0-9][0-9.e]*", data))
    if not places:
        return data
    at = rng.choice(places)
    return data[:at.start()] + rng.choice(WORDS).encode() + data[at.end():]


def lines(rng, data, _):
    rows = data.split(b"\n")
    at = rng.randrange(len(rows))
    rows[at:at + 1] = rng.choice(([], [rows[at]] * rng.choice((2, 3000)), [rows[at] * 300], [rng.choice(rows)],
                                  [rows[at][:rng.randint(0, len(rows[at]))]]))
    return b"\n".join(rows)


def json_tree(rng, data, _):
    try:
        root = json.loads(data)
    except ValueError:
        return data
    nodes = [(None, None)]

    def collect(node):
        for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
            nodes.append((node, key))
            collect(node[key])
    collect(root)
    parent, key = rng.choice(nodes[1:] or nodes)
    deep = "[" * rng.choice((50, 600, 200000))
    value = rng.choice((None, True, -1, 0, 1e308, 1 << 31, 1 << 63, 1 << 70, 0.5, "", rng.choice(WORDS), [], {}, [[]],
                        [1] * 20000, [[1, 2, 3]] * 2000, {"a" * 1000: {}}, "DEEP"))
    if parent is None:
        root = value
    elif isinstance(parent, dict) and rng.random() < 0.3:
        parent[rng.choice(WORDS) or "x"] = parent.pop(key)
    else:
        parent[key] = value
    return json.dumps(root).encode().replace(b'"DEEP"', deep.encode() + deep.encode().replace(b"[", b"]"))


def xml(rng, data, _):
    kind = rng.randrange(5)
    values = list(re.finditer(rb'"[^"]*"', data))
    elements = list(re.finditer(rb"<[a-z][^>]*/>", data))
    if kind == 0 and elements:
        one = rng.choice(elements)
        return data[:one.end()] + one.group() * rng.choice((1, 200, 5000)) + data[one.end():]
    if kind == 1:
        depth = rng.choice((100, 20000))
        return b"<flames>" * depth + data + b"</flames>" * depth
    if kind == 2:
        return b'<!DOCTYPE x [<!ENTITY x "' + b"&x;" * 9 + b'">]>' + data.replace(b'name="', b'name="&x;', 1)
    if not values:
        return data
    at = rng.choice(values)
    word = rng.choice(WORDS).replace('"', "").replace("<", "").encode()
    return data[:at.start() + 1] + word + data[at.end() - 1:]


def exr_fields(rng, data, seeds):
    """A number in the value of an attribute of the header, or the size of that."""
    places, at = [], 8
    while data[at:at + 1] not in (b"", b"\0"):
        name = data.find(b"\0", at)
        kind = data.find(b"\0", name + 1)
        if kind < 0 or kind + 5 > len(data):
            break
        size = struct.unpack_from("<I", data, kind + 1)[0]
        places.append((kind + 1, 4))
        places += [(kind + 5 + i, min(4, size - i)) for i in range(0, min(size, 40), 4)]
        at = kind + 5 + size
    if not places:
        return bits(rng, data, seeds)
    at, size = rng.choice(places)
    return data[:at] + (rng.choice(NUMBERS) % (1 << 8 * size)).to_bytes(size, "little") + data[at + size:]


def png_chunks(rng, data, seeds):
    """Changes inside of chunks, whose checksums are right again; IDAT is packed again."""
    chunks, at = [], 8
    while at + 12 <= len(data):
        size = struct.unpack_from(">I", data, at)[0]
        chunks.append([data[at + 4:at + 8], data[at + 8:at + 8 + size]])
        at += 12 + size
    one = rng.choice(chunks or [[b"IHDR", b"\0" * 13]])
    if one[0] == b"IDAT" and rng.random() < 0.5:
        one[1] = zlib.compress(bits(rng, zlib.decompress(one[1]), seeds))
    elif one[1]:
        one[1] = bits(rng, one[1], seeds)
    return data[:8] + b"".join(struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
                               for name, body in chunks)


def smoe_sealed(rng, data, seeds):
    """A change whose checksum is right again."""
    if data.startswith(b"SMOEPAC1"):
        body = bits(rng, data[12:], seeds)
        return data[:8] + struct.pack("<I", zlib.crc32(body)) + body
    size = struct.unpack_from("<I", data, 8)[0]
    start = (12 + size + 15) // 16 * 16
    if len(data) <= start:
        return data
    header, body = data[12:12 + size], bits(rng, data[start:], seeds)
    if rng.random() < 0.5:
        header, body = json_tree(rng, header, seeds), data[start:]
    header = re.sub(rb'"crc32": "[0-9a-f]*"', b'"crc32": "%08x"' % zlib.crc32(body), header)
    data = data[:8] + struct.pack("<I", len(header)) + header
    return data + b"\0" * (-len(data) % 16) + body


def glb_json(rng, data, seeds):
    """A change of the tree in the first chunk of a GLB, whose length is right again."""
    size = struct.unpack_from("<I", data, 12)[0]
    text = gltf_tree(rng, data[20:20 + size], seeds)
    text += b" " * (-len(text) % 4)
    return data[:12] + struct.pack("<I", len(text)) + data[16:20] + text + data[20 + size:]


def gltf_tree(rng, data, seeds):
    """A change of the tree, or what a host of readers does not expect of one."""
    if rng.random() < 0.6:
        return json_tree(rng, data, seeds)
    root = json.loads(data)
    node = rng.choice(root["nodes"])
    kind = rng.randrange(6)
    if kind == 0:
        root["skins"], node["skin"] = [{"joints": [0, 1, 9], "inverseBindMatrices": rng.randrange(9)}], rng.randrange(2)
    elif kind == 1:
        root["animations"] = [{"channels": [{"sampler": 0, "target": {"node": 1, "path": "scale"}}],
                               "samplers": [{"input": rng.randrange(9), "output": 0}]}]
    elif kind == 2:
        rng.choice(root["buffers"] + root["images"])["uri"] = rng.choice(
            ("../kept/pipe", "/dev/zero", ".", "in.gltf", "data:,", "data:;base64,!", "%2e%2e/%", "http://127.0.0.1:9/x"))
    elif kind == 3:
        root["nodes"] = [dict(node, children=[]) for _ in range(5000)]
        root["scenes"] = [{"nodes": list(range(5000))}]
        root["meshes"][0]["primitives"] *= 500
    elif kind == 4:
        one = rng.choice(root["accessors"])
        one.pop("bufferView", None)
        one["count"] = rng.choice((1 << 20, 1 << 28, (1 << 32) - 1))
        one["sparse"] = {"count": rng.choice((0, 1, 9, 1 << 28)), "indices": {"bufferView": 4, "componentType": 5123},
                         "values": {"bufferView": rng.randrange(6)}}
    else:
        root["meshes"][0]["primitives"][0].update(mode=rng.randrange(9), indices=rng.randrange(6))
    return json.dumps(root).encode()


# What reads which files -----------------------------------------------------------------------------------------------

# Words in capitals: IN the changed file, OUT what is written (with an ending), FOLDER where whole files lie.
SMALL = ["--size", "24x16"]
SCENE = [["info", "IN"], ["deep", "merge", "IN", *SMALL, "-o", "OUT.exr"],
         ["dof", "render", "IN", *SMALL, "-o", "OUT.png"]]
KINDS = {
    "deep EXR": (["deep_exr/*.exr", "made/*.exr"], ".exr", [exr_fields], [
        ["info", "IN"], ["deep", "flatten", "IN", "-o", "OUT.png"], ["deep", "merge", "IN", "FOLDER/deep.exr", "-o", "OUT.exr"],
        ["deep", "check", "IN"], ["deep", "inspect", "IN", "--pixel", "1,1"], ["deep", "heatmap", "IN", "-o", "OUT.png"],
        ["deep", "points", "IN", "-o", "OUT.csv"], ["deep", "pack", "IN", "-o", "OUT.fdp"],
        ["deep", "cryptomatte", "IN", "-o", "OUT.exr"], ["compare", "IN", "FOLDER/deep.exr"],
        ["dof", "render", "IN", "-o", "OUT.exr"], ["deep", "resize", "IN", "--size", "8x8", "-o", "OUT.exr"]]),
    "packed deep (.fdp)": (["deep_exr/*.fdp", "made/*.fdp"], ".fdp", [exr_fields], [
        ["info", "IN"], ["deep", "unpack", "IN", "-o", "OUT.exr"], ["deep", "flatten", "IN", "-o", "OUT.png"],
        ["deep", "merge", "IN", "FOLDER/deep.exr", "-o", "OUT.fdp"]]),
    "recipes": (["recipe"], ".recipe", [numbers_of_text, lines], [
        ["deep", "run", "IN", "FOLDER/deep.exr", "-o", "OUT.exr"]]),
    "flat EXR": (["pictures/*.exr"], ".exr", [exr_fields], [
        ["info", "IN"], ["compare", "IN", "IN"], ["dof", "render", "IN", "-o", "OUT.png"],
        ["active-pixel", "encode", "IN", "-o", "OUT.icet"]]),
    **{name: (["pictures/" + pattern], pattern[1:], ways, [
        ["info", "IN"], ["compare", "IN", "IN"], ["deep", "recolor", "FOLDER/deep.exr", "IN", "-o", "OUT.exr"],
        ["--thumbnail-of", "IN"], ["smoe", "fit", "IN", "-k", "4", "--max-time", "1", "-o", "OUT.smoe"]])
       for name, pattern, ways in (("PNG", "*.png", [png_chunks]), ("JPEG", "*.jpg", []), ("HDR", "*.hdr", [numbers_of_text]),
                                   ("PPM, PGM", "*.p[pg]m", [numbers_of_text]), ("WebP", "*.webp", []), ("TIFF", "*.tif", []))},
    "OBJ": (["obj/*"], ".obj", [numbers_of_text, lines], SCENE),
    "PLY": (["ply/*"], ".ply", [numbers_of_text, lines], SCENE),
    "glTF": (["gltf/*"], ".gltf", [gltf_tree, gltf_tree, numbers_of_text], SCENE),
    "GLB": (["glb/*"], ".glb", [glb_json, glb_json], SCENE),
    "STL": (["stl/*"], ".stl", [numbers_of_text, lines], SCENE),
    "MTL": (["material"], ".mtl", [numbers_of_text, lines], [["deep", "flatten", "FOLDER/scene.obj", *SMALL, "-o", "OUT.png"]]),
    "textures": (["pictures/*.png", "pictures/*.jpg"], ".png", [], [
        ["deep", "flatten", "FOLDER/textured.obj", *SMALL, "-o", "OUT.png"]]),
    "flames": (["flame/*", "made/*.flame"], ".flame", [xml, xml, numbers_of_text], [
        ["info", "IN"], ["flame", "info", "IN"], ["flame", "shader", "IN"], ["flame", "random", "IN", "-o", "OUT.flame"],
        ["flame", "palette", "IN", "-o", "OUT.map"], ["flame", "render", "IN", "--size", "16x12", "--quality", "1", "-o", "OUT.png"]]),
    "cuburn": (["cuburn/corona.json"], ".json", [json_tree, numbers_of_text], [
        ["info", "IN"], ["flame", "info", "IN"], ["flame", "render", "IN", "--size", "16x12", "--quality", "1", "-o", "OUT.png"]]),
    "cuburn profiles": (["cuburn/profile*"], ".json", [json_tree], [
        ["flame", "info", "FOLDER/corona.json", "--film", "IN"]]),
    "palettes": (["palettes/*"], None, [numbers_of_text, lines], [["info", "IN"], ["flame", "palette", "IN", "-o", "OUT.map"]]),
    "SMoE models": (["smoe/*"], ".smoe", [smoe_sealed, smoe_sealed], [
        ["info", "IN"], ["smoe", "render", "IN", *SMALL, "-o", "OUT.png"],
        ["smoe", "convert", "IN", "--encoding", "f32", "-o", "OUT.smoe"],
        ["smoe", "convert", "IN", "--encoding", "packed", "-o", "OUT.smoe"]]),
    "active pixels": (["active_pixel/*"], ".icet", [], [["info", "IN"], ["active-pixel", "decode", "IN", "-o", "OUT.exr"]]),
    "lenses": (["lens/*"], ".json", [json_tree], [["dof", "render", "planes:count=1", *SMALL, "--lens", "IN", "-o", "OUT.png"]]),
    "focus pulls": (["pull/*"], ".json", [json_tree, numbers_of_text], [
        ["dof", "render", "planes:count=1", "--size", "2x2", "--focus", "IN", "--frames", "1-3", "-o", "OUT.%02d.png"]]),
    "bench files": (["bench/*"], ".json", [json_tree], [
        ["info", "IN"], ["report", "IN", "-o", "OUT.html"], ["report", "--against", "IN", "FOLDER/bench.json"]]),
    "profiles": (["profiles/*"], ".json", [json_tree], [
        ["dof", "render", "planes:count=1", *SMALL, "--profile", "IN", "-o", "OUT.png"]]),
    "sessions": (["session"], ".json", [json_tree, numbers_of_text], [
        ["view", "--session", "IN", "--frames", "1", "--hidden", "--size", "720x480"]]),
}
INLINE = {
    "recipe": b"""# of a shot
move-z 1 offset=0.5
grade gain=1.2,1,0.9 gamma=1.1; crop 2,2,12,9 reformat
resize 10x8
expression "R = R * A; G = Z > 3 ? 0 : G"
thin 1/512
""",
    "material": b"newmtl red\nKd 0.8 0.1 0.1\nd 0.5\nmap_Kd -s 1 1 1 texture.png\nmap_d -o 0 0 texture.png\n",
    "session": b"""{"fathom": "0.1.0", "display": {"exposure": 1.5}, "deep": {"layout": "ia"}, "unknown": [[1, 2], null],
"view": {"technique": "deep", "inputs": ["planes:count=1"], "zoom": 2}, "recent": {"files": ["a.exr", "b.exr"]}}"""}
SQUARE = "mtllib %s\nusemtl red\nv 0 0 0\nv 1 0 0\nv 1 1 .5\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/2\n"


class Place:
    """Whole files beside those that are changed, and what the program writes."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.kept, self.tried = os.path.join(folder, "kept"), os.path.join(folder, "tried")
        for path in (self.kept, self.tried, os.path.join(folder, "made")):
            os.mkdir(path)
        self.environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=os.path.join(folder, "config"), TMPDIR=folder)
        for scene, material in (("scene.obj", "../tried/in.mtl"), ("textured.obj", "textured.mtl")):
            self.put(os.path.join("kept", scene), (SQUARE % material).encode())
        self.put("kept/textured.mtl", INLINE["material"].replace(b"texture.png", b"../tried/in.png"))
        self.put("kept/texture.png", self.corpus("pictures/rgb.png"))
        os.mkfifo(os.path.join(folder, "kept/pipe"))
        self.put("kept/corona.json", self.corpus("cuburn/corona.json"))
        self.put("kept/bench.json", self.corpus("bench/one"))
        self.make("kept/deep.exr", "deep", "merge", "planes:count=3,seed=2", "--size", "20x12")
        self.make("made/ids.exr", "deep", "capture", "station", "--with-ids", "--size", "32x20")
        self.make("made/ids.fdp", "deep", "pack", "made/ids.exr")
        self.make("made/random.flame", "flame", "random", "--seed", "4", "--count", "2")

    def put(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as out:
            out.write(data)

    @staticmethod
    def corpus(name):
        with open(os.path.join(CORPUS, name), "rb") as file:
            return file.read()

    def make(self, name, *arguments):
        subprocess.run([self.program, *arguments, "--quiet", "-o", name], cwd=self.folder, env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def seeds(self, patterns):
        """Pairs of a name and bytes."""
        found = []
        for pattern in patterns:
            if pattern in INLINE:
                found.append((pattern, INLINE[pattern]))
                continue
            root = self.folder if pattern.startswith("made/") else CORPUS
            for path in sorted(glob.glob(os.path.join(root, pattern))):
                with open(path, "rb") as file:
                    found.append((os.path.basename(path), file.read()))
        return found


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(place, command):
    """Exit code (negative: the signal), what it said, seconds, bytes at most."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        child = subprocess.Popen(command, cwd=place.tried, env=place.environment, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=err, preexec_fn=limits)
        timer = threading.Timer(WALL, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return (child.returncode, out.read(1 << 22), err.read(1 << 22), time.monotonic() - begin, usage.ru_maxrss << 10)


def is_plain(text):
    """UTF-8 without control characters (but for ends of lines and tabs) and without what turns the direction of text."""
    try:
        return not any(c not in "\n\t" and (unicodedata.category(c) in ("Cc", "Zl", "Zp") or
                                            unicodedata.bidirectional(c)[:2] in ("LR", "RL", "PD", "FS"))
                       for c in text.decode())
    except UnicodeDecodeError:
        return False


def judge(place, name, command, result, before):
    code, out, err, seconds, memory = result
    said = [line for line in err.decode(errors="replace").splitlines()
            if not line.startswith("fathom: warning: ") and not (SANITIZED and "WARNING: ASan" in line)]
    found = set()
    if code in (-9, -24) or seconds > WALL:
        found.add("hang")
    elif code < 0 or b"internal error" in err:
        found.add("crash")
    elif code not in (0, 1, 2, 3):
        found.add("code")
    if memory > MEMORY and not SANITIZED:
        found.add("memory")
    silent = command[0] == "--thumbnail-of"  # of the window itself, which takes bytes
    if not is_plain(err) or not (silent or is_plain(out)):
        found.add("control")
    if code in (1, 2) and not silent:
        if not any(word in (said or [""])[-1] for word in (name, "planes:")):  # or the scene in a session
            found.add("name")
        if len(said) != 1:
            found.add("lines")
        if not before.items() <= contents(place.tried).items():
            found.add("output")
    elif said:
        found.add("lines")
    if any(".part" in each for each in os.listdir(place.tried)):
        found.add("output")
    return found


def contents(folder):
    found = {}
    for path in sorted(os.listdir(folder)):
        with open(os.path.join(folder, path), "rb") as file:
            found[path] = file.read()
    return found


def case(place, kind, seeds, rng):
    patterns, ending, ways, commands = KINDS[kind]
    seed, data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        way = rng.choice(ways) if ways and rng.random() < 0.6 else bits
        try:
            data = way(rng, data, seeds)
        except (struct.error, zlib.error, ValueError, OverflowError, RecursionError, LookupError, TypeError, AttributeError):
            data = bits(rng, data, seeds)  # an earlier change took the structure
        data = data or b"\0"
    name = "in" + (os.path.splitext(seed)[1] if ending in (None, ".p[pg]m") else ending)
    command = rng.choice(commands)
    shutil.rmtree(place.tried)
    os.mkdir(place.tried)
    place.put(os.path.join("tried", name), data)
    for word in command:
        if word.startswith("OUT") and "%" not in word:
            place.put(os.path.join("tried", word.replace("OUT", "out")), b"as it was")
    words = [word.replace("IN", name).replace("OUT", "out").replace("FOLDER", "../kept") for word in command]
    before = contents(place.tried)
    result = run(place, [place.program, *words])
    return name, words, result, judge(place, name, words, result, before)


def attack(place, kind, seeds, number, options, row):
    name, words, result, found = case(place, kind, seeds, random.Random(f"{options.seed} {number}"))
    row["cases"] += 1
    row["refused"] += result[0] != 0
    row["seconds"], row["bytes"] = max(row["seconds"], result[3]), max(row["bytes"], result[4])
    for fault in found:
        row[fault] += 1
    if not found:
        return
    print(f"case {number} of seed {options.seed}: {', '.join(sorted(found))}: fathom {' '.join(words)}: code {result[0]}, "
          f"{result[3]:.1f} s, {result[4] >> 20} MiB: {result[2][-300:]!r}", flush=True)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        shutil.copy(os.path.join(place.tried, name), os.path.join(options.keep, f"{options.seed}-{number}-{name}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, too
    kinds = [kind for kind in KINDS if options.only in (None, kind) and (kind != "sessions" or os.environ.get("DISPLAY"))]
    table = {kind: dict.fromkeys(("cases", "refused", *FAULTS), 0) | {"seconds": 0.0, "bytes": 0} for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        place = Place(os.path.abspath(options.program), folder)
        seeds = {kind: place.seeds(KINDS[kind][0]) for kind in kinds}
        try:
            for number in range(options.first, options.first + options.cases):
                kind = kinds[number % len(kinds)]
                attack(place, kind, seeds[kind], number, options, table[kind])
        except KeyboardInterrupt:
            pass  # what was done counts
    print("| Files | Cases | Refused | " + " | ".join(FAULTS) + " | Longest | Most memory |\n|" + "---|" * (len(FAULTS) + 5))
    for kind, row in table.items():
        print(f"| {kind} | {row['cases']} | {row['refused']} | " + " | ".join(str(row[fault]) for fault in FAULTS) +
              f" | {row['seconds']:.1f} s | {row['bytes'] >> 20} MiB |")
    for kind, row in table.items():
        if row["cases"] >= 40 and row["refused"] == row["cases"]:
            print(f"{kind}: every case was refused: is anything of theirs read at all?")
            return 1
    total = {key: sum(row[key] for row in table.values()) for key in ("cases", "refused", *FAULTS)}
    print("| **all** | " + " | ".join(str(value) for value in total.values()) + " | | |")
    return any(total[fault] for fault in FAULTS)


if __name__ == "__main__":
    sys.exit(main())
