// SPDX-License-Identifier: BSD-3-Clause
// Scenes taken apart and put together: shares that hold no more than their own triangles, vertices
// and textures.
#pragma once

#include "app/engine/scene/scene.h"

namespace fathom {

/// Some triangles of a part, counted from the part's first in drawing order.
struct PartRange {
  std::size_t part = 0;
  std::uint64_t firstTriangle = 0, triangleCount = 0;
};

/// Triangles of a part.
std::uint64_t triangleCount(const ScenePart& part);

/// The ranges of all parts of which a share [first, end) of the scene's triangles, in drawing
/// order, consists.
std::vector<PartRange> rangesOf(const Scene& scene, std::uint64_t first, std::uint64_t end);

/// A scene of these ranges alone, each a part of the old name. Materials are kept, of the textures
/// those in use; nothing casts shadows any more, because a share does not know what the others
/// hold.
Scene cut(const Scene& scene, const std::vector<PartRange>& ranges);

/// Adds all parts of `other`. Throws Error when the sum has more vertices or indices than 2^32.
void append(Scene& scene, const Scene& other);

}  // namespace fathom
