// SPDX-License-Identifier: BSD-3-Clause
// Packing components into the rows of shaders/smoe/decode/shared.h, slicing them at a view, and the
// grid of samples.
#include "app/engine/smoe/decode/device_model.h"

#include "app/engine/gpu/pass.h"

namespace fathom::smoe {
namespace {

constexpr double kLog2e = 1.4426950408889634;
const double kSigmaScale = std::sqrt(0.5 * kLog2e);  // W in the buffers is W times this

std::uint32_t scaledBits(float value, double scale) {
  return std::bit_cast<std::uint32_t>(float(value * scale));
}

float largestSlope(const Component& component) {
  float largest = 0;
  for (const float(&h)[2] : component.h) largest = std::max(largest, std::hypot(h[0], h[1]));
  return largest;
}

std::array<glm::uvec4, 2> packCull(const Component& c) {
  return {glm::uvec4(std::uint32_t(c.cx), std::uint32_t(c.cy), scaledBits(c.c, kLog2e),
                     scaledBits(largestSlope(c), 1 / kSigmaScale)),
          glm::uvec4(scaledBits(c.w11, kSigmaScale), scaledBits(c.w21, kSigmaScale),
                     scaledBits(c.w22, kSigmaScale), scaledBits(c.h[0][0], 1 / kSigmaScale))};
}

std::array<glm::uvec4, 2> packShade(const Component& c) {
  const auto h = [&](int color, int axis) { return scaledBits(c.h[color][axis], 1 / kSigmaScale); };
  return {glm::uvec4(scaledBits(c.color[0], 1), scaledBits(c.color[1], 1),
                     scaledBits(c.color[2], 1), h(0, 1)),
          glm::uvec4(h(1, 0), h(1, 1), h(2, 0), h(2, 1))};
}

float reachOf(const Component& c) {
  float largest = 0;
  for (const float color : c.color) largest = std::max(largest, std::abs(color - 0.5f));
  return largest + 0.6f;
}

/// Appends the leading half: 64 bytes for two leading coordinates, 32 for one.
void packLead(const Component& c, int leading, std::vector<glm::vec4>& out) {
  const auto w = float(kSigmaScale), h = float(1 / kSigmaScale);
  if (leading == 1) {
    out.emplace_back(c.leadCenter[0], c.leadW11 * w, c.m[0][0], c.m[1][0]);
    out.emplace_back(c.leadH[0][0] * h, c.leadH[1][0] * h, c.leadH[2][0] * h, 0);
    return;
  }
  out.emplace_back(c.leadCenter[0], c.leadCenter[1], c.leadW11 * w, c.leadW21 * w);
  out.emplace_back(c.leadW22 * w, c.m[0][0], c.m[0][1], c.m[1][0]);
  out.emplace_back(c.m[1][1], c.leadH[0][0] * h, c.leadH[0][1] * h, c.leadH[1][0] * h);
  out.emplace_back(c.leadH[1][1] * h, c.leadH[2][0] * h, c.leadH[2][1] * h, 0);
}

template <class T>
void fill(gpu::Context& gpu, gpu::Buffer<T>& buffer, const char* name, std::span<const T> values) {
  if (buffer.count() != values.size()) buffer = gpu::Buffer<T>(gpu, name, values.size());
  buffer.upload(values);
}

}  // namespace

void DeviceModel::upload(const Model& model) {
  const std::size_t count = model.components.size();
  std::vector<glm::uvec4> cull, shade;
  std::vector<float> reach;
  std::vector<glm::vec4> lead;
  cull.reserve(2 * count), shade.reserve(2 * count), reach.reserve(count);
  for (const Component& c : model.components) {
    for (const glm::uvec4& row : packCull(c)) cull.push_back(row);
    for (const glm::uvec4& row : packShade(c)) shade.push_back(row);
    reach.push_back(reachOf(c));
    if (model.leading() > 0) packLead(c, model.leading(), lead);
  }
  count_ = std::uint32_t(count);
  leading_ = model.leading();
  fractionBits_ = model.centerFractionBits;
  coding_ = model.coding();
  fill<float>(gpu_, reach_, "smoe reach", reach);
  if (leading_ == 0) {
    fill<glm::uvec4>(gpu_, cull_, "smoe gates", cull);
    fill<glm::uvec4>(gpu_, shade_, "smoe experts", shade);
    baseCull_ = {}, baseShade_ = {}, lead_ = {};
    return;
  }
  fill<glm::uvec4>(gpu_, baseCull_, "smoe model gates", cull);
  fill<glm::uvec4>(gpu_, baseShade_, "smoe model experts", shade);
  fill<glm::vec4>(gpu_, lead_, "smoe model leading part", lead);
  if (cull_.count() != cull.size()) cull_ = gpu::Buffer<glm::uvec4>(gpu_, "smoe gates", 2 * count);
  if (shade_.count() != shade.size())
    shade_ = gpu::Buffer<glm::uvec4>(gpu_, "smoe experts", 2 * count);
}

void DeviceModel::reserve(std::uint32_t count, int fractionBits) {
  if (cull_.count() != 2 * std::size_t(count))
    cull_ = gpu::Buffer<glm::uvec4>(gpu_, "smoe gates", 2 * std::size_t(count));
  if (reach_.count() != count) reach_ = gpu::Buffer<float>(gpu_, "smoe reach", count);
  count_ = count;
  leading_ = 0;
  fractionBits_ = fractionBits;
}

const gpu::TexelView& DeviceModel::cullTexels() {
  if (!cullTexels_.shows(cull_)) cullTexels_ = gpu::TexelView(gpu_, cull_);
  return cullTexels_;
}

const gpu::TexelView& DeviceModel::shadeTexels() {
  if (!shadeTexels_.shows(shade_)) shadeTexels_ = gpu::TexelView(gpu_, shade_);
  return shadeTexels_;
}

void DeviceModel::slice(ViewCoordinates at) {
  if (leading_ == 0) return;
  shared::Params params{};
  params.count = count_;
  params.at = glm::vec2(at);
  params.fixedScale = std::ldexp(1.0f, fractionBits_);
  gpu::Pass& pass =
      gpu_.pass({"slice", "shaders/smoe/decode/slice.comp", {{"SMOE_LEADING", leading_}}});
  pass.storage(SMOE_BIND_BASE_CULL, baseCull_)
      .storage(SMOE_BIND_BASE_SHADE, baseShade_)
      .storage(SMOE_BIND_LEAD, lead_)
      .storage(SMOE_BIND_CULL, cull_)
      .storage(SMOE_BIND_SHADE, shade_)
      .storage(SMOE_BIND_REACH, reach_)
      .params(SMOE_BIND_PARAMS, params);
  pass.dispatch(count_, gpu::Each{150});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture);  // bars, lists, shading
}

// ---- The grid of samples

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
  const Coding& coding = model.coding();
  p.colorSpace = std::uint32_t(coding.space);
  p.peak = float(coding.peak);
  p.asinhPeak = isAsinh(coding.space) ? float(std::asinh(kAsinhSlope * coding.peak)) : 0;
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
