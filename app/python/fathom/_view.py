# SPDX-License-Identifier: BSD-3-Clause
# The window on values in memory: another process, which shows files in shared memory and reads them
# again when they change.
"""fathom.view."""

import atexit
import os
import pathlib
import shutil
import subprocess
from typing import Any, Dict, List, Mapping, Optional, Sequence

from . import _core, _files

_open: Dict[str, "View"] = {}


def program() -> str:
    """The program that this package belongs to. Raises Error when there is none."""
    here = pathlib.Path(__file__).absolute().parent
    beside = [here.parent.parent / "fathom", here / "bin" / "fathom"]
    beside += [here.parents[3] / "bin" / "fathom"] if len(here.parents) > 3 else []
    for path in [os.environ.get("FATHOM_PROGRAM", "")] + beside + [shutil.which("fathom") or ""]:
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return str(path)
    raise _core.Error("fathom: expected the program beside the package or in PATH, found none")


class View:
    """A window; view() made it."""

    def __init__(self, name: str = "fathom") -> None:
        self.name = name
        self._folder: Optional[_files.Folder] = None
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._given: Optional[List[str]] = None

    @property
    def is_open(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def show(
        self,
        inputs: Sequence[Any],
        technique: Optional[str] = None,
        settings: Optional[Mapping[str, Any]] = None,
        options: Sequence[str] = (),
    ) -> "View":
        """Shows these inputs: in the window that there is, when they are of the same kinds."""
        folder = self._folder or _files.Folder(_files.size_of(list(inputs)))
        if self._folder is None:
            os.chmod(folder.path, 0o700)
            self._folder = folder
        # Written beside and renamed: the window never reads half of it.
        words = _files.words(inputs, folder, f"{self.name} ")
        flags = [f"--technique={technique}"] if technique else []
        for name, value in (settings or {}).items():
            value = ("on" if value else "off") if isinstance(value, bool) else value
            flags.append(f"--set={name.replace('_', '-')}={value}")
        now = flags + list(options) + ["--"] + words
        if self.is_open and now == self._given:
            return self
        self.close(keep_files=True)
        self._given = now
        self._process = subprocess.Popen([program(), "view", *now])
        return self

    def wait(self, timeout: Optional[float] = None) -> int:
        """Waits until the window is closed; its exit code."""
        return self._process.wait(timeout) if self._process else 0

    def close(self, keep_files: bool = False) -> None:
        """Closes the window and removes what it showed from memory."""
        if self.is_open:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None
        if self._folder is not None and not keep_files:
            shutil.rmtree(self._folder.path, ignore_errors=True)
            self._folder = None

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<fathom.View {self.name!r}, {'open' if self.is_open else 'closed'}>"


def view(
    *inputs: Any,
    technique: Optional[str] = None,
    settings: Optional[Mapping[str, Any]] = None,
    name: str = "fathom",
    options: Sequence[str] = (),
) -> View:
    """Opens the window on files, scenes or values in memory, and returns it at once.

    Called again with values of the same kinds it updates the window that is open; `name` tells
    several windows apart. `settings` are those of the technique, `options` further flags of
    `fathom view`.
    """
    if not inputs:
        raise _core.UsageError("view: expected something to show, found nothing")
    window = _open.setdefault(name, View(name))
    return window.show(inputs, technique, settings, options)


@atexit.register
def _close_all() -> None:
    for window in _open.values():
        window.close()
