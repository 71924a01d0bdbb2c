# SPDX-License-Identifier: BSD-3-Clause
# The build backend of pyproject.toml: builds the program and the package with CMake, installs them
# into a folder, and packs a wheel of that: the package with its shaders, its assets, the program and
# IceT's libraries. A source distribution is what such a build reads.
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ABOUT = "GPU image techniques on arrays: deep images, SMoE models, depth of field, flames"


def _version():
    return re.search(r"project\(fathom VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: fathom\nVersion: {_version()}\nSummary: {ABOUT}\n"
        "License: BSD-3-Clause\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
        "Project-URL: Source, https://github.com/fathom/fathom\n"
        "Description-Content-Type: text/markdown\n\n" + (ROOT / "docs/guides/python.md").read_text()
    )


def _build():
    """Builds beside the sources, in a folder per interpreter; FATHOM_BUILD names another one."""
    folder = pathlib.Path(os.environ.get("FATHOM_BUILD", ROOT / f"build-{sys.implementation.cache_tag}"))
    if not (folder / "build.ninja").exists():
        subprocess.check_call(
            ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
             "-DFATHOM_TESTS=OFF", "-DFATHOM_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
        )
    subprocess.check_call(
        ["cmake", "--build", folder, "--target", "fathom", "fathom_python", "fathom_manual"])
    installed = folder / "wheel"
    shutil.rmtree(installed, ignore_errors=True)
    # Installed libraries are looked for where they are installed; those of a build folder, elsewhere.
    subprocess.check_call(
        ["cmake", "--install", folder, "--prefix", installed, "--strip"], stdout=subprocess.DEVNULL)
    return installed


def _contents(installed):
    """Names in the wheel, and the files that they come from."""
    package = next(installed.glob("lib/**/fathom/_core*.so")).parent
    moved = {
        package: "fathom",
        installed / "share/fathom": "fathom/share",
        installed / "share/doc/fathom": "fathom/share/doc",
        installed / "lib/fathom": "fathom/lib/fathom",
        installed / "bin": "fathom/bin",
    }
    for folder, name in moved.items():
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "share" not in path.relative_to(folder).parts:
                yield f"{name}/{path.relative_to(folder)}", path


def _add(wheel, records, name, data, mode=0o644):
    info = zipfile.ZipInfo(name)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
    wheel.writestr(info, data)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    records.append(f"{name},sha256={digest},{len(data)}")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    about = pathlib.Path(metadata_directory, f"fathom-{_version()}.dist-info")
    about.mkdir()
    (about / "METADATA").write_text(_metadata())
    return about.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    installed = _build()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    tag = f"{python}-{python}-{platform}"
    name, about = f"fathom-{_version()}-{tag}.whl", f"fathom-{_version()}.dist-info"
    records = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        for inside, path in _contents(installed):
            _add(wheel, records, inside, path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        _add(wheel, records, f"{about}/METADATA", _metadata().encode())
        _add(wheel, records, f"{about}/entry_points.txt",
             b"[console_scripts]\nfathom = fathom.__main__:main\n")
        _add(wheel, records, f"{about}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
        _add(wheel, records, f"{about}/WHEEL",
             f"Wheel-Version: 1.0\nGenerator: fathom\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        records.append(f"{about}/RECORD,,")
        wheel.writestr(f"{about}/RECORD", "\n".join(records) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"fathom-{_version()}"
    sources = ["app", "assets", "docs/guides/python.md", "shaders", "third_party", "CMakeLists.txt", "LICENSE",
               "packages.txt", "pyproject.toml"]
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", (ROOT / "LICENSE").stat().st_mtime))

    def plain(entry):
        entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime = 0, 0, "", "", epoch
        return None if "__pycache__" in entry.name else entry

    with open(os.path.join(sdist_directory, f"{base}.tar.gz"), "wb") as file, gzip.GzipFile(
        "", "wb", fileobj=file, mtime=epoch) as packed, tarfile.open(fileobj=packed, mode="w") as out:
        for source in sources:
            out.add(ROOT / source, f"{base}/{source}", filter=plain)
        about = _metadata().encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size, entry.mtime = len(about), epoch
        out.addfile(entry, io.BytesIO(about))
    return f"{base}.tar.gz"
