#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the same commands by two programs, such as those of two commits, and compares what they answer and write.

usage: two_programs.py OLD NEW    a program each, or the zip of the Windows program, which Wine runs

Compared are exit codes, standard output and error, the reports of --json and every written file, byte for byte.
Where a file differs, both go on with that of OLD, so that a difference is told once. Needs a display.
Ends with 1 when anything differs.
"""
import concurrent.futures
import difflib
import itertools
import json
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
INPUTS = ["assets/flame/*.flame", "assets/flame/*.json", "assets/smoe/*.smoe", "assets/lenses/*.json", "tests/baselines/dof-circles.png",
          "tests/fuzz/corpus/deep_exr/*.*", "tests/fuzz/corpus/palettes/*.*", "tests/fuzz/corpus/pull/both"]
OBJECT = "v 0 0 0\nv 2 0 0\nv 2 2 1\nv 0 2 0\nf 1 2 3\nf 1 3 4\n"

# What is run, in this order; later commands read what earlier ones have made. {a,b}: a command for each. "~" before
# a command: what it says and draws are times, so that only exit codes, keys and names of files are compared.
COMMANDS = r"""
--version
--help
--completion {bash,zsh,fish}
--man
{deep,smoe,dof,active-pixel,flame} --help
{view,info,compare,bench,report,tune} --help
deep {capture,merge,flatten,heatmap,inspect,check,resize,transform,crop,recolor,grade,expression,run,cryptomatte,points,pack,unpack,composite} --help
{smoe,dof,active-pixel,flame} render --help-all
smoe {fit,convert,capture} --help
dof variants --help
active-pixel {encode,decode,composite} --help
flame {animate,sequence,freeze,info,palette,shader,random} --help
bench --list

info
info station object.obj
info {volumes,parts,extra,zips-tiled}.exr corona.flame profile.preview.json light-field.smoe dof-circles.png
deep capture planes:count=6,spheres=4#planes --size 96x54 -o near.exr
deep capture planes:count=6,spheres=4#spheres --size 96x54 --with-ids -o far.exr
deep capture station --size 160x90 --tiled --compression rle -o station.exr
deep capture hairball:strands=200 --size 64x36 --capture-format rgba8 -o hair.exr
deep capture object.obj --size 64x36 --eye 3,2,6 --target 1,1,0 --fov 40 -o object.exr
deep merge near.exr far.exr -o merged.exr
deep merge near.exr far.exr --layout {ll,la,ia,bia,ria,abia} -o layout.exr
deep merge near.exr far.exr hair.exr --strategy {pairwise,kway} --method {stepwise,rbm} -o three.exr
deep merge near.exr far.exr --stream=off --compression {none,rle,zips} -o packing.exr
deep merge near.exr far.exr --roles add,{hold-out,hold-in} -o held.exr
deep merge near.exr far.exr --z-offsets ,2.5 --z-scales 1,0.5 --z-ranges 1:20, --order 2,1 -o moved.exr
deep merge volumes.exr volumes.exr --z-offsets ,0.3 --tidy {on,off} -o tidy.exr
deep merge near.exr hair.exr --drop-hidden 0.9 --thin {2,4} -o thin.exr
deep merge near.exr hair.exr --thin-error 1/64 --thin-depth 1/512 -o error.exr
deep merge parts.exr zips-tiled.exr --tiled -o parts-merged.exr
deep merge near.exr extra.exr -o united.exr
deep merge far.exr --ids '1|2' -o ids.exr
deep flatten merged.exr -o flat.{exr,png,tif}
deep flatten merged.exr hair.exr --float --depth front,back,mean -o flat-depth.exr
deep flatten volumes.exr volumes.exr --z-offsets ,0.3 --float -o flat-volumes.exr
deep flatten near.exr far.exr --roles add,hold-out --hold-rule {exact,fragments} --alpha -o flat-held.png
deep flatten merged.exr --peel 5:20 --early-out display -o peeled.exr
deep flatten planes:count=40,spheres=2 --size 20x12 --layout ll --links push --save-merged=on -o scene.exr
deep heatmap hair.exr -o heat.png
deep inspect merged.exr --pixel 48,27
deep inspect near.exr far.exr --pixel 200,27
deep check merged.exr hair.exr volumes.exr parts.exr uint-alpha.exr
deep crop merged.exr --window 10,5,60,30 -o cropped.exr
deep crop merged.exr --window 10,5,60,30 --reformat -o reformatted.exr
deep resize merged.exr --scale 0.5 --filter {box,tent,gaussian,mitchell} -o half.exr
deep resize merged.exr --size 120x70 --keep-all -o large.exr
deep transform merged.exr --rotate 5 --translate 3,-2 -o turned.exr
deep transform merged.exr --translate 12,7 -o shifted.exr
deep recolor merged.exr flat.exr -o recolored.exr
deep grade merged.exr --gain 1.5,1,0.5 --gamma 1.1 -o graded.exr
deep grade merged.exr --offset 0.05 -o offset.exr
deep expression merged.exr --expression 'R = R * A; Z = Z + x / 100' -o expression.exr
deep run --do 'grade gain=1.2; crop 10,5,60,30; thin 1/512' merged.exr -o chain.exr
deep cryptomatte far.exr -o mattes.exr
deep points merged.exr -o points.{ply,csv}
deep pack merged.exr -o merged.fdp
deep unpack merged.fdp -o unpacked.exr
deep composite planes:count=6,spheres=4 --size 48x27 --deep -o composite.exr
deep flatten near.exr -o shot.%02d.exr --frames 1-3
deep merge near.exr -o deep.{1,2,3}.exr
deep merge deep.%d.exr far.exr -o sequence.%d.exr --frames 1-3x2
deep flatten 'deep.#.exr' -o 'sequence.#.png' --frames 2-4 --missing {error,skip,hold}

dof render planes:count=6,spheres=4 --size 64x36 --operator {over,coverage,slabs,gather,lens-cells} -o focus.exr
dof render planes:count=6,spheres=4 --size 32x18 --operator lens --lens-points 64 -o lens.exr
dof render merged.exr --focus-distance 6 --f-number 1.4 -o deep-focus.exr
dof render flat-depth.exr --focus-distance 6 -o flat-focus.png
dof render station --size 64x36 --lens {anamorphic-2x,petzval,six-blades,soft-focus}.json --focus-distance 20 -o faults.exr
dof render station --size 64x36 --variant warp.peel.a.copy.each.l1.load.ftb.int --show {picture,circles} -o variant.png
dof render station --size 64x36 --sort {bitonic,radix} --layers first -o sorted.exr
dof render station --size 32x18 --focus 10:30@1-3 -o pull.%d.png
dof render merged.exr --focus-id 1 -o id.png
dof variants
dof variants --source warp.peel.a.copy.each.l1.load.ftb.int
~ tune --show

smoe capture planes:count=3,spheres=2 --grid 2x2 --size 32x32 -o views
smoe fit dof-circles.png -k 32 --steps 10 -o fitted.smoe
smoe fit views -k 16 --steps 5 --encoding {f32,archive,compact,packed} -o field.smoe
smoe fit fitted.smoe --continue fitted.smoe --add 4 --steps 3 -o more.smoe
smoe render atrium.smoe --size 96x54 --mode {record,paper-fast,paper-slow} -o decoded.png
smoe render atrium.smoe --size 96x54 --relevance {bounded,budget,window} --tile {8,32} -o relevance.exr
smoe render atrium.smoe --show {lists,winner,certificate} --size 96x54 -o shown.png
smoe render light-field.smoe --view 1,-1 --size 96x54 -o view.exr
smoe convert atrium.smoe --encoding {compact,packed} -o converted.smoe

active-pixel encode flat-depth.exr --mode {generic,roi,gpu} -o encoded.icet
active-pixel encode flat.png --compositing blend --color rgba32f -o blend.icet
active-pixel decode encoded.icet -o icet.exr
active-pixel composite station --size 96x54 --parts 4 --mode {generic,roi,gpu} -o parts.png
active-pixel composite points:count=2000 --size 96x54 --compositing blend --split triangles -o blend.exr
active-pixel composite station --size 96x54 --show {parts,active,runs,regions} -o shown-parts.png

flame render {corona,fern,rosette,seahorse,snowflake,three-suns,whirlpool}.flame --size 96x54 --quality 5 -o flame.png
flame render corona.flame --size 64x36 --quality 5 --accumulate {atomic,deferred} --estimator {fast,exact,off} -o flame.exr
flame render corona.json --size 64x36 --quality 5 --antialias jitter --edge-clamp --bits 16 -o cuburn.png
flame render corona.flame --size 64x36 --quality 5 --transparent --palette colors.gpl -o flame.ppm
flame animate 'edge.corona=seahorse.json' --begin 1 --end 2 --size 64x36 --quality 3 --film profile.preview.json -o film.%03d.png
flame random --seed 7 --count 3 -o random.flame
flame random corona.flame --seed 3 --strength 0.7 -o mutant.flame
flame sequence random.flame --frames 4 --loops 1 --stagger 0.5 -o loop.flame
flame freeze loop.flame --at 2.5 -o moment.flame
flame animate loop.flame --begin 0 --end 1 --size 32x18 --quality 2 -o loop.%d.png
flame info {corona,whirlpool,random,loop}.flame
flame info corona.json
flame palette {colors.gpl,gradient.ggr,two.ugr,corona.flame} -o palette.map
flame shader rosette.flame
flame shader corona.flame --selection own

compare merged.exr near.exr
compare flat.png peeled.exr
compare flat.png focus.exr
compare flat.png flat.exr --fail-psnr-below 90 -o difference.png
compare merged.exr layout.exr --fail-max-above 0
~ bench gpu.copy deep.memory --quick --trials 1 --json bench.json
~ bench gpu.scan --quick --check --json checked.json
~ report bench.json -o page.html
~ report --against bench.json bench.json
view merged.exr --frames 2 --hidden --size 1280x720 --screenshot window.png
view station --technique active-pixel --frames 2 --hidden --size 640x480 --open-panel settings --screenshot parts-window.png

frobnicate
deep frobnicate
deep merge near.exr far.exr
deep merge missing.exr near.exr -o never.exr
deep merge text.exr near.exr -o never.exr
deep merge cut.exr near.exr -o never.exr
deep merge near.exr far.exr --layuot ll -o never.exr
deep merge near.exr far.exr --layout best -o never.exr
deep merge near.exr far.exr --thin 5000 -o never.exr
deep merge near.exr --thin-error 3 -o never.exr
deep merge near.exr far.exr -o no-folder/never.exr
deep flatten near.exr -o never.xyz
deep flatten flat.exr -o never.png
deep crop merged.exr --window 10,5 -o never.exr
deep crop merged.exr --window 5000,5000,10,10 -o never.exr
deep inspect merged.exr
deep resize merged.exr -o never.exr
deep expression merged.exr --expression 'Q = 1' -o never.exr
deep expression merged.exr --expression 'R = (1' -o never.exr
deep capture statoin --size 64x36 -o never.exr
deep capture station --size 64 -o never.exr
dof render station --size 64x36 --f-number 0 -o never.png
dof render flat.png -o never.png
dof render station --variant warp -o never.png
smoe render cut.smoe -o never.png
smoe render corona.flame -o never.png
smoe fit missing.png -o never.smoe
flame render cut.flame -o never.png
flame render missing.flame -o never.png
flame render corona.flame --quality -1 -o never.png
flame info text.exr
active-pixel decode cut.icet -o never.exr
compare flat.png missing.png
compare flat.png icet.exr extra
compare flat.png decoded.png
report text.exr -o never.html
bench deep.nothing
view missing.exr --hidden --frames 1
info --bakend egl
"""

# The only differences that are no difference: times and rates, this folder, versions and devices, in texts and, as the
# values of keys, in JSON.
NOISE = [(r"\b\d[\d.,]*(e-?\d+)? ?(ns|µs|us|ms|s|min|h|[kMG]?/s|[kMG]?B/s|[KMG]iB/s)\b", "TIME"), (r"\b0\.1\.0(-?[0-9a-f+]+)?", "VERSION"),
         (r"(?m)^.*(llvmpipe|Mesa|OpenGL|GLSL).*$", "DEVICE"), (r"\S*two-programs-\w+/(old|new)", "HERE")]
NOISY_KEYS = re.compile(r"(_ms|_s|seconds|per_second|_mib|^curve|^memory\w*|^device|^fathom|^commit|^date|^cpu|^os|^machine)(/|$)|_frame_part$")


def expanded(line):
    """A line for each way through its braces."""
    pieces = re.split(r"\{([^{}]*)\}", line)
    return ["".join(way) for way in itertools.product(*(p.split(",") if i % 2 else [p] for i, p in enumerate(pieces)))]


def quieted(text):
    text = text.decode("utf-8", "replace")
    for pattern, word in NOISE:
        text = re.sub(pattern, word, text)
    return text.splitlines()


def values(tree, path=""):
    """The leaves of JSON by their path, without noise."""
    if isinstance(tree, (dict, list)):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            if not NOISY_KEYS.search(str(key)):
                yield from values(value, f"{path}/{key}")
    else:
        yield path, tree


def header(data):
    """The attributes of all parts of an EXR."""
    at, part, found = 8, 0, {}
    while at < len(data):
        name, at = data[at : data.index(0, at)].decode(), data.index(0, at) + 1
        if not name:
            if not data[5] & 16 or not data[at]:
                break
            part += 1
            continue
        kind = data.index(0, at) + 1
        size = struct.unpack_from("<i", data, kind)[0]
        found[f"{part}:{name}"], at = data[at : kind + 4 + size], kind + 4 + size
    return found


def changes(before, after):
    return [line for line in list(difflib.unified_diff(before, after, n=0, lineterm=""))[2:] if not line.startswith("@@")]


def changed_values(before, after, keys_only):
    before, after = ({path: "" if keys_only else value for path, value in values(json.loads(text))} for text in (before, after))
    return changes(*([f"{path} {value}" for path, value in sorted(tree.items())] for tree in (before, after)))


class Program:
    def __init__(self, name, folder):
        self.folder = folder
        self.wine = name.endswith(".zip")
        self.command = [str(pathlib.Path(name).resolve())]
        folder.mkdir()
        if self.wine:
            with zipfile.ZipFile(name) as packed:
                packed.extractall(folder.parent / "Fathom für später")
            self.command = ["wine", str(next(folder.parent.glob("Fathom*/fathom-*/bin/fathom.exe")))]
        for file in itertools.chain(*(SOURCE.glob(pattern) for pattern in INPUTS)):
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / "object.obj").write_text(OBJECT)
        (folder / "text.exr").write_text("no image\n")
        for whole, cut in ("atrium.smoe", "cut.smoe"), ("corona.flame", "cut.flame"), ("zips.exr", "cut.exr"):
            (folder / cut).write_bytes((folder / whole).read_bytes()[:700])
        (folder / "cut.icet").write_bytes(b"\x01\x00\x00\x00")

    def files(self):
        return {file: (file.stat().st_mtime_ns, file.stat().st_size) for file in self.folder.rglob("*") if file.is_file()}

    def run(self, line):
        """The exit code, both texts, the report, and the names of files that were written."""
        arguments, before = shlex.split(line), self.files()
        report = self.folder.parent / f"{self.folder.name}.json"
        report.unlink(missing_ok=True)
        if not re.search(r"--(help|version|completion|man|list|json)", line):
            arguments += ["--json", f"../{report.name}"]
        environment = dict(os.environ, WINEDEBUG="-all", WINEDLLOVERRIDES="winedbg.exe=d", LIBGL_ALWAYS_SOFTWARE="1", HWLOC_COMPONENTS="-gl",
                           XDG_CONFIG_HOME=str(self.folder.parent / f"settings-{self.folder.name}"))
        done = subprocess.run(self.command + arguments, cwd=self.folder, capture_output=True, env=environment, timeout=900)
        written = {str(file.relative_to(self.folder)) for file, stamp in self.files().items() if before.get(file) != stamp}
        errors = [text for text in quieted(done.stderr) if not (self.wine and "wine" in text.lower())]
        return done.returncode, quieted(done.stdout), errors, report.read_bytes() if report.exists() else b"{}", written


def compared_files(old, new, name, judge, keys_only):
    """What differs between a file of both, in lines; OLD's takes the place of NEW's."""
    first, second = (program.folder / name for program in (old, new))
    if not (first.exists() and second.exists()):
        missing = second if first.exists() else first
        missing.parent.mkdir(exist_ok=True)
        missing.write_bytes((first if first.exists() else second).read_bytes())
        return ["only of " + ("OLD" if missing == second else "NEW")]
    a, b = first.read_bytes(), second.read_bytes()
    if a == b or keys_only and not name.endswith(".json"):
        return []
    if name.endswith(".json"):
        return changed_values(a, b, keys_only)
    found = []
    if name.endswith(".exr") and a[:4] == b[:4]:
        before, after = header(a), header(b)
        found = [f"header: {key}" for key in sorted(before | after) if before.get(key) != after.get(key)]
    elif not name.endswith((".png", ".tif", ".smoe", ".icet", ".fdp", ".ply")):
        found = changes(quieted(a), quieted(b))
    if name.endswith((".exr", ".png")):
        said = subprocess.run([*judge.command, "compare", str(first), str(second)], capture_output=True, text=True)
        found.append(", ".join((said.stdout + said.stderr).split("\n")[:6]))
    else:
        found.append(f"{sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))} of {len(a)} bytes")
    second.write_bytes(a)
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    place = pathlib.Path(tempfile.mkdtemp(prefix="two-programs-"))
    old, new = (Program(name, place / word) for name, word in zip(sys.argv[1:], ("old", "new")))
    judge = old if new.wine else new
    lines = [line for row in COMMANDS.strip().splitlines() if row for line in expanded(row)]
    differing = 0
    for line in lines:
        keys_only, command = line.startswith("~ "), line.removeprefix("~ ")
        with concurrent.futures.ThreadPoolExecutor(2) as both:
            runs = list(both.map(lambda program: program.run(command), (old, new)))
        (code, out, errors, report, files), (code2, out2, errors2, report2, files2) = runs
        found = [("exit code", [f"{code} -> {code2}"] if code != code2 else [])]
        if not keys_only:
            found += [("output", changes(out, out2)), ("error", changes(errors, errors2))]
        found.append(("json", changed_values(report, report2, keys_only)))
        found += [(name, compared_files(old, new, name, judge, keys_only)) for name in sorted(files | files2)]
        found = [(what, told) for what, told in found if told]
        differing += bool(found)
        print("differs" if found else "equal  ", command, flush=True)
        for what, told in found:
            print(*(f"    {what}: {text}" for text in told[:8]), *([f"    {what}: and {len(told) - 8} lines"] if told[8:] else []), sep="\n")
    print(f"{len(lines)} commands, {differing} differ; the files lie in {place}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
