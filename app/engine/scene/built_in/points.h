// SPDX-License-Identifier: BSD-3-Clause
// `points`: a globe of up to 55.3 million points, as many as Lipinski et al. 2021 kept of their GPS
// positions. No point is stored: a table of cells says which points lie where, and any stretch of
// them is made when it is asked for.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/scene/camera.h"
#include "shaders/scene/points_shared.h"

namespace fathom {

/// How many points lie where: continents by noise, cities of all sizes on them. A grid of longitude
/// and latitude, made with a seed.
struct PointDensity {
  static constexpr int kColumns = 1080, kRows = 540;  // a third of a degree each
  std::vector<std::uint32_t> weights;  // uint[column][row], columns from -180 degrees east, rows
                                       // from the south; proportional to the points in a cell
  std::vector<std::uint16_t> looks;    // unorm16[column][row]: points per area, on a log scale
};
PointDensity makePointDensity(std::uint64_t seed, Progress& progress);

class PointCloud {
 public:
  /// The globe of radius 1 with `count` points; `size` scales their spheres. Counts the points of
  /// all cells.
  PointCloud(std::uint64_t count, std::uint64_t seed, float size, Progress& progress);
  /// The cloud of "points:count=1000000"; none when the text is another scene, or names a part.
  /// Throws Error (wrong parameter).
  static std::optional<PointCloud> fromSpec(const std::string& spec, Progress& progress);

  std::uint64_t count() const { return starts_.back(); }
  /// Points [first, end) of the cloud, in the order of longitude, then latitude, by cells; the same
  /// whatever the stretch.
  std::vector<scene::shared::ScenePoint> make(std::uint64_t first, std::uint64_t end) const;
  /// Holds the spheres of these points. Empty when there are none.
  Box boundsOf(std::uint64_t first, std::uint64_t end) const;
  Box bounds() const { return boundsOf(0, count()); }
  /// A sphere has radius x + y * density.
  glm::vec2 radius() const { return radius_; }
  Camera camera() const;

 private:
  std::size_t cellOf(std::uint64_t point) const;
  PointDensity density_;
  std::uint64_t seed_;
  glm::vec2 radius_;
  std::vector<std::uint64_t> starts_;  // uint64[cellCount + 1]: the first point of each cell
};

}  // namespace fathom
