// SPDX-License-Identifier: BSD-3-Clause
// `fathom tune`: finds the fastest variant of a technique on this device by successive halving, and
// makes the entry that the profile keeps; and checks that pictures are as fast with it as without.
#pragma once

#include "app/engine/core/variants.h"
#include "app/engine/io/profile.h"
#include "app/engine/tuning.h"
#include "app/lab/bench_row.h"

namespace fathom {
struct TechniqueEntry;
}

namespace fathom::bench {

/// What these techniques offer to tuning; no names: all. Throws UsageError naming the nearest one.
std::vector<const Tunable*> tunablesNamed(const std::vector<std::string>& names);

struct TuneResult {
  TunedVariant tuned;  // best: empty when no variant passed; the default unless one is 3 % faster
  VariantSweep sweep;
  bool complete = true;  // false: stopped early, with the best so far
};

/// Runs until done or until `progress` is cancelled, which keeps the best so far.
TuneResult tune(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request,
                Progress& progress);
/// A profile entry without its result: device, workload, size, shaders, date.
TunedVariant tuneKeyOf(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request);

// Is a picture made with the profile at least as fast as without?
// -------------------------------------------------------------------------------------------------

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

/// Two instances of one technique, one with tuned variants and one without, alternately make the
/// same picture the way the window does. Throws Error when the profile has no variant for this
/// picture.
ProfileCheck checkProfile(gpu::Context& gpu, const TechniqueEntry& entry,
                          const std::filesystem::path& profile, const ProfileCheckRequest& request,
                          Progress& progress);

}  // namespace fathom::bench
