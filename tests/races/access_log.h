// SPDX-License-Identifier: BSD-3-Clause
// The buffer into which a watched dispatch writes its accesses (record_accesses.glsl).
#pragma once

#include <glad/gl.h>

namespace fathom::races {

/// Or a barrier that a group comes to: its number as `word`, noted by the first invocation.
struct LoggedAccess {
  std::uint32_t invocation, place, word, phases;  // of shared memory << 16 | of buffers
};

class AccessLog {
 public:
  static constexpr std::uint32_t kCapacity = 1u << 22, kNoBarrier = ~0u, kBarrierPlace = ~0u;

  /// Empty, for one dispatch that leaves out barrier `without`.
  void bind(GLuint logBinding, GLuint factsBinding, std::uint32_t without);
  /// What the dispatch wrote, in order. `lost`: how many had no room.
  const std::vector<LoggedAccess>& read(std::uint64_t& lost);

 private:
  GLuint buffer_ = 0, facts_ = 0;
  std::vector<LoggedAccess> accesses_;
};

}  // namespace fathom::races
