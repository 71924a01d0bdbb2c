// SPDX-License-Identifier: BSD-3-Clause
// The right answer, without a GPU.
#pragma once

#include "app/engine/core/image.h"
#include "tests/techniques/tiny/settings.h"

namespace fathom::tiny::reference {

/// Linear RGBA, Image[height][width]; opaque.
Image ramp(const Settings& settings, int width, int height);

}  // namespace fathom::tiny::reference
