// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with a diagonal preconditioner (Hestenes, Stiefel 1952), where a product with
// the matrix is two passes on the GPU.
#include "app/engine/smoe/fit/experts.h"

#include "app/engine/smoe/fit/adam.h"
#include "app/engine/smoe/fit/regions.h"

namespace fathom::smoe {

constexpr double kPull = 0.01;  // lambda, toward the start
constexpr std::size_t kNumbers = 9;
constexpr int kPackingSteps = 12;  // from experts that are nearly right
constexpr double kPackingTau = 11;
// Of the descents between rounding centers, sizes, and the rest of the gates.
constexpr int kGateSteps = 60, kGateListAge = 20;
constexpr double kGateRate = 0.5;

ExpertSolver::ExpertSolver(FitPasses& passes, std::span<FitRegion* const> regions,
                           std::vector<Component> components, Refit what, Slopes slopes)
    : passes_(passes),
      slopes_(slopes),
      regions_(regions.begin(), regions.end()),
      components_(std::move(components)) {
  for (const Component& c : components_) {
    start_.insert(start_.end(), c.color, c.color + 3);
    for (const auto& row : c.h) start_.insert(start_.end(), row, row + 2);
  }
  change_.assign(start_.size(), 0);
  // r = b - A x at x = start, and the first direction, preconditioned.
  residual_ = gradientAt(start_, 1);
  scale_ = diagonal();
  hold(residual_);
  for (std::size_t i = 0; i < start_.size(); ++i) {
    residual_[i] = -residual_[i];
    const bool free = what == Refit::Experts || i % kNumbers < 3;
    scale_[i] = free ? 1 / (scale_[i] + kPull) : 0;
    direction_.push_back(scale_[i] * residual_[i]);
    square_ += residual_[i] * direction_[i];
  }
  firstSquare_ = square_;
}

bool ExpertSolver::step() {
  if (!(square_ > 1e-14 * firstSquare_)) return false;
  // A d: the gradient against black, plus the pull toward the start.
  Vector product = gradientAt(direction_, 0);
  hold(product);
  double along = 0;
  for (std::size_t i = 0; i < product.size(); ++i) {
    product[i] += kPull * direction_[i];
    along += product[i] * direction_[i];
  }
  if (!(along > 0)) return false;
  // Along d to the minimum, then the next direction, conjugate to all before.
  const double length = square_ / along;
  double next = 0;
  for (std::size_t i = 0; i < product.size(); ++i) {
    change_[i] += length * direction_[i];
    residual_[i] -= length * product[i];
    next += residual_[i] * scale_[i] * residual_[i];
  }
  for (std::size_t i = 0; i < product.size(); ++i)
    direction_[i] = scale_[i] * residual_[i] + next / square_ * direction_[i];
  square_ = next;
  return true;
}

std::vector<Component> ExpertSolver::finish() {
  Vector experts = start_;
  for (std::size_t i = 0; i < experts.size(); ++i) experts[i] += change_[i];
  std::vector<Component> result = withExperts(experts);
  passes_.upload(result);
  return result;
}

std::vector<Component> ExpertSolver::withExperts(const Vector& experts) const {
  std::vector<Component> result = components_;
  for (std::size_t j = 0; j < result.size(); ++j) {
    const double* of = experts.data() + j * kNumbers;
    for (int k = 0; k < 3; ++k) {
      result[j].color[k] = float(of[k]);
      result[j].h[k][0] = float(of[3 + 2 * k]), result[j].h[k][1] = float(of[4 + 2 * k]);
    }
  }
  return result;
}

ExpertSolver::Vector ExpertSolver::gradientAt(const Vector& experts, float targetScale) {
  passes_.upload(withExperts(experts));
  bool add = false;
  for (FitRegion* region : regions_) {
    passes_.decode(*region, FitPasses::Keep::Products, targetScale);
    passes_.gradient(*region, add);
    add = true;
  }
  // Rows as in shared::FitRecord: the two numbers of H for red are next to W and next to the color.
  Vector result;
  for (const auto& sum : passes_.downloadSums<FIT_ROWS_GRADIENT>())
    for (const int at : {8, 9, 10, 7, 11, 12, 13, 14, 15})
      result.push_back(double(sum[std::size_t(at)]));
  return result;
}

/// Of a gradient, only what leaves differences of color between slopes alone.
void ExpertSolver::hold(Vector& gradient) const {
  if (slopes_ == Slopes::Free) return;
  for (std::size_t at = 0; at < gradient.size(); at += kNumbers)
    for (std::size_t axis = 3; axis < 5; ++axis) {
      double &red = gradient[at + axis], &green = gradient[at + axis + 2];
      double& blue = gradient[at + axis + 4];
      if (slopes_ == Slopes::Luma)
        red = green = blue = (red + green + blue) / 3;
      else
        green = blue = 0;
    }
}

ExpertSolver::Vector ExpertSolver::diagonal() {
  Vector result(start_.size(), 0);
  passes_.upload(components_);
  for (FitRegion* region : regions_) {
    passes_.decode(*region, FitPasses::Keep::Colors);
    passes_.measure(*region);
    const auto sums = passes_.downloadSums<FIT_ROWS_MEASURE>();
    for (std::size_t j = 0; j < sums.size(); ++j) {
      double* of = result.data() + j * kNumbers;
      for (std::size_t k = 0; k < 3; ++k) {
        of[k] += double(sums[j][7]);
        of[3 + 2 * k] += double(sums[j][8]), of[4 + 2 * k] += double(sums[j][9]);
      }
    }
  }
  return result;
}

// ---- For packed files

namespace {

Slopes slopesOf(ColorSpace space) {
  return space == ColorSpace::Ycbcr709 ? Slopes::First : Slopes::Luma;
}

/// The slopes `now` with the differences of color of those `then`.
void keepChroma(float (&now)[3][2], const float (&then)[3][2], Slopes slopes) {
  for (int axis = 0; axis < 2; ++axis) {
    float change = now[0][axis] - then[0][axis];
    if (slopes == Slopes::Luma)
      change = (change + now[1][axis] - then[1][axis] + now[2][axis] - then[2][axis]) / 3;
    for (int k = 0; k < 3; ++k)
      now[k][axis] = then[k][axis] + (slopes == Slopes::Luma || k == 0 ? change : 0);
  }
}

/// The components with what stays of these.
std::vector<Component> withRounded(std::vector<Component> components,
                                   const std::vector<Component>& rounded, Slopes slopes,
                                   Refit what) {
  for (std::size_t j = 0; j < components.size(); ++j) {
    keepChroma(components[j].h, rounded[j].h, slopes);
    components[j].cx = rounded[j].cx, components[j].cy = rounded[j].cy;
    if (what == Refit::Gates)
      components[j].w11 = rounded[j].w11, components[j].w22 = rounded[j].w22;
  }
  return components;
}

/// As descent holds them, well within what a file takes.
void keepExpertsInRange(std::vector<Component>& components) {
  for (Component& c : components) {
    for (float& color : c.color) color = std::clamp(color, -2.0f, 3.0f);
    for (auto& row : c.h)
      for (float& h : row) h = std::clamp(h, -8.0f, 8.0f);
  }
}

}  // namespace

PackingRefit::PackingRefit(gpu::Context& gpu, const SharedTraining& training, const Model& model,
                           Refit what)
    : areas_(gpu, model.colorSpace == ColorSpace::Gray ? training->alpha : training),
      passes_(gpu, model.components.size(), 0, model.centerFractionBits),
      components_(model.components),
      slopes_(slopesOf(model.colorSpace)),
      what_(what) {
  passes_.upload(components_);
  if (what == Refit::Sizes || what == Refit::Gates)
    adam_ = std::make_unique<FitAdam>(passes_, training->size);
  else
    refit_ = std::make_unique<ExpertSolver>(passes_, areas_.of(0, passes_, kPackingTau, 1),
                                            components_, what, slopes_);
}

PackingRefit::~PackingRefit() = default;

bool PackingRefit::step() {
  if (adam_) return descend();
  return ++steps_ <= kPackingSteps && refit_->step();
}

/// Centers stay, and sizes once they are rounded: the rest makes up for that.
bool PackingRefit::descend() {
  if (steps_ >= kGateSteps) return false;
  const FitSchedule schedule(kGateSteps, false, false, kGateRate);
  for (const FitRegion* region : areas_.of(0, passes_, kPackingTau, kGateListAge))
    adam_->add(*region);
  if (steps_ % kGateListAge == 0) adam_->measure();
  const double rate = schedule.rate(double(steps_) / kGateSteps);
  adam_->step({rate, rate});
  components_ = withRounded(passes_.download(), components_, slopes_, what_);
  passes_.upload(components_);
  areas_.grow();
  ++steps_;
  return true;
}

std::vector<Component> PackingRefit::finish() {
  if (refit_) components_ = refit_->finish();
  keepExpertsInRange(components_);
  return components_;
}

std::span<const glm::vec4> packingSource(const TrainingSet& training, const Model& model) {
  const bool ofAlpha = model.colorSpace == ColorSpace::Gray && training.alpha;
  return (ofAlpha ? *training.alpha : training).pictures[0].pixels;
}

Refitter refitterFor(gpu::Context& gpu, SharedTraining training) {
  if (training->dims != 2) return {};
  const auto toTheEnd = [&gpu, training](Model& model, Refit what) {
    PackingRefit refit(gpu, training, model, what);
    while (refit.step()) {
    }
    model.components = refit.finish();
  };
  return {toTheEnd, [training](const Model& model) { return packingSource(*training, model); }};
}

}  // namespace fathom::smoe
