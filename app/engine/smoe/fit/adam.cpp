// SPDX-License-Identifier: BSD-3-Clause
// Step sizes per number of a record, the passes of one step, and the schedule.
#include "app/engine/smoe/fit/adam.h"

#include "app/engine/gpu/pass.h"

namespace fathom::smoe {

// ---- Adam

namespace {

// Of squares. Of a picture every step sees all, and what its neighbors do changes a component's
// gradients within a few dozen steps. Views need a long one, as each step sees only some.
constexpr double kDecay2 = 0.95, kDecay2Views = 0.999;
// The fit of a picture goes twice as far as the step sizes below say where it has the steps to
// settle; a short one goes little farther, and remembers little more of the steps before.
constexpr double kLongSteps = 1000;
constexpr double kMomentum = 0.9, kLongMomentum = 0.95;
// dB: near the source a long one would let components of smooth areas swell, so it becomes shorter
// from kNearing below this on.
constexpr double kNearPsnr = 35, kNearing = 3;
// The error is linear in the experts: near the source, steps as large as the error itself would be
// noise, far from it small ones lose time. They follow its root mean square, which is that of the
// recipe's at this PSNR.
constexpr double kExpertPsnr = 30, kMinExperts = 0.25;
constexpr double kEpsilon = 1e-3;  // of the mean gradient
// Of images, videos, views: per step what these do not say otherwise fades, as it would fit noise:
// surfaces look alike and have one disparity. Views see edges at many places in a pixel: larger W.
constexpr float kFading[] = {0, 0.03f, 0.1f}, kLargestW[] = {2, 2, 2.5f};
constexpr std::size_t kMaxLanes = 4096;  // that add it up

/// Steps per row in the layout of FitRecord, then of FitLead: centers by the component's size,
/// logarithms of the diagonals, the rest in its own unit. The expert of a picture, which is linear
/// in the error, goes half as far as its gate: with as much both overshoot each other.
constexpr float kStepSizes[8][4] = {
    {0.1f, 0.1f, 0.04f, 0},           {0.04f, 0.04f, 0.04f, 0.004f},
    {0.004f, 0.004f, 0.004f, 0.004f}, {0.004f, 0.004f, 0.004f, 0.004f},
    {0.1f, 0.1f, 0.04f, 0.04f},       {0.04f, 0, 0, 0},
    {0, 0.008f, 0.008f, 0.008f},      {0.008f, 0.008f, 0.008f, 0}};
/// Whether this number of FitRecord is the expert's; those of FitLead all go as the gates do.
constexpr bool ofExpert(std::size_t row, int k) {
  return row == 2 || row == 3 || (row == 1 && k == 3);
}
/// Those of M, px per view.
constexpr float kLeadSteps[8][4] = {
    {}, {}, {}, {}, {}, {0, 0.004f, 0.004f, 0.004f}, {0.004f, 0, 0, 0}, {}};

}  // namespace

FitAdam::FitAdam(FitPasses& passes, glm::ivec2 pictureSize, double structure)
    : passes_(passes), size_(pictureSize), structure_(structure) {
  moments_.clear();
  epsilons_.clear();
  if (passes.leading())
    gradient_ = gpu::Buffer<glm::vec4>(passes.gpu(), "fit gradient", passes.componentCount() * 8);
}

void FitAdam::add(const FitRegion& region) {
  passes_.decode(region, structure_ > 0 ? FitPasses::Keep::Colors : FitPasses::Keep::Products);
  if (structure_ > 0) passes_.structure(region, structure_);
  if (passes_.leading() == 0) {
    passes_.gradient(region, added_);
  } else {
    passes_.gradient(region, false);
    shared::FitParams p = passes_.params(region);
    p.add = added_;
    gpu::Pass& chain = passes_.gpu().pass({"fit chain", "shaders/smoe/fit/chain.comp", {}});
    chain.params(FIT_BIND_PARAMS, p)
        .texels(FIT_TEXELS_LEADS, passes_.leadTexels())
        .storage(FIT_BIND_SUMS, passes_.sums())
        .storage(FIT_BIND_GRADIENT, gradient_);
    chain.dispatch(passes_.componentCount(), gpu::Each{200});
    gpu::barrier(gpu::Access::Storage);  // the next region adds, Adam reads
  }
  added_ = true;
}

void FitAdam::measure() {
  const std::size_t count = passes_.componentCount();
  shared::FitBand p{};
  p.componentCount = std::uint32_t(count);
  p.laneCount = std::uint32_t(std::clamp<std::size_t>(count / 16, 64, kMaxLanes));
  p.relative = float(kEpsilon);
  gpu::ensure(passes_.gpu(), magnitudes_, "fit magnitudes", p.laneCount * rows_);
  const std::vector<gpu::Define> defines{{"FIT_LEADING", passes_.leading() ? 1 : 0}};
  gpu::Pass& sum =
      passes_.gpu().pass({"fit magnitudes", "shaders/smoe/fit/magnitudes.comp", defines});
  sum.params(FIT_BIND_PARAMS, p)
      .texels(FIT_TEXELS_RECORDS, passes_.recordTexels())
      .storage(FIT_BIND_GRADIENT, gradient())
      .storage(FIT_BIND_MAGNITUDES, magnitudes_);
  if (passes_.leading()) sum.texels(FIT_TEXELS_LEADS, passes_.leadTexels());
  const double each = double(count) / p.laneCount;  // components of a lane
  sum.dispatch(p.laneCount, gpu::Each{20.0 * double(rows_) * each, each});
  gpu::barrier(gpu::Access::Storage);  // their sums

  gpu::Pass& mean = passes_.gpu().pass({"fit epsilons", "shaders/smoe/fit/epsilons.comp", defines});
  mean.params(FIT_BIND_PARAMS, p)
      .storage(FIT_BIND_MAGNITUDES, magnitudes_)
      .storage(FIT_BIND_EPSILONS, epsilons_);
  mean.dispatch(rows_, gpu::Each{10.0 * p.laneCount, double(p.laneCount)});
  gpu::barrier(gpu::Access::Storage);  // Adam
}

void FitAdam::step(const FitPace& pace) {
  ++steps_;
  shared::FitAdamParams p{};
  for (std::size_t row = 0; row < rows_; ++row)
    for (int k = 0; k < 4; ++k) {
      const double rate = ofExpert(row, k) ? pace.experts : pace.gates;
      p.steps[row][k] = float(rate) * kStepSizes[row][k] + float(pace.leads) * kLeadSteps[row][k];
    }
  p.decay1 = float(pace.momentum);
  p.decay2 = float(passes_.leading() ? kDecay2Views : kDecay2);
  p.size = glm::vec2(size_);
  p.keptLead = float(1 - pace.widening), p.keptSlope = 1 - kFading[passes_.leading()];
  p.keptShear = passes_.leading() < 2 ? 1 : p.keptSlope, p.largestW = kLargestW[passes_.leading()];
  p.componentCount = std::uint32_t(passes_.componentCount());
  p.fractionBits = std::uint32_t(passes_.fractionBits());

  gpu::Pass& adam = passes_.gpu().pass(
      {"fit adam", "shaders/smoe/fit/adam.comp", {{"FIT_LEADING", passes_.leading() ? 1 : 0}}});
  adam.params(FIT_BIND_ADAM, p)
      .storage(FIT_BIND_EPSILONS, epsilons_)
      .storage(FIT_BIND_GRADIENT, gradient())
      .storage(FIT_BIND_MOMENTS, moments_)
      .storage(FIT_BIND_RECORDS, passes_.records());
  if (passes_.leading()) adam.storage(FIT_BIND_LEADS, passes_.leads());
  adam.dispatch(passes_.componentCount(), gpu::Each{600});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture);  // the next decode
  added_ = false;
}

void FitAdam::forget(std::span<const std::uint32_t> components) {
  const std::vector<glm::vec4> zero(rows_ * 2, glm::vec4(0));
  for (const std::uint32_t j : components) moments_.upload(zero, j * rows_ * 2);
}

AdamState FitAdam::state() const {
  AdamState state{moments_.download(), {}, steps_};
  const std::vector<glm::vec4> epsilons = epsilons_.download();
  std::copy(epsilons.begin(), epsilons.end(), state.epsilons.begin());
  return state;
}

void FitAdam::restore(const AdamState& state) {
  FATHOM_CHECK_OP(state.moments.size(), ==, moments_.count());
  std::vector<glm::vec4> moments = state.moments;
  // Where a memory has no age (earlier versions of the program), it is the fit's.
  for (std::size_t first = 0; first < moments.size(); first += rows_ * 2)
    if (moments[first].w == 0 && moments[first + 1] != glm::vec4(0))
      moments[first].w = float(state.steps);
  moments_.upload(moments);
  epsilons_.upload(state.epsilons);
  steps_ = state.steps;
  added_ = false;
}

// ---- Schedule

constexpr int kRoundSteps = 40;     // between relocations of an image's fit: what moved must settle
constexpr int kMinRoundSteps = 10;  // of short runs
constexpr int kMinRounds = 5;
constexpr double kRelocated = 0.8;  // of an image's run
// Over a run with views, of W and mu along them: components that reach over more views show more
// alike between them.
constexpr double kWidening = 0.4;

FitSchedule::FitSchedule(int steps, bool manyPictures, bool relocates, double rate)
    : steps_(steps), manyPictures_(manyPictures), relocates_(relocates), rate_(rate) {
  if (manyPictures) {
    rounds_ = 4;
    roundSteps_ = std::max(kMinRoundSteps, steps / rounds_);
    return;
  }
  const int relocating = int(kRelocated * steps);
  roundSteps_ = std::clamp(relocating / kMinRounds, kMinRoundSteps, kRoundSteps);
  rounds_ = relocating / roundSteps_;
}

double FitSchedule::rate(double part) const {
  if (manyPictures_) return rate_ * (part < 0.5 ? 1.5 : part < 0.75 ? 0.9 : 0.45);
  const double whole = rate_ * (1 + length());
  return part < 0.6 ? whole : whole * std::pow(0.1, (part - 0.6) / 0.4);
}

double FitSchedule::length() const { return std::min(1.0, steps_ / kLongSteps); }

FitPace FitSchedule::pace(double part, double psnr, bool room) const {
  const double gates = rate(part);
  if (manyPictures_)
    return {gates, 2.5 * gates, 2 * gates, kMomentum, kWidening / std::max(steps_, 100)};
  if (!room) return {gates, gates, 0, kMomentum};
  const double experts =
      std::clamp(std::pow(10, (kExpertPsnr - psnr) / 20), kMinExperts, 1 + length());
  const double far = std::clamp((kNearPsnr - psnr) / kNearing, 0.0, 1.0);
  return {gates, gates * experts, 0, kMomentum + far * length() * (kLongMomentum - kMomentum)};
}

bool FitSchedule::relocatesAfter(int done, double part) const {
  if (!relocates_ || done == 0 || done % roundSteps_ != 0) return false;
  if (part > (manyPictures_ ? 0.75 : kRelocated) + 1e-9) return false;
  // The last round of many pictures is for settling, as is the last fifth of an image's run.
  const int last = manyPictures_ ? rounds_ - 1 : rounds_;
  return done / roundSteps_ <= last && done + kMinRoundSteps <= steps_;
}

}  // namespace fathom::smoe
