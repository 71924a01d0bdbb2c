// SPDX-License-Identifier: BSD-3-Clause
// What the numbers of a model must be, whoever made it: checked when a file is read and before one
// is written.
#include "app/engine/core/error.h"
#include "app/engine/smoe/model/io_header.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace fathom::smoe {
namespace {

constexpr double kMinSigma = 0.05;     // px
constexpr double kMaxSigma = 4;        // image diagonals
constexpr double kMaxCondition = 1e8;  // of R_XX
constexpr double kMaxC = 200;          // from the median
constexpr double kMinColor = -4, kMaxColor = 5;
constexpr double kMaxSlope = 16;   // |H| per color
constexpr double kMaxMotion = 64;  // |M|, px per view step

constexpr const char* kColorNames[] = {"muY1", "muY2", "muY3"};
constexpr const char* kSlopeNames[] = {"|H1|", "|H2|", "|H3|"};
constexpr const char* kTimeSlopeNames[] = {"|Ht1|", "|Ht2|", "|Ht3|"};
constexpr const char* kViewSlopeNames[] = {"|Ha1|", "|Ha2|", "|Ha3|"};
constexpr const char* kMotionNames[2][2] = {{"M11", "M12"}, {"M21", "M22"}};

/// Standard deviations along the two axes of the ellipse, from the singular values of W_s.
struct Axes {
  double minor, major;
};
Axes axesOf(const Record& r) {
  const double sum = r.w11 * r.w11 + r.w21 * r.w21 + r.w22 * r.w22, det = r.w11 * r.w22;
  const double largest = std::sqrt((sum + std::sqrt(std::max(0.0, sum * sum - 4 * det * det))) / 2);
  return {1 / largest, largest / det};
}

/// Largest over smallest eigenvalue of R_XX.
double conditionOf(const Record& r, int dims) {
  if (dims == 2) {
    const Axes axes = axesOf(r);
    return axes.major / axes.minor * (axes.major / axes.minor);
  }
  // One size for both: the diagonal's first entry lies between the eigenvalues.
  const Gaussian g = unwhiten(r, dims);
  Eigen::Matrix4d rxx = Eigen::Matrix4d::Identity() * g.covariance[0][0];
  for (int i = 0; i < dims; ++i)
    for (int j = 0; j < dims; ++j) rxx(i, j) = g.covariance[i][j];
  if (!rxx.allFinite()) return std::numeric_limits<double>::infinity();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(rxx, Eigen::EigenvaluesOnly);
  const double smallest = solver.eigenvalues()[0], largest = solver.eigenvalues()[3];
  return smallest > 0 ? largest / smallest : std::numeric_limits<double>::infinity();
}

class Validation {
 public:
  Validation(const Model& model, const std::string& name) : model_(model), name_(name) {}

  void shape() const {
    expectInteger("dims", model_.dims, 2, 4);
    expectInteger("count", std::int64_t(model_.components.size()), 1, limits::kComponents);
    expectInteger("width", model_.width, 1, limits::kSide);
    expectInteger("height", model_.height, 1, limits::kSide);
    expectInteger("centreFracBits", model_.centerFractionBits, 15, 20);
    if (model_.dims == 3) expectInteger("frames", model_.frames, 1, limits::kFrames);
    if (model_.dims < 4) return;
    for (int k = 0; k < 2; ++k) {
      expectInteger("views", model_.views[k], 1, limits::kViews);
      if (!(model_.viewOrigin[k] >= 0 && model_.viewOrigin[k] <= model_.views[k] - 1))
        fail("{}: viewOrigin: expected a place among {} views, found {}", name_, model_.views[k],
             model_.viewOrigin[k]);
    }
  }

  void numbers() {
    for (index_ = 0; index_ < model_.components.size(); ++index_) finite();
  }

  void components() {
    numbers();
    medianC_ = medianC();
    for (index_ = 0; index_ < model_.components.size(); ++index_) values();
  }

 private:
  void expectInteger(const char* key, std::int64_t value, std::int64_t low,
                     std::int64_t high) const {
    if (value < low || value > high)
      fail("{}: {}: expected an integer from {} to {}, found {}", name_, key, low, high, value);
  }
  void expect(bool holds, std::string_view field, std::string_view expected, double found) const {
    if (!holds)
      fail("{}: component {}: {}: expected {}, found {:.6g}", name_, index_, field, expected,
           found);
  }
  void expectWithin(std::string_view field, double value, double low, double high) const {
    if (!(value >= low && value <= high))
      expect(false, field, fmt::format("a number from {:g} to {:g}", low, high), value);
  }

  void finite() const {
    for (const RecordField& field : recordFields(model_.dims)) {
      const double value = valueOf(model_.components[index_], field, model_);
      if (!std::isfinite(value)) expect(false, field.name, "a finite number", value);
      if (field.map == Map::Log && !(value > 0))
        expect(false, field.name, "a positive number", value);
    }
  }

  double medianC() const {
    std::vector<float> all;
    for (const Component& component : model_.components) all.push_back(component.c);
    const auto middle = all.begin() + std::ptrdiff_t(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return double(*middle);
  }

  void values() const {
    const Record r = exact(model_.components[index_], model_);
    const double width = model_.width, height = model_.height;
    expectWithin("cx", r.center.x, -width, 2 * width);
    expectWithin("cy", r.center.y, -height, 2 * height);
    expectWithin("c, from the median", r.c - medianC_, -kMaxC, kMaxC);

    const Axes axes = axesOf(r);
    const double largest = kMaxSigma * std::hypot(width, height);
    expectWithin("sigma of W along the short axis", axes.minor, kMinSigma, largest);
    expectWithin("sigma of W along the long axis", axes.major, kMinSigma, largest);
    const double condition = conditionOf(r, model_.dims);
    expect(condition <= kMaxCondition, "condition of R_XX", "at most 1e8", condition);

    for (int i = 0; i < 3; ++i) {
      expectWithin(kColorNames[i], r.color[i], kMinColor, kMaxColor);
      expectWithin(kSlopeNames[i], glm::length(r.h[i]), 0, kMaxSlope);
    }
    if (model_.dims == 3) video(r);
    if (model_.dims == 4) lightField(r);
  }

  void video(const Record& r) const {
    for (int i = 0; i < 3; ++i)
      expectWithin(kTimeSlopeNames[i], std::abs(r.leadH[i].x), 0, kMaxSlope);
    expectWithin("M1", r.m[0].x, -kMaxMotion, kMaxMotion);
    expectWithin("M2", r.m[1].x, -kMaxMotion, kMaxMotion);
  }

  void lightField(const Record& r) const {
    for (int i = 0; i < 3; ++i)
      expectWithin(kViewSlopeNames[i], glm::length(r.leadH[i]), 0, kMaxSlope);
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k)
        expectWithin(kMotionNames[i][k], r.m[i][k], -kMaxMotion, kMaxMotion);
  }

  const Model& model_;
  const std::string& name_;
  std::size_t index_ = 0;
  double medianC_ = 0;
};

}  // namespace

void validate(const Model& model, const std::string& name) {
  Validation validation(model, name);
  validation.shape();
  validation.components();
  if (!model.alpha) return;
  const Model& alpha = *model.alpha;
  if (model.dims != 2 || model.colorSpace == ColorSpace::Gray)
    fail("{}: alpha: expected none beside gray, views or frames, found some", name);
  if (alpha.dims != 2 || alpha.colorSpace != ColorSpace::Gray || alpha.alpha)
    fail("{}: alpha: expected a gray image, found another model", name);
  if (alpha.width != model.width || alpha.height != model.height)
    fail("{}: alpha: expected {} x {} px as the colors have, found {} x {}", name, model.width,
         model.height, alpha.width, alpha.height);
  validate(alpha, name + ": alpha");
}

void validateNumbers(const Model& model, const std::string& name) {
  Validation validation(model, name);
  validation.shape();
  validation.numbers();
}

}  // namespace fathom::smoe
