// SPDX-License-Identifier: BSD-3-Clause
// Box counts, thresholds and fixed-point axes for one window.
#include "app/engine/smoe/decode/grid.h"

#include <glm/common.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace fathom::smoe {
namespace {

/// Fraction bits that hold every position of the window too; only windows far outside the model
/// need fewer than the model has.
int axesBits(const ViewWindow& window, int modelBits) {
  const glm::dvec2 end = window.corner + glm::dvec2(window.size) * window.step;
  const glm::dvec2 far = glm::max(glm::abs(window.corner), glm::abs(end));
  const double largest = std::max({far.x, far.y, 1.0});
  return std::clamp(29 - int(std::ceil(std::log2(largest))), 0, modelBits);
}

void addAxis(std::vector<glm::uvec2>& axes, double corner, double step, int count, float unit) {
  for (int i = 0; i < count; ++i) {
    const double at = corner + double(i) * SMOE_AXIS * step;
    const double fixed = std::nearbyint(at / unit);
    axes.emplace_back(std::uint32_t(std::int32_t(fixed)),
                      std::bit_cast<std::uint32_t>(float(at - fixed * unit)));
  }
}

}  // namespace

float thresholdBits(int bits) { return float(bits) + 1 + 2 * 1.4426950f; }

shared::Params gridParams(const ViewWindow& window, const DecodeOptions& options,
                          const DeviceModel& model) {
  shared::Params p{};
  p.size = window.size * window.samples;
  p.cells = boxes(p.size, SMOE_CELL);
  p.tiles = boxes(p.size, options.tilePixels);
  p.supers = boxes(p.size, SMOE_SUPER);
  p.count = model.count();
  p.tilePixels = std::uint32_t(options.tilePixels);
  const int largest = std::max(p.cells.x, p.cells.y);
  p.levels = std::min<std::uint32_t>(SMOE_LEVELS, std::bit_width(unsigned(largest - 1)) + 1);
  const int bits = axesBits(window, model.fractionBits());
  p.shift = std::uint32_t(model.fractionBits() - bits);
  p.unit = std::ldexp(1.0f, -bits);
  p.step = float(window.step / window.samples);
  p.tau = options.tau > 0 ? options.tau : thresholdBits(options.bits);
  p.limit = std::ldexp(1.0f, -(options.bits + 1));
  p.at = glm::vec2(window.at);
  p.border = float(options.windowBorder);
  p.hasMasks = options.masks;
  p.columns = std::uint32_t(boxes(p.size, SMOE_AXIS).x);
  p.samples = std::uint32_t(window.samples);
  p.colorSpace = std::uint32_t(model.colorSpace());
  return p;
}

std::vector<glm::uvec2> axesOf(const ViewWindow& window, const shared::Params& params) {
  std::vector<glm::uvec2> axes;
  const glm::ivec2 count = boxes(params.size, SMOE_AXIS);
  const double step = window.step / window.samples;
  addAxis(axes, window.corner.x, step, count.x, params.unit);
  addAxis(axes, window.corner.y, step, count.y, params.unit);
  return axes;
}

}  // namespace fathom::smoe
