// SPDX-License-Identifier: BSD-3-Clause
// Deep images made by code: the same seed gives the same fragments everywhere.
#pragma once

#include "app/engine/core/deep_image.h"

namespace fathom::test {

struct SphereField {
  int width = 64, height = 48;
  double meanFragments = 8;  // per pixel, about
  std::uint32_t seed = 1;
  bool withZBack = false;  // volumes from front to back surface in place of two points
};

/// Translucent, shaded spheres at random places: half RGBA, float Z, every list sorted.
DeepImage sphereField(const SphereField& field);

}  // namespace fathom::test
