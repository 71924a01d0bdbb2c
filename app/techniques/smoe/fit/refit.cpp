// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with a diagonal preconditioner (Hestenes, Stiefel 1952), where a product with
// the matrix is two passes on the GPU.
#include "app/techniques/smoe/fit/refit.h"

#include "app/techniques/smoe/fit/region.h"

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

constexpr double kPull = 0.01;  // lambda, toward the start
constexpr std::size_t kNumbers = 9;
constexpr int kPackingSteps = 12;  // from experts that are nearly right
constexpr double kPackingTau = 11;

}  // namespace

FitRefit::FitRefit(FitPasses& passes, std::span<FitRegion* const> regions,
                   std::vector<Component> components, Refit what)
    : passes_(passes),
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
  for (std::size_t i = 0; i < start_.size(); ++i) {
    residual_[i] = -residual_[i];
    const bool free = what == Refit::Experts || i % kNumbers < 3;
    scale_[i] = free ? 1 / (scale_[i] + kPull) : 0;
    direction_.push_back(scale_[i] * residual_[i]);
    square_ += residual_[i] * direction_[i];
  }
  firstSquare_ = square_;
}

bool FitRefit::step() {
  if (!(square_ > 1e-14 * firstSquare_)) return false;
  // A d: the gradient against black, plus the pull toward the start.
  Vector product = gradientAt(direction_, 0);
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

std::vector<Component> FitRefit::finish() {
  Vector experts = start_;
  for (std::size_t i = 0; i < experts.size(); ++i) experts[i] += change_[i];
  std::vector<Component> result = withExperts(experts);
  passes_.upload(result);
  return result;
}

std::vector<Component> FitRefit::withExperts(const Vector& experts) const {
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

FitRefit::Vector FitRefit::gradientAt(const Vector& experts, float targetScale) {
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

FitRefit::Vector FitRefit::diagonal() {
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

// For packed files
// -------------------------------------------------------------------------------------------------

Refitter refitterFor(gpu::Context& gpu, std::shared_ptr<const TrainingSet> training) {
  if (training->dims != 2) return {};
  return [&gpu, training](Model& model, Refit what) {
    FitAreas areas(gpu, training);
    FitPasses passes(gpu, model.components.size(), 0, model.centerFractionBits);
    passes.upload(model.components);
    FitRefit refit(passes, areas.of(0, passes, kPackingTau, 1), model.components, what);
    for (int i = 0; i < kPackingSteps && refit.step();) ++i;
    model.components = refit.finish();
    // As descent holds them, well within what a file takes.
    for (Component& c : model.components) {
      for (float& color : c.color) color = std::clamp(color, -2.0f, 3.0f);
      for (auto& row : c.h)
        for (float& h : row) h = std::clamp(h, -8.0f, 8.0f);
    }
  };
}

}  // namespace fathom::smoe
