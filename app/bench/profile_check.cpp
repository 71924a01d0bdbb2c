// SPDX-License-Identifier: BSD-3-Clause
#include "app/bench/profile_check.h"

#include "app/core/error.h"
#include "app/io/profile.h"
#include "app/techniques/tuning.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace fathom::bench {
namespace {

constexpr double kSlowerShare = 0.03, kSlowerSigmas = 3;

using Clock = std::chrono::steady_clock;

/// A technique that makes its picture again and again, always with the same profile or with none.
class Side {
 public:
  Side(gpu::Context& gpu, const TechniqueEntry& entry, const ProfileCheckRequest& request,
       std::optional<std::filesystem::path> profile, Progress& progress)
      : gpu_(gpu), technique_(entry.make()), profile_(std::move(profile)) {
    for (const auto& [name, value] : request.sets) assign(technique_->settings(), name, value);
    technique_->adopt(entry.read(request.inputs, progress));
    if (request.size) technique_->setSize(request.size->x, request.size->y);
  }
  void makePicture(bool counts) {
    useProfile(profile_);
    profileInUse();  // read before the clock starts
    const Clock::time_point start = Clock::now();
    const double ms = timedMs(gpu_, [this] {
      Effect effect = Effect::Rebuild;
      while (!technique_->update(gpu_, effect, std::numeric_limits<double>::infinity()))
        effect = Effect::None;
    });
    const std::chrono::duration<double, std::milli> wall = Clock::now() - start;
    if (!counts) return;
    ms_.push_back(ms);
    wallMs_.push_back(wall.count());
  }
  /// What it says about the profile; empty: nothing.
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
  std::unique_ptr<Technique> technique_;
  std::optional<std::filesystem::path> profile_;
  std::vector<double> ms_, wallMs_;
};

/// Leaves what is in use as it was.
class ProfileKept {
 public:
  explicit ProfileKept(std::filesystem::path file) : file_(std::move(file)) {}
  ~ProfileKept() { useProfile(file_); }

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
  const ProfileKept kept(profile);
  Side standard(gpu, entry, request, std::nullopt, progress);
  Side tuned(gpu, entry, request, profile, progress);
  progress.begin(fmt::format("{}: with the profile and without", entry.info.name),
                 2.0 * (request.pictures + 1));
  for (int round = 0; round <= request.pictures; ++round) {
    Side* sides[] = {&standard, &tuned};
    if (round % 2) std::swap(sides[0], sides[1]);
    for (Side* side : sides) {
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
