// SPDX-License-Identifier: BSD-3-Clause
// Decoding by eq. 9 in float64, and exact bounds of components on boxes.
#include "app/engine/smoe/model/reference.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/smoe/model/component_lists.h"
#include "shaders/smoe/fit/shared.h"

namespace fathom::smoe::reference {
// ---- Decoding

namespace {

/// What is this far below the largest weight adds nothing to a sum in float64.
constexpr double kNothing = 100;

glm::dvec2 sampleAt(const Grid& grid, int x, int y) {
  return grid.corner + (glm::dvec2(x, y) + 0.5) * grid.step;
}

/// Eqs. 8 and 9 at one position: gates times experts. `logs` is room for one number per component.
glm::dvec3 decodeAt(std::span<const Record> records, std::span<const std::uint32_t> list,
                    glm::dvec2 x, std::vector<double>& logs) {
  logs.resize(list.size());
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < list.size(); ++i)
    largest = std::max(largest, logs[i] = Evaluation(records[list[i]], x).log);
  glm::dvec3 sum{0};
  double total = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (logs[i] < largest - kNothing) continue;
    const double weight = std::exp(logs[i] - largest);
    total += weight;
    const Record& r = records[list[i]];
    sum += weight * Evaluation(r, x).color(r);
  }
  return total > 0 ? sum / total : glm::dvec3(0);
}

/// Y' Cb Cr of BT.709, full range, to encoded RGB.
glm::vec3 rgbFromYcbcr(glm::vec3 y) {
  const float cb = y.y - 0.5f, cr = y.z - 0.5f;
  return {y.x + 1.5748f * cr, y.x - 0.187324f * cb - 0.468124f * cr, y.x + 1.8556f * cb};
}

}  // namespace

std::vector<Record> recordsOf(const Model& model, ViewCoordinates a) {
  std::vector<Record> records;
  records.reserve(model.components.size());
  for (const Component& component : model.components)
    records.push_back(slice(exact(component, model), model.leading(), a));
  return records;
}

std::vector<Record> recordsIn(const Model& model, const ViewWindow& window) {
  std::vector<Record> records = recordsOf(model, window.at);
  const double step = window.step / window.samples;
  for (Record& r : records) {
    r.center = (r.center - window.corner) / step;
    r.w11 *= step, r.w21 *= step, r.w22 *= step;
  }
  return records;
}

std::vector<glm::dvec3> decode(std::span<const Record> records, const Grid& grid,
                               const std::vector<std::vector<std::uint32_t>>& lists,
                               int tilePixels) {
  std::vector<glm::dvec3> colors(std::size_t(grid.size.x) * std::size_t(grid.size.y));
  std::vector<std::uint32_t> all(lists.empty() ? records.size() : 0);
  std::iota(all.begin(), all.end(), 0u);
  const std::size_t tilesPerRow = (std::size_t(grid.size.x) + tilePixels - 1) / tilePixels;
  const auto listAt = [&](int x, int y) -> const std::vector<std::uint32_t>& {
    return lists.empty() ? all : lists[std::size_t(y / tilePixels) * tilesPerRow + x / tilePixels];
  };
  parallelFor(std::size_t(grid.size.y), 1, [&](std::size_t first, std::size_t last) {
    std::vector<double> logs;
    for (std::size_t y = first; y < last; ++y)
      for (int x = 0; x < grid.size.x; ++x)
        colors[y * std::size_t(grid.size.x) + std::size_t(x)] =
            decodeAt(records, listAt(x, int(y)), sampleAt(grid, x, int(y)), logs);
  });
  return colors;
}

Image toImage(std::span<const glm::dvec3> colors, glm::ivec2 size, const Coding& coding) {
  const ColorSpace space = coding.space;
  const double asinhPeak = std::asinh(kAsinhSlope * coding.peak);
  Image image(size.x, size.y);
  FATHOM_CHECK_OP(colors.size(), ==, image.pixels.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    glm::vec3 color(colors[i]);
    if (isAsinh(space))
      color = glm::sinh(colors[i] * asinhPeak) / kAsinhSlope;
    else if (space == ColorSpace::Ycbcr709)
      color = rgbFromYcbcr(color);
    if (space != ColorSpace::Linear && space != ColorSpace::Gray && !isAsinh(space))
      for (int k = 0; k < 3; ++k)
        color[k] = std::copysign(linearFromSrgb(std::abs(color[k])), color[k]);
    image.pixels[i] = glm::vec4(color, 1);
  }
  return image;
}

// ---- Bounds and lists

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double squaredDistance(const Record& r, glm::dvec2 d) {
  const double z1 = r.w11 * d.x, z2 = r.w21 * d.x + r.w22 * d.y;
  return z1 * z1 + z2 * z2;
}

/// Smallest squared distance on the box. Outside it the minimum lies on an edge that faces the
/// center, because distance is convex: there, the minimum along the edge's line, clamped to the
/// edge.
double minSquaredDistance(const Record& r, const SampleBox& box) {
  const glm::dvec2 low = box.low - r.center, high = box.high - r.center;
  const bool beside = low.x > 0 || high.x<0, above = low.y> 0 || high.y < 0;
  if (!beside && !above) return 0;
  double smallest = kInfinity;
  if (beside) {
    const double dx = low.x > 0 ? low.x : high.x;
    const double dy = std::clamp(-r.w21 / r.w22 * dx, low.y, high.y);
    smallest = squaredDistance(r, {dx, dy});
  }
  if (above) {
    const double dy = low.y > 0 ? low.y : high.y;
    const double slope = r.w21 * r.w22 / (r.w11 * r.w11 + r.w21 * r.w21);
    const double dx = std::clamp(-slope * dy, low.x, high.x);
    smallest = std::min(smallest, squaredDistance(r, {dx, dy}));
  }
  return smallest;
}

/// The largest lies in a corner, again because distance is convex.
double largestSquaredDistance(const Record& r, const SampleBox& box) {
  const glm::dvec2 low = box.low - r.center, high = box.high - r.center;
  const auto along = [&](double x) {
    const double z1 = r.w11 * x, below = r.w21 * x + r.w22 * low.y,
                 above = r.w21 * x + r.w22 * high.y;
    return z1 * z1 + std::max(below * below, above * above);
  };
  return std::max(along(low.x), along(high.x));
}

/// Without alpha; of all components that are not nothing in float64.
Image opaquePicture(const Model& model, const ViewWindow& window) {
  constexpr double kTau = 40;
  const std::vector<Record> records = recordsIn(model, window);
  const Grid grid{window.size * window.samples};
  const ComponentLists all = buildComponentLists(records, {{0, 0}, grid.size}, kTau);
  std::vector<std::vector<std::uint32_t>> lists;
  for (std::size_t tile = 0; tile + 1 < all.tileStarts.size(); ++tile)
    lists.emplace_back(all.components.begin() + all.tileStarts[tile],
                       all.components.begin() + all.tileStarts[tile + 1]);
  return averaged(toImage(decode(records, grid, lists, FIT_TILE), grid.size, model.coding()),
                  window.samples);
}

}  // namespace

double upperBound(const Record& record, const SampleBox& box) {
  return record.c - minSquaredDistance(record, box) / 2;
}

double lowerBound(const Record& record, const SampleBox& box) {
  return record.c - largestSquaredDistance(record, box) / 2;
}

Image averaged(const Image& fine, int n) {
  Image mean(fine.width / n, fine.height / n);
  for (int y = 0; y < mean.height; ++y)
    for (int x = 0; x < mean.width; ++x) {
      glm::vec4 sum(0);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) sum += fine.at(x * n + i, y * n + j);
      mean.at(x, y) = glm::vec4(glm::vec3(sum) / float(n * n), 1);
    }
  return mean;
}

Image picture(const Model& model, const ViewWindow& window) {
  Image colors = opaquePicture(model, window);
  if (!model.alpha) return colors;
  const Image alpha = opaquePicture(*model.alpha, window);
  for (std::size_t i = 0; i < colors.pixels.size(); ++i) {
    const float a = glm::clamp(alpha.pixels[i].r, 0.0f, 1.0f);
    colors.pixels[i] =
        glm::vec4(glm::clamp(glm::vec3(colors.pixels[i]), 0.0f, a * float(model.peak)), a);
  }
  return colors;
}

}  // namespace fathom::smoe::reference
