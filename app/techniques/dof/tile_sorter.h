// SPDX-License-Identifier: BSD-3-Clause
// Brings every tile's list into the order of depth, ties by tie rank and splat.
#pragma once

#include "app/gpu/pass.h"
#include "shaders/dof/shared.h"

#include <cstdint>

namespace fathom::dof {

class TileSorter {
 public:
  explicit TileSorter(gpu::Context& gpu) : gpu_(gpu) {}

  /// Sorts lists into length classes and notes in `stats` what they need; only lists that lie
  /// within params.capacity take part.
  void classify(const shared::Params& params, const gpu::Buffer<std::uint32_t>& tileBegin,
                const gpu::RawBuffer& stats);
  /// Sorts the keys of each list by bitonic networks: in shared memory where the device has room.
  void sortLists(const shared::Params& params, const gpu::Buffer<std::uint32_t>& tileBegin,
                 const gpu::RawBuffer& keys);

 private:
  gpu::Context& gpu_;
  gpu::Buffer<std::uint32_t> classes_;   // uint[DOF_CLASSES][tiles]
  gpu::Buffer<std::uint32_t> commands_;  // uvec4[DOF_CLASSES]
};

}  // namespace fathom::dof
