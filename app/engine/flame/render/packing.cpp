// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a genome in the places where the generated shader looks for them.
#include "app/engine/core/error.h"
#include "app/engine/flame/genome/projection.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/render/generator.h"
#include "app/engine/flame/render/record_layout.h"
#include "shaders/flame/shared.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace fathom::flame {

namespace {

// Doubles beyond a float's range keep their meaning: the point they make is bad either way.
float toFloat(double v) { return float(std::clamp(v, -3e38, 3e38)); }

const VariationUse* useOf(const Xform& xform, int variation) {
  for (const VariationUse& use : xform.variations)
    if (use.index == variation && use.weight != 0) return &use;
  return nullptr;
}

void packAffine(const Affine& m, double keep, double add, glm::vec4* rows) {
  rows[0] = {toFloat(m.a), toFloat(m.b), toFloat(m.c), toFloat(keep)};
  rows[1] = {toFloat(m.d), toFloat(m.e), toFloat(m.f), toFloat(add)};
}

void packXform(const Xform& xform, double visibility, const RecordLayout& layout, glm::vec4* rows) {
  packAffine(xform.coefs, 1 - xform.colorSpeed, xform.colorSpeed * xform.color, rows);
  if (layout.hasPost) packAffine(xform.post, 0, 0, rows + 2);
  float* floats = &rows[0].x;
  if (layout.visibilityOffset >= 0) floats[layout.visibilityOffset] = toFloat(visibility);
  for (const auto& [variation, offset] : layout.variationOffsets)
    if (const VariationUse* use = useOf(xform, variation)) {
      std::array<double, kMaxPacked> packed{};
      packVariation(*use, xform.coefs, packed.data());
      floats[offset] = toFloat(use->weight);
      for (int i = 0; i < packedCount(variation); ++i)
        floats[offset + 1 + i] = toFloat(packed[std::size_t(i)]);
    }
}

double chaosFactor(const Xform& from, std::size_t to) {
  return to < from.chaos.size() ? from.chaos[to] : 1.0;
}

void addThresholds(const std::vector<double>& weights, int capacity,
                   std::vector<std::uint32_t>& out) {
  std::vector<std::uint32_t> row = selectionThresholds(weights);
  row.resize(std::size_t(capacity), FLAME_SELECTION);
  out.insert(out.end(), row.begin(), row.end());
}

}  // namespace

std::size_t thresholdWords(const Structure& structure) {
  const std::size_t rows = structure.xaos ? std::size_t(structure.capacity) + 1 : 1;
  return (rows * std::size_t(structure.capacity) + 3) / 4 * 4;
}

double visibilityOf(const Genome& genome, std::size_t xform) {
  const bool solo = genome.soloXform >= 0 && std::size_t(genome.soloXform) != xform;
  const double opacity = solo ? 0.0 : genome.xforms[xform].opacity;
  return opacity <= 0 ? 0.0 : std::pow(opacity, std::log2(10.0));
}

std::vector<std::uint32_t> selectionThresholds(const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint32_t> thresholds;
  double sum = 0;
  std::uint32_t entry = 0;
  for (const double weight : weights) {
    sum += weight;
    while (entry < FLAME_SELECTION && sum > entry * (total / FLAME_SELECTION)) ++entry;
    thresholds.push_back(entry);
  }
  // Rounding may leave the last entries over: they belong to the last xform that has a weight.
  if (const auto last =
          std::find_if(weights.rbegin(), weights.rend(), [](double weight) { return weight > 0; });
      last != weights.rend())
    std::fill(thresholds.begin() + (weights.rend() - last - 1), thresholds.end(), FLAME_SELECTION);
  return thresholds;
}

PackedGenome pack(const Genome& genome, const Structure& structure) {
  const RecordLayout layout = layoutOf(structure);
  PackedGenome packed;
  packed.parameters.resize(std::size_t(structure.capacity + finalRecords(structure)) *
                           std::size_t(layout.rows));
  FATHOM_CHECK_OP(genome.xforms.size(), <=, std::size_t(structure.capacity));
  const auto rowsOf = [&](std::size_t record) {
    return packed.parameters.data() + record * std::size_t(layout.rows);
  };
  for (std::size_t i = 0; i < genome.xforms.size(); ++i)
    packXform(genome.xforms[i], visibilityOf(genome, i), layout, rowsOf(i));
  if (genome.finalXform)
    packXform(*genome.finalXform, 1, layout, rowsOf(std::size_t(structure.capacity)));
  for (std::size_t i = 0; i < structure.furtherFinals.size(); ++i)
    if (i < genome.furtherFinals.size())
      packXform(genome.furtherFinals[i], 1, layout,
                rowsOf(std::size_t(structure.capacity) + 1 + i));

  std::vector<double> weights;
  for (const Xform& xform : genome.xforms) weights.push_back(xform.weight);
  addThresholds(weights, structure.capacity, packed.thresholds);
  // After an xform that this moment of a film does not have, any may follow.
  for (std::size_t from = 0; structure.xaos && from < std::size_t(structure.capacity); ++from) {
    std::vector<double> row = weights;
    for (std::size_t to = 0; from < genome.xforms.size() && to < row.size(); ++to)
      row[to] *= chaosFactor(genome.xforms[from], to);
    addThresholds(row, structure.capacity, packed.thresholds);
  }
  packed.thresholds.resize(thresholdWords(structure), FLAME_SELECTION);
  return packed;
}

CameraRows cameraOf(const Genome& genome, const HistogramShape& shape) {
  const double angle = projectionOf(genome).turns ? 0 : genome.rotate * std::numbers::pi / 180;
  const double scale =
      pixelsPerUnit(genome) * shape.supersample * double(shape.size.x) / std::max(1, genome.size.x);
  const double c = std::cos(angle) * scale, s = std::sin(angle) * scale;
  return {{float(c), float(-s), float(s), float(c)},
          glm::vec2(genome.center),
          float(genome.filter / 3 * shape.supersample),
          genome.finalXform ? float(genome.finalXform->opacity) : 0};
}

std::size_t controlPointRows(const Structure& structure) {
  const std::size_t thresholds = thresholdWords(structure) / 4;
  return FLAME_CAMERA_ROWS +
         std::size_t(structure.capacity + finalRecords(structure)) *
             std::size_t(layoutOf(structure).rows) +
         thresholds;
}

std::array<glm::vec4, 6> lensOf(const Genome& genome) {
  const Projection p = projectionOf(genome);
  std::array<glm::vec4, 6> rows{};
  for (int i = 0; i < 3; ++i)
    rows[std::size_t(i)] = {p.rows[i].x, p.rows[i].y, p.rows[i].z, p.shift[i]};
  rows[3] = {p.perspective, p.base, p.blur, p.power};
  rows[4] = {p.focus.x, p.focus.y, p.focus.z, 0};
  rows[5] = {p.area, p.fade, genome.antialiasAmount, genome.antialiasRadius};
  return rows;
}

bool canMove(const Structure& structure) {
  // The passes that evaluate control points know flam3's variations and camera.
  if (structure.depth || structure.lens || structure.strays || !structure.furtherFinals.empty() ||
      (!structure.variations.empty() && structure.variations.back() >= kFlam3Variations))
    return false;
  constexpr std::size_t kSharedRows = 20 * 1024 / 16;  // of 32 KiB; points are passed on in 8
  return controlPointRows(structure) <= kSharedRows;
}

std::vector<glm::vec4> packControlPoint(const Genome& genome, const Structure& structure,
                                        const HistogramShape& shape) {
  const CameraRows camera = cameraOf(genome, shape);
  std::vector<glm::vec4> rows{camera.turn, {camera.center, camera.jitter, camera.finalChance}};
  const PackedGenome packed = pack(genome, structure);
  rows.insert(rows.end(), packed.parameters.begin(), packed.parameters.end());
  for (std::size_t i = 0; i < packed.thresholds.size(); i += 4) {
    const std::uint32_t* t = &packed.thresholds[i];
    rows.emplace_back(float(t[0]), float(t[1]), float(t[2]), float(t[3]));
  }
  FATHOM_CHECK_OP(rows.size(), ==, controlPointRows(structure));
  return rows;
}

std::array<glm::vec4, 256> packedPalette(const Palette& palette) {
  std::array<glm::vec4, 256> entries;
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (int channel = 0; channel < 4; ++channel) {
      // Text holds bytes, so a channel is a whole number of 255ths but for the rounding of floats.
      const float value = std::max(0.0f, palette[i][channel] * 255);
      const float whole = std::round(value);
      entries[i][channel] = std::abs(value - whole) < 1e-4f ? whole : value;
    }
  return entries;
}

}  // namespace fathom::flame
