// SPDX-License-Identifier: BSD-3-Clause
// Whitening there and back, rounding, slicing and tiling; windows, views and grids as texts.
#include "app/engine/smoe/model/model.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"

namespace fathom::smoe {
namespace {

using Matrix = std::array<std::array<double, 4>, 4>;  // lower triangular, p x p

/// L with R = L L^T of the upper left p x p block of R plus `jitter` on the diagonal; none when R
/// is not positive definite.
std::optional<Matrix> cholesky(const Gaussian& g, int p, double jitter) {
  Matrix l{};
  for (int i = 0; i < p; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = g.covariance[i][j] + (i == j ? jitter : 0.0);
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0 && std::isfinite(sum))) return std::nullopt;
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  return l;
}

/// W = L^-1 by forward substitution.
Matrix inverted(const Matrix& l, int p) {
  Matrix w{};
  for (int j = 0; j < p; ++j) {
    w[j][j] = 1 / l[j][j];
    for (int i = j + 1; i < p; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum -= l[i][k] * w[k][j];
      w[i][j] = sum / l[i][i];
    }
  }
  return w;
}

}  // namespace

int fractionBitsFor(int width, int height) {
  const double largest = 2.0 * std::max({width, height, 1});
  return std::clamp(30 - int(std::ceil(std::log2(largest))), 15, 20);
}

std::int32_t fixedPoint(double value, int fractionBits) {
  constexpr double largest = std::numeric_limits<std::int32_t>::max();
  const double scaled = std::nearbyint(std::ldexp(value, fractionBits));
  return std::isnan(scaled) ? 0 : std::int32_t(std::clamp(scaled, -largest, largest));
}

Record exact(const Component& component, const Model& model) {
  Record r;
  r.c = component.c;
  r.center = {std::ldexp(double(component.cx), -model.centerFractionBits),
              std::ldexp(double(component.cy), -model.centerFractionBits)};
  r.w11 = component.w11, r.w21 = component.w21, r.w22 = component.w22;
  for (int i = 0; i < 3; ++i) {
    r.color[i] = component.color[i];
    r.h[i] = {component.h[i][0], component.h[i][1]};
    r.leadH[i] = {component.leadH[i][0], component.leadH[i][1]};
  }
  r.leadCenter = {component.leadCenter[0], component.leadCenter[1]};
  r.leadW11 = component.leadW11, r.leadW21 = component.leadW21, r.leadW22 = component.leadW22;
  for (int i = 0; i < 2; ++i) r.m[i] = {component.m[i][0], component.m[i][1]};
  return r;
}

Component rounded(const Record& record, const Model& model) {
  Component r;
  r.cx = fixedPoint(record.center.x, model.centerFractionBits);
  r.cy = fixedPoint(record.center.y, model.centerFractionBits);
  r.c = float(record.c);
  r.w11 = float(record.w11), r.w21 = float(record.w21), r.w22 = float(record.w22);
  for (int i = 0; i < 3; ++i) {
    r.color[i] = float(record.color[i]);
    for (int k = 0; k < 2; ++k) r.h[i][k] = float(record.h[i][k]);
  }
  // What the model does not have keeps its default, so that equal models have equal bytes.
  const int leading = model.leading();
  if (leading > 0) r.leadW11 = float(record.leadW11);
  if (leading > 1) r.leadW21 = float(record.leadW21), r.leadW22 = float(record.leadW22);
  for (int k = 0; k < leading; ++k) {
    r.leadCenter[k] = float(record.leadCenter[k]);
    for (int i = 0; i < 2; ++i) r.m[i][k] = float(record.m[i][k]);
    for (int i = 0; i < 3; ++i) r.leadH[i][k] = float(record.leadH[i][k]);
  }
  return r;
}

float medianC(std::span<const Component> components) {
  std::vector<float> all;
  for (const Component& component : components) all.push_back(component.c);
  const auto middle = all.begin() + std::ptrdiff_t(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

Axes::Axes(const Record& r) {
  const double sum = r.w11 * r.w11 + r.w21 * r.w21 + r.w22 * r.w22, det = r.w11 * r.w22;
  const double largest = std::sqrt((sum + std::sqrt(std::max(0.0, sum * sum - 4 * det * det))) / 2);
  minor = 1 / largest, major = largest / det;
}

std::size_t allComponents(const Model& model) {
  return model.components.size() + (model.alpha ? model.alpha->components.size() : 0);
}

Model asGray(Model model) {
  if (!isGray(model.colorSpace)) model.colorSpace = ColorSpace::Gray;
  for (Component& c : model.components)
    for (int i = 1; i < 3; ++i) {
      c.color[i] = c.color[0];
      for (int k = 0; k < 2; ++k) c.h[i][k] = c.h[0][k], c.leadH[i][k] = c.leadH[0][k];
    }
  return model;
}

Record whiten(const Gaussian& gaussian, int dims, const std::string& what) {
  const int p = dims, q = p - 2;  // q leading coordinates
  double meanDiagonal = 0;
  for (int i = 0; i < p; ++i) meanDiagonal += gaussian.covariance[i][i] / p;
  std::optional<Matrix> l = cholesky(gaussian, p, 0);
  if (!l) l = cholesky(gaussian, p, 1e-6 * meanDiagonal);
  if (!l) fail("{}: expected a positive definite covariance, found one that is not", what);
  const Matrix w = inverted(*l, p);

  Record r;
  r.c = std::log(gaussian.prior);
  for (int i = 0; i < p; ++i) r.c += std::log(w[i][i]);
  r.center = {gaussian.mean[q], gaussian.mean[q + 1]};
  r.w11 = w[q][q], r.w21 = w[q + 1][q], r.w22 = w[q + 1][q + 1];

  // H = R_YX W^T; its first q columns belong to the leading coordinates.
  for (int color = 0; color < 3; ++color) {
    r.color[color] = gaussian.mean[p + color];
    std::array<double, 4> h{};
    for (int k = 0; k < p; ++k)
      for (int i = 0; i <= k; ++i) h[k] += gaussian.covariance[p + color][i] * w[k][i];
    r.h[color] = {h[q], h[q + 1]};
    for (int k = 0; k < q; ++k) r.leadH[color][k] = h[k];
  }
  if (q == 0) return r;

  r.leadW11 = w[0][0];
  if (q == 2) r.leadW21 = w[1][0], r.leadW22 = w[1][1];
  for (int k = 0; k < q; ++k) {
    r.leadCenter[k] = gaussian.mean[k];
    // M = R_sa R_aa^-1 = L_sa W_a
    for (int s = 0; s < 2; ++s) {
      r.m[s][k] = 0;
      for (int i = k; i < q; ++i) r.m[s][k] += (*l)[q + s][i] * w[i][k];
    }
  }
  return r;
}

Gaussian unwhiten(const Record& record, int dims) {
  const int p = dims, q = p - 2;
  // L = [L_a 0; M L_a, L_s]
  Matrix l{};
  if (q > 0) l[0][0] = 1 / record.leadW11;
  if (q > 1) {
    l[1][1] = 1 / record.leadW22;
    l[1][0] = -record.leadW21 / (record.leadW11 * record.leadW22);
  }
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < q; ++k)
      for (int i = k; i < q; ++i) l[q + s][k] += record.m[s][i] * l[i][k];
  l[q][q] = 1 / record.w11;
  l[q + 1][q + 1] = 1 / record.w22;
  l[q + 1][q] = -record.w21 / (record.w11 * record.w22);

  std::array<std::array<double, 4>, 3> h{};  // [H_a H_s]
  for (int color = 0; color < 3; ++color) {
    for (int k = 0; k < q; ++k) h[color][k] = record.leadH[color][k];
    for (int k = 0; k < 2; ++k) h[color][q + k] = record.h[color][k];
  }

  // All rows at once: R = A A^T, where A is L above H.
  Gaussian g;
  const auto row = [&](int i) { return i < p ? l[i] : h[i - p]; };
  for (int i = 0; i < p + 3; ++i)
    for (int j = 0; j < p + 3; ++j)
      for (int k = 0; k < p; ++k) g.covariance[i][j] += row(i)[k] * row(j)[k];
  for (int k = 0; k < q; ++k) g.mean[k] = record.leadCenter[k];
  for (int k = 0; k < 2; ++k) g.mean[q + k] = record.center[k];
  for (int k = 0; k < 3; ++k) g.mean[p + k] = record.color[k];
  double logDiagonal = 0;
  for (int i = 0; i < p; ++i) logDiagonal += std::log(l[i][i]);
  g.prior = std::exp(record.c + logDiagonal);
  return g;
}

Record slice(const Record& record, int leading, ViewCoordinates a) {
  if (leading == 0) return record;
  Record r = record;
  const glm::dvec2 da =
      leading == 2 ? a - record.leadCenter : glm::dvec2(a.x - record.leadCenter.x, 0);
  glm::dvec2 za{record.leadW11 * da.x, 0};
  if (leading == 2) za.y = record.leadW21 * da.x + record.leadW22 * da.y;
  r.c -= (za.x * za.x + za.y * za.y) / 2;
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < leading; ++k) r.center[s] += record.m[s][k] * da[k];
  for (int color = 0; color < 3; ++color)
    for (int k = 0; k < leading; ++k) r.color[color] += record.leadH[color][k] * za[k];
  return r;
}

Model tiled(const Model& model, int width, int height) {
  Model result = model;
  result.width = width, result.height = height;
  if (model.alpha) result.alpha = std::make_shared<const Model>(tiled(*model.alpha, width, height));
  result.centerFractionBits = fractionBitsFor(width, height);
  result.components.clear();
  const auto copies = [](int size, int total) { return (total + size - 1) / size; };
  // A center may lie one picture outside its own: copies beside the picture can reach into it.
  for (int j = -1; j <= copies(model.height, height); ++j)
    for (int i = -1; i <= copies(model.width, width); ++i)
      for (const Component& component : model.components) {
        Record r = exact(component, model);
        r.center += glm::dvec2(double(i) * model.width, double(j) * model.height);
        if (r.center.x >= 0 && r.center.y >= 0 && r.center.x < width && r.center.y < height)
          result.components.push_back(rounded(r, result));
      }
  return result;
}

// ---- Windows, views and grids as texts

namespace {

constexpr double kMaxCoordinate = 1e6;  // px or view steps; larger numbers are a mistake

/// Numbers between commas; empty when it is not that.
std::vector<double> numbersOf(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& part : splitAt(text, ',')) {
    const auto value = numberIn<double>(part);
    if (!value || !(std::abs(*value) <= kMaxCoordinate)) return {};
    numbers.push_back(*value);
  }
  return numbers;
}

}  // namespace

std::optional<ModelRect> parseWindow(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::vector<double> n = numbersOf(text);
  if (n.size() != 4 || !(n[2] > 0) || !(n[3] > 0))
    failUsage("--window: expected X,Y,W,H with W and H above 0, found \"{}\"", text);
  return ModelRect{{n[0], n[1]}, {n[2], n[3]}};
}

std::string windowText(const ModelRect& rect) {
  return fmt::format("{:.7g},{:.7g},{:.7g},{:.7g}", rect.corner.x, rect.corner.y, rect.extent.x,
                     rect.extent.y);
}

ViewCoordinates parseView(const std::string& text, int leading) {
  if (text.empty() || leading == 0) return ViewCoordinates(0);
  const std::vector<double> n = numbersOf(text);
  if (int(n.size()) != leading)
    failUsage("--view: expected {}, found \"{}\"", leading == 2 ? "A1,A2" : "a frame", text);
  return {n[0], leading == 2 ? n[1] : 0.0};
}

std::string viewText(ViewCoordinates at, int leading) {
  // Without a negative zero, so that going round comes back to the same text.
  const auto rounded = [](double v) { return std::round(v * 1000) / 1000 + 0.0; };
  if (leading == 0 || (leading == 2 && rounded(at.x) == 0 && rounded(at.y) == 0)) return "";
  if (leading == 1) return fmt::format("{}", rounded(at.x));
  return fmt::format("{},{}", rounded(at.x), rounded(at.y));
}

ViewCoordinates orbitView(const Model& model, double seconds) {
  if (model.leading() == 0) return ViewCoordinates(0);
  if (model.leading() == 1)
    return {
        std::min(std::fmod(seconds * kFramesPerSecond, double(model.frames)), model.frames - 1.0),
        0};
  const double angle = 2 * std::numbers::pi * std::fmod(seconds / kOrbitSeconds, 1.0);
  const glm::dvec2 middle = glm::dvec2(model.views - 1) / 2.0 - model.viewOrigin;
  return middle +
         glm::dvec2(std::cos(angle), std::sin(angle)) * glm::dvec2(model.views - 1) * kOrbitShare;
}

}  // namespace fathom::smoe
