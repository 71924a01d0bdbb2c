// SPDX-License-Identifier: BSD-3-Clause
// Includes what is not there, on line 3.
#include "tests/gpu/data/no_such_file.glsl"
