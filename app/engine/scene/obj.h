// SPDX-License-Identifier: BSD-3-Clause
// Reads Wavefront OBJ files with their materials and textures.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/scene/scene.h"

namespace fathom {

/// `part`: the object or group to keep; "all" for everything as one part; empty for all of them,
/// each its own part unless there are more than kMaxObjParts (then one part "all"). Missing
/// material or texture files are warnings. Throws Error for anything that is not an OBJ.
void loadObj(Scene& scene, const std::filesystem::path& file, const std::string& part,
             Progress& progress);

constexpr std::size_t kMaxObjParts = 16;

}  // namespace fathom
