#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands of the Windows program under Wine and of the Linux program, and compares what they make.

usage: beside_linux.py build/fathom build-windows/fathom-0.1.0-windows-x64.zip

Both draw with the same driver here: every byte is expected to be equal but where the two C libraries round
sines and logarithms differently, in some fragments of captured scenes and in fits. The archive is unpacked
into a folder whose name has spaces and umlauts; inputs and outputs lie there too. Needs a display.
Ends with 1 when a command fails or a file differs.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ASSETS = pathlib.Path(__file__).resolve().parent.parent.parent / "assets"

# What is run, in this order; later commands read what earlier ones have made. "?" before a command: its
# text holds times and names of devices, and is not compared.
COMMANDS = """
--version
--help
? info
deep capture atrium --size 320x180 -o near.exr
deep capture station --size 320x180 -o far.exr
info near.exr
deep merge near.exr far.exr -o merged.exr
deep flatten merged.exr -o flat.exr
deep flatten merged.exr -o flat.png
deep inspect merged.exr --pixel 160,90
deep check merged.exr
deep crop merged.exr --window 64,32,191,95 -o cropped.exr
deep resize merged.exr --scale 0.5 -o half.exr
deep grade merged.exr --gain 1.5 -o graded.exr
deep expression merged.exr --expression R=R*0.5 -o dimmed.exr
? deep pack merged.exr -o merged.fdp
? deep unpack merged.fdp -o unpacked.exr
compare merged.exr unpacked.exr
deep heatmap merged.exr -o heat.png
deep points merged.exr -o points.ply
dof render atrium --size 320x180 -o focus.png
dof render merged.exr --focus-distance 6 --f-number 1.4 -o deep-focus.exr
smoe render atrium.smoe -o decoded.png
smoe fit decoded.png -k 64 --steps 40 -o fitted.smoe
smoe render fitted.smoe -o fitted.png
flame render corona.flame --quality 20 -o corona.png
flame info corona.flame
flame animate edge.corona=seahorse.json --begin 1 --end 2 --size 160x120 --quality 5 -o film.%03d.png
flame random --seed 7 -o random.flame
flame shader corona.flame
compare flat.png focus.png
? bench gpu.copy --quick --json now.json
? report now.json -o now.html
? view merged.exr --frames 3 --hidden --size 1280x720 --screenshot window.png
"""


def run(program, arguments, folder, environment):
    done = subprocess.run(program + arguments, cwd=folder, capture_output=True, env=environment, timeout=300)
    # Wine's own complaints are not the program's.
    complaints = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if "wine" not in line.lower()]
    return done.returncode, done.stdout, complaints


def main():
    linux, archive = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    place = pathlib.Path(tempfile.mkdtemp(prefix="fathom-windows-")) / "größere Bilder für später"
    place.mkdir()
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(place)
    windows = next(place.glob("fathom-*/bin/fathom.exe"))
    folders = {"linux": place / "von Linux", "windows": place / "von Windows"}
    environment = dict(os.environ, WINEDEBUG="-all", FATHOM_GL_DEBUG="1", LIBGL_ALWAYS_SOFTWARE="1")
    programs = {"linux": [str(linux)], "windows": ["wine", str(windows)]}
    for folder in folders.values():
        folder.mkdir()
        for asset in [*(ASSETS / "flame").glob("*.flame"), *(ASSETS / "flame").glob("*.json"), *(ASSETS / "smoe").glob("atrium.smoe")]:
            (folder / asset.name).write_bytes(asset.read_bytes())
    wrong = 0
    for line in COMMANDS.strip().splitlines():
        compared = not line.startswith("? ")
        arguments = line.removeprefix("? ").split()
        results = {of: run(programs[of], arguments, folders[of], environment) for of in programs}
        (code, text, complaints), (expected, wanted, _) = results["windows"], results["linux"]
        verdict = "ok"
        if code != expected or code != 0:
            verdict = f"exit status {code}, on Linux {expected}: {' | '.join(complaints[-3:])}"
        elif compared and text != wanted:
            verdict = "other text"
        wrong += verdict != "ok"
        print(f"{verdict:12} {line}", flush=True)
    for file in sorted(folders["linux"].iterdir()):
        other = folders["windows"] / file.name
        if file.name in ("now.json", "now.html"):
            continue
        if not other.exists():
            verdict = "missing"
        else:
            a, b = file.read_bytes(), other.read_bytes()
            differing = sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
            verdict = "equal" if a == b else f"{differing} of {len(a)} bytes differ"
        wrong += verdict != "equal"
        print(f"{verdict:24} {file.name}")
    print(f"{wrong} of both differ; the files lie in {place}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
