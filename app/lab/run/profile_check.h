// SPDX-License-Identifier: BSD-3-Clause
// Is a picture made with the profile at least as fast as without? Two instances of one technique,
// one with tuned variants and one without, alternately make the same picture the way the window
// does.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "app/lab/statistics.h"

#include <glm/vec2.hpp>

namespace fathom {
class Progress;
struct TechniqueEntry;
namespace gpu {
class Context;
}
}  // namespace fathom

namespace fathom::bench {

struct ProfileCheckRequest {
  std::vector<std::string> inputs;
  std::vector<std::pair<std::string, std::string>> sets;  // settings of both instances
  std::optional<glm::ivec2> size;                         // of scenes
  int pictures = 11;                                      // of each, after the warm-up
};

struct ProfileCheck {
  std::string variant;              // the profile's entry for this picture, as facts() states it
  glm::ivec2 size{0};               // of the picture
  Summary standard, tuned;          // GPU time in ms; on software renderers processor time
  Summary standardWall, tunedWall;  // wall clock in ms
  TimeRatio time, wall;

  /// Slower by more than 3 % and by more than three standard deviations.
  bool slower() const;
};

/// Throws Error when the profile has no variant for this picture.
ProfileCheck checkProfile(gpu::Context& gpu, const TechniqueEntry& entry,
                          const std::filesystem::path& profile, const ProfileCheckRequest& request,
                          Progress& progress);

}  // namespace fathom::bench
