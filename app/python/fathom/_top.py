# SPDX-License-Identifier: BSD-3-Clause
# Commands that belong to no technique.
"""compare, info, report, tune."""

from typing import TYPE_CHECKING

from ._calls import function

if TYPE_CHECKING:
    from ._stubs._top import compare as compare, info as info, report as report, tune as tune
else:
    compare = function("compare", "fathom")
    info = function("info", "fathom")
    report = function("report", "fathom")
    tune = function("tune", "fathom")
