# SPDX-License-Identifier: BSD-3-Clause
# Where shaders and assets are: `share` beside this file, in the build folder, a wheel and a Debian
# package alike. The compiled module looks where FATHOM_SHADERS says.
import os
import pathlib

_share = pathlib.Path(__file__).absolute().parent / "share"
if (_share / "shaders" / "common").is_dir():
    os.environ.setdefault("FATHOM_SHADERS", str(_share / "shaders"))
