// SPDX-License-Identifier: BSD-3-Clause
// The paper's operator ("over"), coverage and slabs, pixel by pixel; sorting and binning by brute
// force; gathering beside them.
#include "app/techniques/dof/splats/reference.h"

#include "app/core/error.h"
#include "app/techniques/dof/splats/source.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <glm/common.hpp>

namespace fathom::dof::reference {
namespace {

constexpr double kSlab = 1.005;  // a slab ends at this multiple of its first depth

/// The splat's weight in one of the pixels of its disc.
double alphaOf(const Splat& s, const Aperture& aperture) {
  return s.opacity * discAlpha(std::abs(s.r2) / (aperture.circumradius * aperture.circumradius));
}

/// Place of a pixel in an ordered dither of 16 x 16: digits of base 4, from 2 x 2 blocks upward.
int tieRank(glm::ivec2 pixel) {
  int rank = 0;
  for (int block = 1, weight = 64; block < 16; block *= 2, weight /= 4) {
    const int x = pixel.x / block % 2, y = pixel.y / block % 2;
    rank += weight * (x == y ? y : 2 + y);
  }
  return rank;
}

/// What is known about a pixel while splats arrive front to back.
class Pixel {
 public:
  void add(Operator op, const glm::dvec3& color, double alpha, double z) {
    if (op == Operator::Slabs) return addToSlab(color, alpha, z);
    // Over: the share alpha of what is left. Coverage: alpha of the whole, as far as it is left.
    take(color, op == Operator::Over ? transmittance_ * alpha : std::min(alpha, transmittance_));
  }
  /// rgb: mean of the colors by weight; a: sum of the weights.
  glm::dvec4 result() {
    endSlab();
    const double covered = 1 - transmittance_;
    return covered > 0 ? glm::dvec4(sum_ / covered, covered) : glm::dvec4(0);
  }

 private:
  void take(const glm::dvec3& color, double weight) {
    sum_ += weight * color;
    transmittance_ -= weight;
  }
  /// Splats of like depth are one surface: they add up before it covers what lies behind.
  void addToSlab(const glm::dvec3& color, double alpha, double z) {
    if (slabAlpha_ > 0 && z > slabEnd_) endSlab();
    if (slabAlpha_ == 0) slabEnd_ = kSlab * z;
    slabSum_ += alpha * color;
    slabAlpha_ += alpha;
  }
  void endSlab() {
    if (slabAlpha_ <= 0) return;
    take(slabSum_ / slabAlpha_, transmittance_ * std::min(1.0, slabAlpha_));
    slabSum_ = glm::dvec3(0);
    slabAlpha_ = 0;
  }

  glm::dvec3 sum_{0}, slabSum_{0};
  double transmittance_ = 1, slabAlpha_ = 0, slabEnd_ = 0;
};

/// Whether the disc holds one of the tile's pixels; tries them all.
bool touches(const Splat& s, glm::ivec2 tile, glm::ivec2 size) {
  if (s.opacity <= 0) return false;
  const glm::ivec2 low = tile * DOF_TILE, end = glm::min(low + DOF_TILE, size);
  // Tiles outside of the square around the disc need no trying.
  const glm::ivec2 reach(int(std::sqrt(std::abs(s.r2))) + 1);
  if (glm::any(glm::lessThan(s.pixel + reach, low)) ||
      glm::any(glm::greaterThanEqual(s.pixel - reach, end)))
    return false;
  for (int y = low.y; y < end.y; ++y)
    for (int x = low.x; x < end.x; ++x) {
      const int dx = x - s.pixel.x, dy = y - s.pixel.y;
      if (float(dx * dx + dy * dy) <= std::abs(s.r2)) return true;
    }
  return false;
}

template <class Body>
void forPixelsOf(const Splat& s, glm::ivec2 size, const Aperture& aperture, const Body& body) {
  const double r2 = std::abs(s.r2);
  const int reach = int(std::sqrt(r2)) + 1;
  for (int y = std::max(0, s.pixel.y - reach); y <= std::min(size.y - 1, s.pixel.y + reach); ++y)
    for (int x = std::max(0, s.pixel.x - reach); x <= std::min(size.x - 1, s.pixel.x + reach);
         ++x) {
      const int dx = x - s.pixel.x, dy = y - s.pixel.y;
      if (dx * dx + dy * dy > r2) continue;
      if (aperture.blades > 0 && r2 > 0 && (dx != 0 || dy != 0)) {
        const double rim = std::sqrt(r2);
        if (!aperture.holds(dx / rim, dy / rim, s.r2 < 0)) continue;
      }
      body(x, y);
    }
}

}  // namespace

SplatList splatsOf(const Image& picture, const Lens& lens, const Aperture& aperture) {
  SplatList list;
  list.size = {picture.width, picture.height};
  const auto sane = [](float v) {
    return std::isnan(v) ? 0.0f : throughHalf(std::clamp(v, 0.0f, 65504.0f));
  };
  for (int ty = 0; ty < tilesOver(picture.height); ++ty)
    for (int tx = 0; tx < tilesOver(picture.width); ++tx)
      for (int i = 0; i < DOF_TILE_PIXELS; ++i) {
        const int x = tx * DOF_TILE + i % DOF_TILE, y = ty * DOF_TILE + i / DOF_TILE;
        if (x >= picture.width || y >= picture.height) continue;
        const glm::vec4& p = picture.at(x, y);
        const double rim = lens.cocRadius(p.a) * aperture.circumradius;
        const double sign = aperture.mirrors() && rim < 0 ? -1 : 1;
        list.splats.push_back({{x, y},
                               isBackground(p.a) ? INFINITY : p.a,
                               throughHalf(float(sign * rim * rim)),
                               1,
                               {sane(p.r), sane(p.g), sane(p.b)}});
      }
  return list;
}

std::vector<std::uint32_t> depthOrder(const SplatList& list) {
  std::vector<std::uint32_t> order(list.splats.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Splat &x = list.splats[a], &y = list.splats[b];
    if (x.z != y.z) return x.z < y.z;
    return tieRank(x.pixel) < tieRank(y.pixel);
  });
  return order;
}

std::vector<std::vector<std::uint32_t>> tileLists(const SplatList& list) {
  std::vector<std::vector<std::uint32_t>> lists;
  const std::vector<std::uint32_t> order = depthOrder(list);
  for (int y = 0; y < tilesOver(list.size.y); ++y)
    for (int x = 0; x < tilesOver(list.size.x); ++x) {
      std::vector<std::uint32_t>& tile = lists.emplace_back();
      for (const std::uint32_t i : order)
        if (touches(list.splats[i], {x, y}, list.size)) tile.push_back(i);
    }
  return lists;
}

NodeLists nodeLists(const SplatList& list, int kind) {
  NodeLists made{list.size, kind, {0}, {}};
  const int tilesX = tilesOver(list.size.x);
  for (const std::vector<std::uint32_t>& tile : tileLists(list)) {
    const int t = int(made.tileBegin.size()) - 1;
    for (const std::uint32_t i : tile)
      made.nodes.push_back(encodeNode(list.splats[i], {t % tilesX, t / tilesX}, kind));
    made.tileBegin.push_back(std::uint32_t(made.nodes.size()));
  }
  return made;
}

std::vector<glm::dvec4> accumulate(const SplatList& list, Operator op, const Aperture& aperture) {
  FATHOM_CHECK(op == Operator::Over || op == Operator::Coverage || op == Operator::Slabs);
  std::vector<Pixel> pixels(std::size_t(list.size.x) * std::size_t(list.size.y));
  for (const std::uint32_t i : depthOrder(list)) {
    const Splat& s = list.splats[i];
    const double alpha = alphaOf(s, aperture);
    if (alpha <= 0) continue;
    forPixelsOf(s, list.size, aperture, [&](int x, int y) {
      pixels[std::size_t(y) * std::size_t(list.size.x) + std::size_t(x)].add(
          op, glm::dvec3(s.color), alpha, s.z);
    });
  }
  std::vector<glm::dvec4> picture;
  for (Pixel& pixel : pixels) picture.push_back(pixel.result());
  return picture;
}

std::vector<glm::dvec4> accumulate(const NodeLists& lists, bool alphaLoaded, Operator op) {
  FATHOM_CHECK(op == Operator::Over || op == Operator::Coverage);
  std::vector<glm::dvec4> picture(std::size_t(lists.size.x) * std::size_t(lists.size.y));
  std::vector<Node> nodes;
  for (std::size_t tile = 0; tile + 1 < lists.tileBegin.size(); ++tile) {
    nodes.clear();
    for (std::uint32_t i = lists.tileBegin[tile]; i < lists.tileBegin[tile + 1]; ++i)
      nodes.push_back(decodeNode(lists.nodes[i], lists.kind));
    if (!alphaLoaded)
      for (Node& node : nodes) node.alpha = discAlpha(node.r2);
    const glm::ivec2 first =
        glm::ivec2(int(tile) % lists.tiles().x, int(tile) / lists.tiles().x) * DOF_TILE;
    const glm::ivec2 end = glm::min(lists.size - first, glm::ivec2(DOF_TILE));
    for (int y = 0; y < end.y; ++y)
      for (int x = 0; x < end.x; ++x) {
        Pixel pixel;
        for (const Node& node : nodes) {
          const glm::ivec2 way = node.offset - glm::ivec2(x, y);
          if (way.x * way.x + way.y * way.y <= node.r2) pixel.add(op, node.color, node.alpha, 0);
        }
        picture[std::size_t(first.y + y) * std::size_t(lists.size.x) + std::size_t(first.x + x)] =
            pixel.result();
      }
  }
  return picture;
}

Image blur(const SplatList& list, Operator op, const Aperture& aperture) {
  Image picture(list.size.x, list.size.y);
  const std::vector<glm::dvec4> sums = accumulate(list, op, aperture);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i].a > 0) picture.pixels[i] = glm::vec4(glm::vec3(sums[i]), 1);
  return picture;
}

Image gather(const Image& picture, const Lens& lens) {
  constexpr int kTaps = 64;
  Image out(picture.width, picture.height);
  const auto at = [&](int x, int y) {
    glm::vec4 p =
        picture.at(std::clamp(x, 0, picture.width - 1), std::clamp(y, 0, picture.height - 1));
    if (isBackground(p.a)) p.a = kFarthest;
    for (int c = 0; c < 3; ++c) p[c] = std::isnan(p[c]) ? 0.0f : std::clamp(p[c], 0.0f, 65504.0f);
    return p;
  };
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const glm::vec4 center = at(x, y);
      const double radius = std::abs(lens.cocRadius(center.a));
      glm::dvec3 sum(center);
      double weight = 1;
      for (int i = 0; i < kTaps && radius >= 1; ++i) {
        const glm::dvec2 offset = vogelPoint(i, kTaps) * radius;
        const glm::vec4 tap = at(x + int(std::round(offset.x)), y + int(std::round(offset.y)));
        if (tap.a < 0.98f * center.a &&
            std::abs(lens.cocRadius(tap.a)) < std::hypot(offset.x, offset.y))
          continue;
        sum += glm::dvec3(tap);
        weight += 1;
      }
      out.at(x, y) = glm::vec4(glm::vec3(sum / weight), 1);
    }
  return out;
}

}  // namespace fathom::dof::reference
