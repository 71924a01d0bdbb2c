// SPDX-License-Identifier: BSD-3-Clause
// Fragments as points: PLY (binary) for programs that show point clouds, CSV with every channel.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/read/camera_attributes.h"
#include "app/engine/io/atomic_file.h"

#include <random>

namespace fathom::deep {

/// Writes the fragments of an image that comes in bands of rows.
class PointWriter {
 public:
  /// `header`: channels and windows. `camera`: points are places in the world; none: x and y count
  /// pixels (middles at .5), z is the depth. `limit` above 0: that many of all points, each with
  /// the same chance, by `seed`.
  PointWriter(const fs::path& file, const DeepImage& header, std::optional<Unprojection> camera,
              std::uint64_t limit, std::uint64_t seed);

  /// The next rows, top first. Volumes become a point at their front; a point at infinite depth is
  /// left out.
  void write(const DeepImage& band);
  /// Puts the file in place.
  void finish();

  std::uint64_t count() const { return count_; }
  std::uint64_t infinite() const { return infinite_; }

 private:
  std::string pointOf(const DeepImage& band, std::size_t index, int x, int y) const;
  std::string header() const;

  AtomicFile file_;
  bool isPly_;
  DeepImage like_;
  std::optional<Unprojection> camera_;
  std::uint64_t limit_, seen_ = 0, count_ = 0, infinite_ = 0, end_ = 0;
  std::mt19937_64 random_;
  std::vector<std::string> kept_;  // with a limit: a sample of what was seen
};

}  // namespace fathom::deep
