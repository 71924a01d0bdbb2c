// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/dof/reference.h"

#include "app/core/error.h"
#include "app/techniques/dof/source.h"

#include <glm/packing.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace fathom::dof::reference {
namespace {

constexpr double kSlab = 1.005;  // a slab ends at this multiple of its first depth

float throughHalf(double value) {
  return glm::unpackHalf2x16(glm::packHalf2x16({float(value), 0})).x;
}

/// The splat's weight in one of its pixels: its light spread over its disc, all of it for a disc of
/// one pixel.
double alphaOf(const Splat& s, const Aperture& aperture) {
  const double r2 = std::abs(s.r2) / (aperture.circumradius * aperture.circumradius);
  return r2 < 1 ? s.opacity : s.opacity / (std::numbers::pi * r2);
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
struct Pixel {
  double color[3] = {0, 0, 0}, transmittance = 1;
  double slabColor[3] = {0, 0, 0}, slabAlpha = 0, slabEnd = 0;

  void over(const Splat& s, double a) {
    for (int c = 0; c < 3; ++c) color[c] += transmittance * a * s.color[c];
    transmittance *= 1 - a;
  }
  void cover(const Splat& s, double a) {
    const double w = std::min(a, transmittance);
    for (int c = 0; c < 3; ++c) color[c] += w * s.color[c];
    transmittance -= w;
  }
  void endSlab() {
    if (slabAlpha <= 0) return;
    const double coverage = std::min(1.0, slabAlpha);
    for (int c = 0; c < 3; ++c)
      color[c] += transmittance * coverage * slabColor[c] / slabAlpha, slabColor[c] = 0;
    transmittance *= 1 - coverage;
    slabAlpha = 0;
  }
  void addToSlab(const Splat& s, double a) {
    if (slabAlpha > 0 && s.z > slabEnd) endSlab();
    if (slabAlpha == 0) slabEnd = kSlab * s.z;
    for (int c = 0; c < 3; ++c) slabColor[c] += a * s.color[c];
    slabAlpha += a;
  }
};

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
                               throughHalf(sign * rim * rim),
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
  for (int ty = 0; ty < tilesOver(list.size.y); ++ty)
    for (int tx = 0; tx < tilesOver(list.size.x); ++tx) {
      std::vector<std::uint32_t>& tile = lists.emplace_back();
      const auto touches = [&](const Splat& s) {
        if (s.opacity <= 0) return false;
        for (int y = ty * DOF_TILE; y < std::min((ty + 1) * DOF_TILE, list.size.y); ++y)
          for (int x = tx * DOF_TILE; x < std::min((tx + 1) * DOF_TILE, list.size.x); ++x) {
            const int dx = x - s.pixel.x, dy = y - s.pixel.y;
            if (float(dx * dx + dy * dy) <= std::abs(s.r2)) return true;
          }
        return false;
      };
      for (const std::uint32_t i : order)
        if (touches(list.splats[i])) tile.push_back(i);
    }
  return lists;
}

Image blur(const SplatList& list, Operator op, const Aperture& aperture) {
  FATHOM_CHECK(op == Operator::Over || op == Operator::Coverage || op == Operator::Slabs);
  std::vector<Pixel> pixels(std::size_t(list.size.x) * std::size_t(list.size.y));
  for (const std::uint32_t i : depthOrder(list)) {
    const Splat& s = list.splats[i];
    const double a = alphaOf(s, aperture);
    if (a <= 0) continue;
    forPixelsOf(s, list.size, aperture, [&](int x, int y) {
      Pixel& p = pixels[std::size_t(y) * std::size_t(list.size.x) + std::size_t(x)];
      if (op == Operator::Over) p.over(s, a);
      if (op == Operator::Coverage) p.cover(s, a);
      if (op == Operator::Slabs) p.addToSlab(s, a);
    });
  }
  Image picture(list.size.x, list.size.y);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    Pixel& p = pixels[i];
    p.endSlab();
    const double covered = 1 - p.transmittance;
    if (covered > 0)
      picture.pixels[i] = {float(p.color[0] / covered), float(p.color[1] / covered),
                           float(p.color[2] / covered), 1.0f};
  }
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
