#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A tutorial followed to the letter: its ```sh blocks run in an empty folder, what they print has the lines of the
```text block behind them (but for digits), and they make the pictures that the page shows.

  tests/docs/tutorials.py PROGRAM PAGE     FATHOM_WRITE_DOCS=1 puts the pictures into docs/pictures
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def without_digits(line):
    return re.sub(r"[-+]?\d+(\.\d+)?", "#", " ".join(line.split()))


def run(program, page, folder):
    tools = pathlib.Path(folder) / "bin"
    work = pathlib.Path(folder) / "work"
    tools.mkdir()
    work.mkdir()
    (tools / "fathom").write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
    (tools / "fathom").chmod(0o755)
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", XDG_CONFIG_HOME=folder,
                       OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    if "pkg-config" in page.read_text():  # of the libraries, installed as the page says
        prefix = pathlib.Path(folder) / "opt"
        subprocess.run(["cmake", "--install", pathlib.Path(program).parent, "--component", "libraries", "--prefix", prefix],
                       check=True, stdout=subprocess.DEVNULL)
        library = next(prefix.rglob("pkgconfig")).parent
        environment.update(PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library))
    faults, printed, ran = [], "", 0
    for language, block in re.findall(r"^```(sh|text)\n(.*?)^```", page.read_text(), re.S | re.M):
        if language == "text":
            lines = {without_digits(line) for line in printed.splitlines()}
            faults += [f"not printed: {line}" for line in block.splitlines() if without_digits(line) not in lines]
            continue
        done = subprocess.run(["bash", "-euc", block], cwd=work, env=environment, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        printed, ran = done.stdout, ran + 1
        if done.returncode:
            faults.append(f"exit code {done.returncode} of\n{block}{printed}")
    for picture in re.findall(rf"\]\(\.\./pictures/(tutorial-{page.stem}-[^)]+)\)", page.read_text()):
        made, shown = work / picture.removeprefix(f"tutorial-{page.stem}-"), ROOT / "docs" / "pictures" / picture
        if os.environ.get("FATHOM_WRITE_DOCS") and made.exists():
            shutil.copy(made, shown)
        same = subprocess.run([program, "compare", made, shown, "--fail-psnr-below", "32"], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if same.returncode:
            faults.append(f"{picture} is not what the commands make; FATHOM_WRITE_DOCS=1 puts it there\n{same.stdout}")
    if ran < 4:
        faults.append(f"expected at least 4 ```sh blocks, found {ran}")
    return faults


def main():
    page = pathlib.Path(sys.argv[2])
    if "mpirun" in page.read_text() and not shutil.which("mpirun"):
        print("needs mpirun")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        faults = run(str(pathlib.Path(sys.argv[1]).resolve()), page, folder)
    print("\n".join(faults) or f"{page.name}: followed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
