// SPDX-License-Identifier: BSD-3-Clause
// A band's source holds the splats of a rectangle of tiles, one after the other. Those of a row of
// tiles lie beside each other among all of the picture, too: one number per row, by which the index
// of a fragment of the picture is larger than that of its splat.
#include "shaders/dof/shared.h"

layout(binding = DOF_TEXELS_SHIFTS) uniform usamplerBuffer shifts;

/// Row 0 is the first of the source.
uint shiftOfRow(uint row) { return texelFetch(shifts, int(row)).x; }
