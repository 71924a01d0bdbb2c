# SPDX-License-Identifier: BSD-3-Clause
# Commands as functions, made from the table of the command line: keyword arguments, their help and
# the nearest name for a typo all come from there, so a new command has its call by itself.
"""How the commands of the program become functions."""

import inspect
import json
import keyword
import numbers
import os
import pathlib
import queue
import re
import threading
import warnings
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator

import numpy

from . import _core, _files
from ._values import Measured, Result, attach

# Of the flags that every command has, those that mean something here.
_COMMON = ("size", "seed", "profile", "no_profile")
# Where the name of a sequence's file has the frame's number.
_FRAME_PLACE = re.compile(r"(#+|@+|%\d*d)(\.[^./]*)?$")

# What a command's output becomes when no file is asked for, the first that it can write.
_AS_VALUE = (".exr", ".smoe", ".icet", ".flame", ".png", ".csv")

_state = threading.local()


def _frame_of(file):
    return int(file.name.split(".")[1])


def last() -> Any:
    """What the last call of this thread did: passes, settings, record, text."""
    return getattr(_state, "last", None)


def remember(value):
    _state.last = getattr(value, "measured", value)
    return value


def warn(text):
    """What the program warns of, of the line that calls it."""
    folder = getattr(_state, "folder", None)
    warnings.warn(folder.plain(text) if folder else text, stacklevel=5)


def python_name(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


@dataclass
class Flag:
    """A keyword argument."""

    name: str  # block_size
    flag: str  # --block-size
    aliases: list
    type: str  # "4 | 8 | 16", "0 .. 1 px"; empty: a switch
    values: list
    default: str
    help: str
    is_setting: bool
    required: bool
    repeats: bool

    @property
    def is_switch(self):
        return not self.type

    def shown_default(self):
        if self.is_switch:
            return self.default == "on"
        for kind in (int, float):
            try:
                return kind(self.default)
            except ValueError:
                pass
        return self.default if self.default else None

    def text(self, value):
        """A value as the command line has it. Raises UsageError."""
        if isinstance(value, (bool, numpy.bool_)):
            return "on" if value else "off"
        if isinstance(value, numbers.Number) and not isinstance(value, complex):
            return str(value)
        if isinstance(value, str):
            return value
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, (list, tuple)):
            between = "x" if self.type in ("WxH", "AxB", "CxR") else ","
            return between.join(self.text(one) for one in value)
        raise _core.UsageError(
            f"{self.name}: expected {self.type or 'True or False'}, found {type(value).__name__}"
        )

    def texts(self, value):
        """One text per time that the flag is given."""
        if self.repeats and isinstance(value, dict):
            return [f"{name}={self.text(one)}" for name, one in value.items()]
        each = value if self.repeats and isinstance(value, (list, tuple)) else [value]
        return [self.text(one) for one in each]


def _flag(row, is_setting):
    names = sorted((name.lstrip("-") for name in row["names"]), key=len, reverse=True)
    given = {key: row[key] for key in ("type", "values", "default", "help", "required", "repeats")}
    aliases = [python_name(name) for name in names[1:]]
    return Flag(python_name(names[0]), "--" + names[0], aliases, is_setting=is_setting, **given)


@dataclass
class Call:
    """A command: what it takes, and how it is called."""

    name: str  # "deep merge"
    help: str
    example: str
    operands: list
    flags: dict
    endings: list
    output_optional: bool
    output_folder: bool
    inputs: tuple
    technique: bool
    aliases: dict = field(default_factory=dict)

    @property
    def settings(self):
        """Names of the arguments that are settings of the technique."""
        return {flag.name for flag in self.flags.values() if flag.is_setting}

    def flag(self, name):
        return self.flags[name].flag[2:]

    def named(self, name):
        name = self.aliases.get(name, name)
        if name in self.flags:
            return self.flags[name]
        nearest = _core.nearest_name(name, list(self.flags) + ["output", "progress"])
        hint = f', did you mean "{nearest}"?' if nearest else ""
        raise _core.UsageError(f'{self.name}: no argument "{name}"{hint}')

    def texts(self, keywords):
        """Arguments as text, by name; those that are None are left out."""
        found = {}
        for name, value in keywords.items():
            flag = self.named(name)
            if value is not None and not (_files.is_value(value) and _is_data(value)):
                found[flag.name] = ",".join(flag.texts(value))
        return found

    def arguments(self, keywords, folder):
        """Arguments as the command line has them; values become files."""
        words = []
        for name, value in keywords.items():
            flag = self.named(name)
            if value is None:
                continue
            if _is_data(value):
                value = _files.save(value, folder, flag.name, flag.name)
            if flag.is_switch and isinstance(value, (bool, numpy.bool_)):
                if bool(value) != (flag.default == "on"):
                    words.append(flag.flag if value else flag.flag + "=off")
                continue
            words += [f"{flag.flag}={text}" for text in flag.texts(value)]
        return words

    def value_ending(self):
        """Of the file that becomes the call's value; None: it has none."""
        if not self.technique:
            return None
        return next((ending for ending in _AS_VALUE if ending in self.endings), None)

    @property
    def takes_ranks(self):
        """Under mpirun it works on all ranks of a communicator."""
        return self.technique and self.name.endswith(" composite")

    def run(self, inputs, output, progress, keywords):
        comm = keywords.pop("comm", None) if self.takes_ranks else None
        if comm is not None and "own_inputs" in self.flags:
            keywords.setdefault("own_inputs", any(isinstance(one, _core.DeepImage) for one in inputs))
        with _files.Folder(_files.size_of(list(inputs) + list(keywords.values()))) as folder:
            _state.folder = folder
            try:
                return self._run(inputs, output, progress, keywords, folder, comm)
            except _core.Error as error:
                raise type(error)(folder.plain(str(error))) from None
            finally:
                _state.folder = None

    def _run(self, inputs, output, progress, keywords, folder, comm=None):
        try:
            words, target = self._words(inputs, output, keywords, folder)
        except Exception as error:
            if comm is not None:  # the other ranks are to know
                _core.refuse(str(error), comm)
            raise
        record = folder.path / "record.json"
        code, text = _core.run(self.name, words, progress, comm)
        facts = json.loads(record.read_text()) if record.exists() else {}
        if failed := facts.get("result", {}).get("frames_failed"):
            done = facts["result"]["frames"]
            raise _core.Error(f"{self.name}: expected every frame, {failed} failed, {done} are done")
        written = target is not None and any(pathlib.Path(target).parent.glob("output*"))
        if output is not None or not written:
            return remember(Result(facts, text, code, output))
        if self.output_folder:
            value = {path.name: _files.load(path) for path in sorted(pathlib.Path(target).iterdir())}
        elif "%d" in os.path.basename(target):
            frames = sorted(pathlib.Path(target).parent.glob("output.*"), key=_frame_of)
            value = {_frame_of(file): _files.load(file, channels=True) for file in frames}
        else:
            value = _files.load(target, channels=True)
        measured = Measured(facts, text, code)
        _state.last = measured
        return attach(value, measured)

    def _words(self, inputs, output, keywords, folder):
        """The whole command line, and the file that it names as output."""
        words = self.arguments(keywords, folder)
        target = output
        if output is None and self.value_ending():
            number = ".%d" if self._is_sequence(inputs, keywords) else ""
            target = folder.file("output" + number + self.value_ending(), "output")
            # What is read again at once is neither rounded nor compressed.
            if "float" in self.flags and self.value_ending() == ".exr":
                words += [] if "float" in keywords else ["--float"]
            if "none" in getattr(self.flags.get("compression"), "values", ()):
                words += [] if "compression" in keywords else ["--compression=none"]
        elif "compression" not in keywords:
            words += self._compression_of(inputs)
        if output is None and self.output_folder:
            target = folder.file("output", "output")
        if target is not None:
            words.append("--output=" + os.fspath(target))
        if self.name != "report":
            words.append(f"--json={folder.path / 'record.json'}")
        if self.name in ("bench", "tune"):
            words.append("--quiet")
        inputs = _files.words(inputs, folder)
        return words + (["--"] + inputs if inputs else []), target

    def _is_sequence(self, inputs, keywords):
        """Are there several frames, so that the result is a dict of them?"""
        names = [os.fspath(one) for one in inputs if isinstance(one, (str, os.PathLike))]
        asked = keywords.get("frames") is not None or keywords.get("focus") is not None
        return "missing" in self.flags and (asked or any(map(_FRAME_PLACE.search, names)))

    def _compression_of(self, inputs):
        """What the command would take from its first input, which is given as a value."""
        first = inputs[0] if inputs else None
        if "compression" not in self.flags or not isinstance(first, _core.DeepImage):
            return []
        return [f"--compression={first._compression or 'zips'}"]

    def frame(self, source, time, progress, keywords):
        """A single frame of `flame animate` as a Picture."""
        with _files.Folder(_files.size_of(source)) as folder:
            pattern = folder.path / "frame.%05d.exr"
            settings = {"float": True, **keywords, "begin": time, "end": time}
            done = self.run([source], pattern, progress, settings)
            picture = _files.load(next(folder.path.glob("frame.*.exr")))
            _state.last = Measured(done.record, done.text)
            return attach(picture, _state.last)

    def signature(self):
        kind = inspect.Parameter
        parameters = [kind(self.operand_name(), kind.VAR_POSITIONAL)]
        for name in ("output", "progress") + (("comm",) if self.takes_ranks else ()):
            parameters.append(kind(name, kind.KEYWORD_ONLY, default=None))
        for flag in self.flags.values():
            default = kind.empty if flag.required else flag.shown_default()
            parameters.append(kind(flag.name, kind.KEYWORD_ONLY, default=default))
        return inspect.Signature(parameters)

    def operand_name(self):
        name = self.operands[0]["operand"].lower() if self.operands else "inputs"
        name = python_name(name.split()[0]) if name else "inputs"
        return name if name.isidentifier() and name not in self.flags else "inputs"

    def documentation(self):
        lines = [self.help, ""]
        for row in self.operands:
            if row["help"]:
                lines.append(f"{row['operand'].lower()}: {row['help']}")
        lines += [
            "    Besides paths: values of fathom, and arrays as pictures.",
            "output: the file to write, {}; without it the call returns what it would hold; of a sequence, a dict by frame.".format(
                " or ".join(self.endings) or "if the command writes one"
            ),
            "progress: called as progress(phase, fraction) while it works.",
        ]
        if self.takes_ranks:
            lines.append(
                "comm: a communicator of mpi4py, all of whose ranks make this call; the first gets "
                "the value. Without it this process works alone."
            )
        lines.append("")
        for flag in self.flags.values():
            domain = flag.type if flag.type else "True or False"
            lines.append(f"{flag.name}: {domain}" + (f" = {flag.default}" if flag.default else ""))
            lines += [f"    Also {', '.join(flag.aliases)}."] if flag.aliases else []
            lines += ["    " + line for line in flag.help.splitlines()]
        lines += ["", f"On the command line: {self.example}"]
        return "\n".join(lines)


def _is_data(value):
    """A value of fathom or a picture where a text is meant."""
    from . import active_pixel, flame, smoe

    if isinstance(value, numpy.ndarray):
        return value.ndim >= 2
    return isinstance(value, (_core.DeepImage, smoe.Model, active_pixel.Image, flame.Genome))


def is_scene(given):
    """A scene's name, in contrast to a file of deep images."""
    return isinstance(given, str) and not os.path.exists(given.split("#")[0])


def _read_table():
    common = {}
    for row in _core.common_flags():
        flag = _flag(row, False)
        if flag.name in _COMMON:
            common[flag.name] = flag
    calls = {}
    for row in _core.command_table():
        operands = [one for one in row["flags"] if not one["names"]]
        flags = {}
        for one in row["flags"]:
            if one["names"] and "--help" not in one["names"]:
                flag = _flag(one, one["group"] == "Settings" and "--set" not in one["names"])
                flags[flag.name] = flag
        flags.update(common)
        given = {key: value for key, value in row.items() if key != "flags"}
        call = Call(operands=operands, flags=flags, **given)
        for flag in flags.values():
            for alias in flag.aliases:
                call.aliases.setdefault(alias, flag.name)
        calls[row["name"]] = call
    return calls


_calls = _read_table()


def commands() -> Dict[str, str]:
    """The names of all commands, with what each does.

    >>> "deep merge" in commands()
    True
    """
    return {name: call.help for name, call in _calls.items()}


def function(name, module, as_name=None):
    """The function of a command."""
    call = _calls[name]

    def command(*inputs, output=None, progress=None, **settings):
        return call.run(inputs, output, progress, settings)

    command.call = call
    command.__name__ = command.__qualname__ = as_name or python_name(name.split()[-1])
    command.__module__ = module
    command.__doc__ = call.documentation()
    command.__signature__ = call.signature()
    return command


def dress(own, made):
    """Gives a function of its own the signature and help of the one that was made for a command."""
    own.__doc__, own.__signature__, own.call = made.__doc__, made.__signature__, made.call
    own.__name__ = own.__qualname__ = made.__name__
    return own


def install(module, technique):
    """Adds the functions of all commands of a technique that the module has none of its own for."""
    for name in _calls:
        group, _, word = name.partition(" ")
        if group == technique and word and python_name(word) not in module:
            module[python_name(word)] = function(name, module["__name__"])
    own = [
        name
        for name, value in module.items()
        if name == "COMPONENT" or getattr(value, "__module__", "") == module["__name__"]
        if name[0] != "_"
    ]
    module["__all__"], module["__dir__"] = own, lambda: own


@dataclass(frozen=True)
class Step:
    """How far a call has come."""

    phase: str
    fraction: float
    psnr: float = float("nan")  # of a fit, in dB
    alpha: bool = False  # of the model of alpha, which is fitted besides


class _Left(Exception):
    """The loop over the steps was left."""


class Steps:
    """A call as an iterator of its progress, whose last step is "done"; `value` is what it returned."""

    def __init__(self, call: Any, inputs: Any, keywords: Any) -> None:
        self.value: Any = None
        self._steps: "queue.Queue[Any]" = queue.Queue()
        self._error: Any = None
        self._left = False
        self._thread = threading.Thread(target=self._work, args=(call, inputs, keywords), daemon=True)
        self._thread.start()

    def _work(self, call, inputs, keywords):
        try:
            self.value = call(*inputs, progress=self._note, **keywords)
            # However quick the work was, the last step tells what came of it.
            self._steps.put(Step("done", 1.0, float(getattr(self.value, "psnr", float("nan")))))
        except _Left:
            pass
        except BaseException as error:  # noqa: B902  handed on to the loop
            self._error = error
        self._steps.put(None)

    def _note(self, phase, fraction):
        if self._left:
            raise _Left
        self._steps.put(self.step_of(phase, fraction))

    @staticmethod
    def step_of(phase: str, fraction: float) -> Step:
        name, _, rest = phase.partition(" · ")
        psnr = float(rest.split()[0]) if rest.endswith("dB") else float("nan")
        return Step(name, fraction, psnr, name.startswith("alpha: "))

    def __iter__(self) -> Iterator[Step]:
        try:
            while (step := self._steps.get()) is not None:
                yield step
        finally:
            self._left = True
            self._thread.join()
        if self._error:
            raise self._error
