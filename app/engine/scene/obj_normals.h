// SPDX-License-Identifier: BSD-3-Clause
// An OBJ while it is read: corners that share what they share, polygons cut into triangles, normals
// for those that have none.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/scene/triangle_mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
/// No packed normal has this value: snorm16 never gives -32768.
constexpr std::uint32_t kNoNormal = 0x80008000u;

struct ObjCorner {
  std::uint32_t position = 0, texcoord = kNone, normal = kNoNormal, material = 0;
  std::uint32_t next = kNone;  // the next corner of the same position
  bool same(const ObjCorner& o) const {
    return position == o.position && texcoord == o.texcoord && normal == o.normal &&
           material == o.material;
  }
};

struct ObjMesh {
  std::vector<glm::vec3> positions;
  std::vector<ObjCorner> corners;
  std::vector<std::uint32_t> indices;  // into corners, three per triangle
  std::vector<TriangleRun> runs;
};

/// Cuts a polygon (indices into corners) into triangles and appends them: a fan when it is convex,
/// ears otherwise.
void triangulate(ObjMesh& mesh, std::span<const std::uint32_t> polygon);

/// Gives corners without a normal the area-weighted mean over the faces around their position whose
/// direction differs by less than 45 degrees from their own face's; edges sharper than that stay
/// sharp.
void computeMissingNormals(ObjMesh& mesh, Progress& progress);

}  // namespace fathom
