// SPDX-License-Identifier: BSD-3-Clause
// 64 pixels at a time, which compilers make vectors of.
#include "app/engine/smoe/decode/processor.h"

#include "app/engine/core/jobs.h"
#include "shaders/smoe/fit/shared.h"

namespace fathom::smoe {
namespace {

constexpr int kLanes = 64;
constexpr float kLost = 1e-30f;  // sums of weights below have lost their digits

/// On a tile, by x and y from its corner: z = z0 + (w11 x, w21 x + w22 y), scaled so that the
/// weight is 2^(c - |z|^2); the color is linear in them, too. As in shade.comp, what is large and
/// cancels is computed in float64.
struct TileComponent {
  float c, z1, z2, w11, w21, w22;
  glm::vec3 color, alongX, alongY;

  TileComponent(const Record& r, const reference::Grid& grid, glm::dvec2 corner, double offset) {
    const double scale = std::sqrt(0.5 / std::numbers::ln2);
    const Evaluation at(r, corner);
    const double x1 = r.w11 * grid.step, x2 = r.w21 * grid.step, y2 = r.w22 * grid.step;
    c = float((r.c - offset) / std::numbers::ln2);
    z1 = float(at.z.x * scale), z2 = float(at.z.y * scale);
    w11 = float(x1 * scale), w21 = float(x2 * scale), w22 = float(y2 * scale);
    color = glm::vec3(at.color(r));
    for (int k = 0; k < 3; ++k)
      alongX[k] = float(r.h[k].x * x1 + r.h[k].y * x2), alongY[k] = float(r.h[k].y * y2);
  }
};

/// 2^t of t <= 0; below 2^-126 that. The relative error is that of rounding.
inline float powerOfTwo(float t) {
  constexpr float kRound = 1.5f * (1 << 23);
  // Bits of smaller numbers below 0 are larger; compilers make no vectors of what compares floats.
  const auto bits = std::bit_cast<std::uint32_t>(t), least = std::bit_cast<std::uint32_t>(-126.0f);
  t = std::bit_cast<float>(bits < least ? bits : least);
  const float whole = (t + kRound) - kRound, f = t - whole;
  const float power =
      1 + f * (0.69314718f +
               f * (0.24022651f +
                    f * (0.05550411f + f * (0.00961813f + f * (0.00133336f + f * 0.00015404f)))));
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(power) + (std::int32_t(whole) << 23));
}

struct Lanes {
  alignas(64) float x[kLanes], y[kLanes], total[kLanes] = {}, red[kLanes] = {}, green[kLanes] = {},
                                          blue[kLanes] = {};
};

#if defined(__x86_64__) && defined(__ELF__)
__attribute__((target_clones("avx2", "default")))  // without fused sums: the same bits
#endif
void add(std::span<const TileComponent> components, Lanes& lanes) {
  for (const TileComponent t : components)
    for (int i = 0; i < kLanes; ++i) {
      const float x = lanes.x[i], y = lanes.y[i];
      const float z1 = t.z1 + t.w11 * x, z2 = t.z2 + t.w21 * x + t.w22 * y;
      const float weight = powerOfTwo(t.c - (z1 * z1 + z2 * z2));
      lanes.total[i] += weight;
      lanes.red[i] += weight * (t.color.r + t.alongX.r * x + t.alongY.r * y);
      lanes.green[i] += weight * (t.color.g + t.alongX.g * x + t.alongY.g * y);
      lanes.blue[i] += weight * (t.color.b + t.alongX.b * x + t.alongY.b * y);
    }
}

/// Light of encoded colors by a table whose steps are straight: within 3e-8.
class LightTable {
 public:
  LightTable() {
    for (std::size_t i = 0; i < light_.size(); ++i)
      light_[i] = linearFromSrgb(float(i) / float(kSteps));
  }
  float operator()(float encoded) const {
    const float size = std::abs(encoded), at = size * kSteps;
    if (!(size < 1)) return std::copysign(linearFromSrgb(size), encoded);
    const int step = int(at);
    const float* light = light_.data() + step;
    return std::copysign(light[0] + (at - float(step)) * (light[1] - light[0]), encoded);
  }

 private:
  static constexpr int kSteps = 4096;
  std::array<float, kSteps + 1> light_;
};

void toLight(Image& image, const Coding& coding) {
  if (coding.space == ColorSpace::Srgb || coding.space == ColorSpace::GraySrgb) {
    static const LightTable light;
    for (glm::vec4& p : image.pixels) p = {light(p.r), light(p.g), light(p.b), 1};
    return;
  }
  const std::vector<glm::dvec3> colors(image.pixels.begin(), image.pixels.end());
  image = reference::toImage(colors, {image.width, image.height}, coding);
}

}  // namespace

void decodeTile(std::span<const Record> records, std::span<const std::uint32_t> list,
                const reference::Grid& grid, const PixelBox& tile, std::span<glm::vec4> colors) {
  const glm::dvec2 corner = grid.corner + glm::dvec2(tile.low) * grid.step;
  const reference::SampleBox box{corner + 0.5 * grid.step,
                                 corner + (glm::dvec2(tile.size()) - 0.5) * grid.step};
  double offset = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t j : list) offset = std::max(offset, upperBound(records[j], box));
  std::vector<TileComponent> components;
  components.reserve(list.size());
  for (const std::uint32_t j : list) components.emplace_back(records[j], grid, corner, offset);
  const int width = tile.size().x, count = width * tile.size().y;
  for (int first = 0; first < count; first += kLanes) {
    Lanes lanes;
    for (int i = 0; i < kLanes; ++i) {
      const int pixel = std::min(first + i, count - 1);
      lanes.x[i] = float(pixel % width) + 0.5f, lanes.y[i] = float(pixel / width) + 0.5f;
    }
    add(components, lanes);
    for (int i = 0; i < std::min(kLanes, count - first); ++i) {
      const glm::ivec2 at = tile.low + glm::ivec2((first + i) % width, (first + i) / width);
      glm::vec4& color = colors[std::size_t(at.y) * std::size_t(grid.size.x) + std::size_t(at.x)];
      color = glm::vec4(glm::vec3(lanes.red[i], lanes.green[i], lanes.blue[i]) / lanes.total[i], 1);
      if (lanes.total[i] > kLost) continue;
      const reference::Grid one{{1, 1}, grid.corner + glm::dvec2(at) * grid.step, grid.step};
      color = glm::vec4(reference::decode(records, one, {{list.begin(), list.end()}}, 1)[0], 1);
    }
  }
}

Image decodedPart(const Model& model, const ViewWindow& window, double tau) {
  const std::vector<Record> records = reference::recordsIn(model, window);
  const reference::Grid grid{window.size * window.samples};
  const ComponentLists lists = buildComponentLists(records, {{0, 0}, grid.size}, tau);
  Image fine(grid.size.x, grid.size.y);
  parallelForEach(std::size_t(lists.tiles.y), 1, [&](std::size_t row) {
    for (glm::ivec2 at(0, row); at.x < lists.tiles.x; ++at.x) {
      const std::size_t tile = row * std::size_t(lists.tiles.x) + std::size_t(at.x);
      const std::uint32_t first = lists.tileStarts[tile], last = lists.tileStarts[tile + 1];
      decodeTile(records, std::span(lists.components).subspan(first, last - first), grid,
                 {at * FIT_TILE, glm::min((at + 1) * FIT_TILE, grid.size)}, fine.pixels);
    }
  });
  toLight(fine, model.coding());
  if (window.samples == 1) return fine;
  return reference::averaged(fine, window.samples);
}

}  // namespace fathom::smoe
