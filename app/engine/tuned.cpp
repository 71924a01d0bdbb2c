// SPDX-License-Identifier: BSD-3-Clause
// Looks the best variant up in the profile in use, and logs a change of mind once.
#include "app/engine/tuned.h"

#include "app/engine/core/launch.h"
#include "app/engine/core/log.h"
#include "app/engine/io/profile.h"

#include <algorithm>

namespace fathom {

std::optional<Variant> TunedChoice::choose(const gpu::Context& gpu,
                                           const std::function<TuneKey()>& key) {
  const Profile& profile = profileInUse();
  const bool mayHaveOne =
      std::any_of(profile.all().begin(), profile.all().end(),
                  [&](const TunedVariant& tuned) { return tuned.technique == technique_; });
  Profile::Answer answer;
  if (mayHaveOne) {
    const gpu::Device& device = gpu.device();
    const TuneKey asked = key();
    TunedVariant wanted;
    wanted.technique = technique_;
    wanted.vendor = device.vendor, wanted.renderer = device.renderer;
    wanted.version = device.version;
    wanted.workload = asked.workload;
    wanted.sizeClass = sizeClassOf(asked.size.x, asked.size.y);
    wanted.templateHash = asked.templateHash, wanted.backEnd = asked.backEnd;
    answer = profile.find(wanted);
  }
  std::optional<Variant> variant;
  if (answer.use) try {
      variant = space_->parse(answer.use->best);
    } catch (const UsageError& error) {
      answer.note =
          fmt::format("{}: {}", technique_, error.what());  // from another version of the program
    }
  if (answer.note != note_) {
    note_ = answer.note;
    if (launchRank().value_or(0) > 0) return variant;  // under mpirun only the first process logs
    if (variant)
      log::line(log::Level::Normal, "fathom: variant " + note_);
    else if (!note_.empty())
      log::warn("profile {}", note_);
  }
  return variant;
}

}  // namespace fathom
