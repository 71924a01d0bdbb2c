#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Writes the type stubs of the package's generated functions, from the same table that they are made
# from: make_stubs.py FOLDER writes FOLDER/fathom/_stubs/*.pyi. Run when the module is built.
import pathlib
import re
import sys

sys.path.insert(0, sys.argv[1])

import fathom  # noqa: E402
from fathom._calls import _calls, python_name  # noqa: E402

HEAD = """# SPDX-License-Identifier: BSD-3-Clause
# Made by app/python/make_stubs.py from the tables of the command line.
from os import PathLike
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Union, overload

from .. import DeepImage, Picture, Result
from ..active_pixel import Image
from ..flame import Genome
from ..smoe import Model

Path = Union[str, "PathLike[str]"]
Input = Union[Path, Any]
Number = Union[int, float]
Progress = Callable[[str, float], object]
"""
# What calls return that write a file when they are asked for none.
VALUES = {
    ".smoe": "Model",
    ".icet": "Image",
    ".flame": "List[Genome]",
    ".png": "Picture",
    ".csv": "bytes",
}
DEEP = {
    f"deep {name}"
    for name in ("capture", "merge", "resize", "transform", "recolor", "grade", "expression")
}


def value_of(call):
    if call.name == "flame animate":
        return "Any"
    if call.output_folder:
        return "Dict[str, Any]"  # pictures, and what describes them
    ending = call.value_ending()
    if ending != ".exr":
        return VALUES.get(ending or "", "Result")
    if call.name in DEEP:
        return "DeepImage"
    return "Picture" if ".png" in call.endings else "Any"


def type_of(flag):
    """The type of an argument, from the domain that the help shows."""
    if flag.is_switch:
        return "bool"
    if flag.repeats:
        return "Union[str, Sequence[str], Mapping[str, Any]]"
    if flag.values:
        words = [f'"{value}"' for value in flag.values]
        whole = [value for value in flag.values if re.fullmatch(r"-?\d+", value)]
        if set(flag.values) >= {"on", "off"}:
            words += ["True", "False"]
        return f"Literal[{', '.join(words + whole)}]"
    if re.fullmatch(r"-?[\d.e+]+ \.\. -?[\d.e+]+.*", flag.type) or flag.type in ("N", "TIME"):
        return "Number"
    if re.fullmatch(r"[A-Z]x[A-Z]|\w+(,\w+)+", flag.type):
        return "Union[str, Sequence[Number]]"
    return "Any"


def stub(call, name):
    value = value_of(call)
    flags = []
    for flag in call.flags.values():
        default = "" if flag.required else " = ..."
        wrapped = type_of(flag) if flag.required else f"Optional[{type_of(flag)}]"
        flags.append(f"    {flag.name}: {wrapped}{default},\n")
        for alias in flag.aliases:
            flags.append(f"    {alias}: Optional[{type_of(flag)}] = ...,\n")

    ranks = "    comm: Any = ...,\n" if call.takes_ranks else ""

    def one(output, returns):
        return (
            f"def {name}(\n    *{call.operand_name()}: Input,\n    output: {output},\n"
            f"    progress: Optional[Progress] = ...,\n{ranks}{''.join(flags)}) -> {returns}: ...\n"
        )

    if value == "Result":
        return one("Optional[Path] = ...", "Result")
    return f"@overload\n{one('None = ...', value)}@overload\n{one('Path', 'Result')}"


def main():
    folder = pathlib.Path(sys.argv[1]) / "fathom" / "_stubs"
    folder.mkdir(exist_ok=True)
    modules = {"_top": [], "_bench": []}
    for name, call in _calls.items():
        group, _, word = name.partition(" ")
        if word:
            modules.setdefault(python_name(group), []).append(stub(call, python_name(word)))
        elif name == "bench":
            modules["_bench"].append(stub(call, "run"))
        elif name != "view":
            modules["_top"].append(stub(call, python_name(name)))
    (folder / "__init__.pyi").write_text("")
    for module, stubs in modules.items():
        (folder / f"{module}.pyi").write_text(HEAD + "\n" + "\n".join(stubs))


main()
