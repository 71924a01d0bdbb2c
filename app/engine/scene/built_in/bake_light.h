// SPDX-License-Identifier: BSD-3-Clause
// Light that comes from everywhere, stored at the vertices: how much of the sky each sees, and how
// much of what surrounds it is near enough to darken it.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/scene/scene.h"

namespace fathom {

/// Fills Vertex::light of every vertex inside `bounds` by marching rays through a voxel grid of the
/// surfaces that keep light off (Material::surface.z). The result does not depend on the number of
/// threads.
void bakeLight(Scene& scene, const Box& bounds, Progress& progress);

}  // namespace fathom
