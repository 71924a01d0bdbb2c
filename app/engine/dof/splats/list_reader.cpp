// SPDX-License-Identifier: BSD-3-Clause
// Decodes what the passes left in their buffers.
#include "app/engine/dof/splats/list_reader.h"

#include "app/engine/dof/lens/aperture_map.h"
#include "app/engine/dof/splats/focus_mask.h"

namespace fathom::dof {

SplatList ListReader::splats() const {
  SplatList list;
  list.size = pipeline_.source().size();
  list.weighted = pipeline_.request().area && pipeline_.request().varies;
  list.splats = splats(0, pipeline_.lists().params.splatCount);
  return list;
}

std::vector<Splat> ListReader::splats(std::size_t first, std::size_t count) const {
  const std::size_t words = pipeline_.request().area ? 8 : 4;
  const auto places = pipeline_.places().download(2 * first, 2 * count),
             depths = pipeline_.depths().download(first, count),
             colors = pipeline_.records().download(words * first, words * count);
  const std::optional<FocusMask> mask = downloadMask(pipeline_.source().mask());
  const int margin = pipeline_.source().margin();
  std::vector<Splat> splats(count);
  for (std::size_t i = 0; i < count; ++i) {
    Splat& splat = splats[i];
    if ((places[2 * i + 1] & 1) == 0) {  // in no list; the rest was not written
      splat.opacity = 0;
      continue;
    }
    splat.pixel = {std::int16_t(places[2 * i] & 0xFFFF), std::int16_t(places[2 * i] >> 16)};
    splat.z = std::bit_cast<float>(depths[i]);
    splat.r2 = std::bit_cast<float>(places[2 * i + 1] & ~1u);
    const std::uint32_t* w = &colors[words * i];
    if (pipeline_.request().area)
      readRecord(w, mask ? mask->at(splat.pixel.x + margin, splat.pixel.y + margin) : 1, splat);
    else
      readColors(w, splat);
  }
  return splats;
}

void ListReader::readColors(const std::uint32_t* words, Splat& splat) const {
  const glm::vec2 rg = glm::unpackHalf2x16(words[0]), ba = glm::unpackHalf2x16(words[1]);
  splat.color = {rg.x, rg.y, ba.x};
  splat.alpha = ba.y;
  splat.opacity = std::bit_cast<float>(words[2]);
  splat.r = std::sqrt(splat.r2);
}

/// Opacity and radius are worked out again from weight and depth.
void ListReader::readRecord(const std::uint32_t* words, float mask, Splat& splat) const {
  const auto value = [&](int i) { return std::bit_cast<float>(words[i]); };
  splat.color = {value(0), value(1), value(2)};
  splat.alpha = value(3);
  const shared::Optics& o = pipeline_.request().optics;
  const float inverse = std::isinf(splat.z) ? 0 : 1 / splat.z;
  splat.r =
      std::clamp(mask * (o.farRadius - o.farRadiusFocus * inverse), -o.maxRadius, o.maxRadius);
  splat.opacity = std::abs(value(7)), splat.hidden = value(7) < 0;
  if (!pipeline_.request().mapped) splat.opacity *= float(discSum(std::abs(splat.r)));
}

std::vector<std::uint32_t> ListReader::entries() const {
  const std::size_t tiles = pipeline_.lists().tileCount();
  return entries(0, pipeline_.lists().tileBegin->download(tiles, 1).front());
}

std::vector<std::uint32_t> ListReader::entries(std::size_t first, std::size_t n) const {
  if (pipeline_.keyWords() == 1) return pipeline_.keys().download(first, n);
  const std::vector<std::uint32_t> keys = pipeline_.keys().download(2 * first, 2 * n);
  std::vector<std::uint32_t> entries;
  constexpr std::uint32_t kSplatBits = (1u << DOF_INDEX_BITS) - 1;
  for (std::size_t i = 0; i < n; ++i) entries.push_back(keys[2 * i + 1] & kSplatBits);
  return entries;
}

std::vector<std::uint32_t> ListReader::depths(std::size_t first, std::size_t count) const {
  const auto all = pipeline_.depths().download(0, pipeline_.lists().params.splatCount);
  std::vector<std::uint32_t> depths = entries(first, count);
  for (std::uint32_t& entry : depths) entry = all[entry];
  return depths;
}

std::vector<Entry> ListReader::list(std::uint32_t tile) const {
  const std::vector<std::uint32_t> range = pipeline_.lists().tileBegin->download(tile, 2);
  if (pipeline_.request().area) return records(range[0], range[1] - range[0]);
  const std::size_t n = range[1] - range[0];
  const std::vector<std::uint32_t> words =
      pipeline_.lists().nodes->download(4 * std::size_t(range[0]), 4 * n);
  const TileArea& area = pipeline_.lists().area;
  const int columns = area.columns.count;
  const glm::ivec2 origin = DOF_TILE * glm::ivec2(area.columns.first + int(tile) % columns,
                                                  area.rows.first + int(tile) / columns);
  const std::vector<std::uint32_t> bits = this->depths(range[0], n);
  const NodeFormat& format = pipeline_.request().nodes;
  std::vector<Entry> list;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t* w = &words[4 * i];
    const Node node = decodeNode({w[0], w[1], w[2], w[3]}, format.kind);
    Entry e;
    e.pixel = origin + node.offset;
    e.z = std::bit_cast<float>(bits[i]);
    e.r2 = float(node.r2);
    e.radius = float(std::sqrt(std::abs(node.r2)));
    e.color = node.color;
    e.alpha = float(node.alpha);
    // Where alpha is computed, its place in layout a holds the opacity.
    if (format.kind != DOF_NODE_B && !format.alphaLoaded) e.alpha *= float(discAlpha(node.r2));
    list.push_back(e);
  }
  return list;
}

/// Only the rows of splats that the entries come from are brought back.
std::vector<Entry> ListReader::records(std::size_t first, std::size_t count) const {
  if (count == 0) return {};
  const std::vector<std::uint32_t> entries = this->entries(first, count);
  const auto [low, high] = std::minmax_element(entries.begin(), entries.end());
  const std::vector<Splat> near = splats(*low, *high - *low + 1);
  std::vector<Entry> list;
  for (const std::uint32_t i : entries) {
    const Splat& s = near[i - *low];
    const float opaque = float(discAlpha(double(s.r) * s.r));
    list.push_back({s.pixel, s.z, s.r2, s.opacity * opaque, std::abs(s.r), s.color, s.hidden});
  }
  return list;
}

}  // namespace fathom::dof
