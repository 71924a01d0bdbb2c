# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks: rows as bench files have them.
"""fathom.bench.run("deep.composite", quick=True).rows"""

from typing import TYPE_CHECKING, Dict

from ._calls import function

if TYPE_CHECKING:
    from ._stubs._bench import run as run
else:
    run = function("bench", __name__, "run")


def names() -> Dict[str, str]:
    """The names of all benchmarks, with a line about each.

    >>> "deep.composite" in names()
    True
    """
    lines = [line.split(None, 1) for line in run(list=True).text.splitlines()]
    return {words[0]: words[1] for words in lines if len(words) == 2}
