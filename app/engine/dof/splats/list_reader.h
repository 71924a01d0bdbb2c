// SPDX-License-Identifier: BSD-3-Clause
// The lists of a pipeline's band, brought back to the CPU: for tests, the reference and the
// inspector.
#pragma once

#include "app/engine/dof/splats/model.h"
#include "app/engine/dof/splats/pipeline.h"

namespace fathom::dof {

/// Everything here waits for the device.
class ListReader {
 public:
  explicit ListReader(const Pipeline& pipeline) : pipeline_(pipeline) {}
  /// The band's splats, in their order in memory.
  SplatList splats() const;
  /// The splat of each entry: indices into splats().
  std::vector<std::uint32_t> entries() const;
  std::vector<std::uint32_t> entries(std::size_t first, std::size_t count) const;
  /// Their depths, as bits.
  std::vector<std::uint32_t> depths(std::size_t first, std::size_t count) const;
  /// The decoded list of a tile of the band, front to back.
  std::vector<Entry> list(std::uint32_t tile) const;

 private:
  std::vector<Splat> splats(std::size_t first, std::size_t count) const;
  std::vector<Entry> records(std::size_t first, std::size_t count) const;
  void readColors(const std::uint32_t* words, Splat& splat) const;
  /// `mask`: of the splat's pixel.
  void readRecord(const std::uint32_t* words, float mask, Splat& splat) const;
  const Pipeline& pipeline_;
};

}  // namespace fathom::dof
