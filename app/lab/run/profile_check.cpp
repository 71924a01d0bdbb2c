// SPDX-License-Identifier: BSD-3-Clause
// Two instances take turns, so that whatever disturbs the machine disturbs both alike.
#include "app/lab/run/profile_check.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/context.h"
#include "app/engine/io/profile.h"
#include "app/engine/engine.h"
#include "app/engine/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace fathom::bench {
namespace {

constexpr double kSlowerShare = 0.03, kSlowerSigmas = 3;

/// A technique that makes its picture repeatedly, always with the same profile or without one.
class ProfileSide {
 public:
  ProfileSide(gpu::Context& gpu, const TechniqueEntry& entry, const ProfileCheckRequest& request,
              std::optional<std::filesystem::path> profile, Progress& progress)
      : gpu_(gpu), technique_(entry.make()), profile_(std::move(profile)) {
    for (const auto& [name, value] : request.sets) assign(technique_->settings(), name, value);
    technique_->adopt(entry.read(request.inputs, progress));
    if (request.size) technique_->setSize(request.size->x, request.size->y);
  }
  void makePicture(bool counts) {
    useProfile(profile_);
    profileInUse();  // reads the file before the clock starts
    const Stopwatch wall;
    const double ms = timedMs(gpu_, [this] {
      Effect effect = Effect::Rebuild;
      while (!technique_->update(gpu_, effect, std::numeric_limits<double>::infinity()))
        effect = Effect::None;
    });
    const double wallMs = wall.ms();
    if (!counts) return;
    ms_.push_back(ms);
    wallMs_.push_back(wallMs);
  }
  /// What the technique states about the profile; empty: nothing.
  std::string note() const {
    for (const auto& [name, text] : technique_->facts())
      if (name == "profile") return text;
    return "";
  }
  glm::ivec2 size() const { return technique_->size(); }
  const std::vector<double>& ms() const { return ms_; }
  const std::vector<double>& wallMs() const { return wallMs_; }

 private:
  gpu::Context& gpu_;
  std::unique_ptr<Engine> technique_;
  std::optional<std::filesystem::path> profile_;
  std::vector<double> ms_, wallMs_;
};

/// Puts the profile in use back at the end of a scope.
class ProfileRestored {
 public:
  explicit ProfileRestored(std::filesystem::path file) : file_(std::move(file)) {}
  ~ProfileRestored() { useProfile(file_); }

 private:
  std::filesystem::path file_;
};

}  // namespace

bool ProfileCheck::slower() const {
  return std::log(time.ratio) > std::max(std::log1p(kSlowerShare), kSlowerSigmas * time.noise);
}

ProfileCheck checkProfile(gpu::Context& gpu, const TechniqueEntry& entry,
                          const std::filesystem::path& profile, const ProfileCheckRequest& request,
                          Progress& progress) {
  const ProfileRestored restored(profile);
  ProfileSide standard(gpu, entry, request, std::nullopt, progress);
  ProfileSide tuned(gpu, entry, request, profile, progress);
  progress.begin(fmt::format("{}: with the profile and without", entry.info.name),
                 2.0 * (request.pictures + 1));
  for (int round = 0; round <= request.pictures; ++round) {
    ProfileSide* sides[] = {&standard, &tuned};
    if (round % 2) std::swap(sides[0], sides[1]);
    for (ProfileSide* side : sides) {
      progress.throwIfCancelled();
      side->makePicture(round > 0);
      progress.advance(1);
    }
  }
  ProfileCheck result;
  result.variant = tuned.note();
  if (result.variant.empty() || result.variant.find("not used") != std::string::npos)
    fail("{}: expected a variant for this picture by {}, found {}; `fathom tune {}` finds one",
         profile.string(), entry.info.name,
         result.variant.empty() ? "none" : "\"" + result.variant + "\"", entry.info.name);
  result.size = tuned.size();
  result.standard = summarize(standard.ms()), result.tuned = summarize(tuned.ms());
  result.standardWall = summarize(standard.wallMs()), result.tunedWall = summarize(tuned.wallMs());
  result.time = ratioOf(tuned.ms(), standard.ms());
  result.wall = ratioOf(tuned.wallMs(), standard.wallMs());
  return result;
}

}  // namespace fathom::bench
