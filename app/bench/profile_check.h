// SPDX-License-Identifier: BSD-3-Clause
// Is a picture made with the profile at least as fast as without? Two of one technique side by
// side, one with tuned variants, one without, make the same picture by turns, as the window does.
#pragma once

#include "app/bench/statistics.h"
#include "app/core/progress.h"
#include "app/gpu/context.h"
#include "app/techniques/technique.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::bench {

struct ProfileCheckRequest {
  std::vector<std::string> inputs;
  std::vector<std::pair<std::string, std::string>> sets;  // settings of both
  std::optional<glm::ivec2> size;                         // of scenes
  int pictures = 11;                                      // of each, the first ones not counted
};

struct ProfileCheck {
  std::string variant;      // what the profile holds for this picture, with when and for what
  glm::ivec2 size{0};       // of the picture
  Summary standard, tuned;  // ms of the GPU; of the processor on software renderers
  Summary standardWall, tunedWall;  // ms by the clock
  TimeRatio time, wall;

  /// Slower beyond the noise: by more than 3 % and three standard deviations.
  bool slower() const;
};

/// Throws Error when the profile holds nothing that counts for this picture.
ProfileCheck checkProfile(gpu::Context& gpu, const TechniqueEntry& entry,
                          const std::filesystem::path& profile, const ProfileCheckRequest& request,
                          Progress& progress);

}  // namespace fathom::bench
