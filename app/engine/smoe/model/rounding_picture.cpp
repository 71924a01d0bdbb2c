// SPDX-License-Identifier: BSD-3-Clause
// Each pixel keeps its sum of weights and of weighted colors, so that a component can be taken out
// and put back where it is seen; derivatives are those of sensitivity.cpp.
#include "app/engine/smoe/model/rounding_picture.h"

#include "app/engine/core/error.h"
#include "shaders/smoe/fit/shared.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

using P = PackedRecord;

constexpr double kReach = 8;         // components below exp(-8) of the strongest are left out
constexpr double kMinWeight = 1e-3;  // of those pixels that tell how the error changes
constexpr double kMinSum = 1e-30;    // keeps quotients sound where a component was alone
constexpr double kMaxExponent = 60;

/// One component at one pixel.
struct AtPixel {
  glm::dvec2 d, z;
  double log;  // of the weight
  AtPixel(const Record& r, glm::dvec2 at)
      : d(at - r.center),
        z(r.w11 * d.x, r.w21 * d.x + r.w22 * d.y),
        log(r.c - glm::dot(z, z) / 2) {}
  glm::dvec3 color(const Record& r) const {
    return r.color + glm::dvec3(glm::dot(r.h[0], z), glm::dot(r.h[1], z), glm::dot(r.h[2], z));
  }
};

/// What the sums over pixels are made of: derivatives by the four numbers of the gate, and by a
/// channel of the expert's three coefficients.
struct ErrorSums {
  static constexpr int kGate = 4, kExpert = 3;
  double gates[kGate][kGate] = {}, experts[kExpert][kExpert] = {};
  glm::dvec3 mixed[kGate][kExpert] = {};  // per channel
  double gateSlope[kGate] = {};
  glm::dvec3 expertSlope[kExpert] = {};

  /// `off`: of the expert from the picture.
  void add(const Record& r, const AtPixel& at, double w, glm::dvec3 off, glm::dvec3 error) {
    const glm::dvec3 h1{r.h[0].x, r.h[1].x, r.h[2].x}, h2{r.h[0].y, r.h[1].y, r.h[2].y};
    const glm::dvec3 byZ1 = w * (h1 - off * at.z.x), byZ2 = w * (h2 - off * at.z.y);
    const double unit = std::sqrt(r.w11 * r.w22), tilt = r.w21 * at.d.x / 2;
    const glm::dvec3 gate[kGate] = {byZ1 * at.z.x + byZ2 * tilt, byZ2 * (r.w22 * at.d.y + tilt),
                                    byZ2 * (unit * at.d.x), w * off};
    const double expert[kExpert] = {w, w * at.z.x, w * at.z.y};
    for (int a = 0; a < kGate; ++a) {
      for (int b = 0; b <= a; ++b) gates[a][b] += glm::dot(gate[a], gate[b]);
      for (int b = 0; b < kExpert; ++b) mixed[a][b] += gate[a] * expert[b];
      gateSlope[a] += glm::dot(gate[a], error);
    }
    for (int a = 0; a < kExpert; ++a) {
      for (int b = 0; b <= a; ++b) experts[a][b] += expert[a] * expert[b];
      expertSlope[a] += expert[a] * error;
    }
  }
};

/// The field of a coefficient of a color.
std::size_t expertField(int color, int coefficient) {
  return std::size_t(coefficient == 0 ? P::kColor + color : P::kH + 2 * color + coefficient - 1);
}

RoundingError roundingErrorOf(const ErrorSums& sums, const glm::dmat3& basis) {
  constexpr std::size_t kGateFields[ErrorSums::kGate] = {P::kW11, P::kW22, P::kRatio, P::kC};
  RoundingError error;
  const auto set = [&](std::size_t a, std::size_t b, double value) {
    error.curvature[a][b] = error.curvature[b][a] = value;
  };
  for (int a = 0; a < ErrorSums::kGate; ++a) {
    error.slope[kGateFields[a]] = sums.gateSlope[a];
    for (int b = 0; b <= a; ++b) set(kGateFields[a], kGateFields[b], sums.gates[a][b]);
    for (int b = 0; b < ErrorSums::kExpert; ++b)
      for (int k = 0; k < 3; ++k)
        set(kGateFields[a], expertField(k, b), glm::dot(sums.mixed[a][b], basis[k]));
  }
  for (int a = 0; a < ErrorSums::kExpert; ++a)
    for (int k = 0; k < 3; ++k) {
      error.slope[expertField(k, a)] = glm::dot(sums.expertSlope[a], basis[k]);
      for (int b = 0; b < ErrorSums::kExpert; ++b)
        for (int l = 0; l < 3; ++l)
          set(expertField(k, a), expertField(l, b),
              sums.experts[std::max(a, b)][std::min(a, b)] * glm::dot(basis[k], basis[l]));
    }
  return error;
}

}  // namespace

RoundingPicture::RoundingPicture(std::vector<Record> records, glm::ivec2 size, ColorSpace space,
                                 std::span<const glm::vec4> target)
    : records_(std::move(records)),
      size_(size),
      space_(space),
      target_(target),
      lists_(buildComponentLists(records_, {{0, 0}, size}, kReach)),
      pixels_(std::size_t(size.x) * std::size_t(size.y)) {
  FATHOM_CHECK_OP(target.size(), ==, pixels_.size());
  for (std::size_t j = 0; j < records_.size(); ++j) add(j, records_[j], 1);
}

template <class Visit>
void RoundingPicture::eachPixel(std::size_t component, const Record& as, const Visit& visit) const {
  for (std::uint32_t s = lists_.componentEnds[component]; s < lists_.componentEnds[component + 1];
       ++s) {
    const std::uint32_t tile = lists_.slotTiles[lists_.slots[s]];
    const glm::ivec2 low =
        glm::ivec2(int(tile) % lists_.tiles.x, int(tile) / lists_.tiles.x) * FIT_TILE;
    const glm::ivec2 high = glm::min(low + FIT_TILE, size_);
    const double offset = double(lists_.offsets[tile]);
    for (int y = low.y; y < high.y; ++y)
      for (int x = low.x; x < high.x; ++x) {
        const AtPixel at(as, {x + 0.5, y + 0.5});
        visit(std::size_t(y) * std::size_t(size_.x) + std::size_t(x), at,
              std::exp(std::min(at.log - offset, kMaxExponent)));
      }
  }
}

void RoundingPicture::add(std::size_t component, const Record& as, float sign) {
  eachPixel(component, as, [&](std::size_t pixel, const AtPixel& at, double weight) {
    pixels_[pixel].weight += sign * float(weight);
    pixels_[pixel].color += sign * glm::vec3(weight * at.color(as));
  });
}

void RoundingPicture::take(std::size_t component) { add(component, records_[component], -1); }

void RoundingPicture::put(std::size_t component, const Record& as) {
  records_[component] = as;
  add(component, as, 1);
}

RoundingError RoundingPicture::errorWith(std::size_t component, const Record& as) const {
  ErrorSums sums;
  double now = 0;
  eachPixel(component, as, [&](std::size_t pixel, const AtPixel& at, double weight) {
    const Pixel& rest = pixels_[pixel];
    const double all = weight + std::max(double(rest.weight), kMinSum), w = weight / all;
    const glm::dvec3 own = at.color(as);
    const glm::dvec3 color = (glm::dvec3(rest.color) + weight * own) / all;
    const glm::dvec3 error = color - glm::dvec3(target_[pixel]);
    now += glm::dot(error, error);
    if (w > kMinWeight) sums.add(as, at, w, own - color, error);
  });
  RoundingError result = roundingErrorOf(sums, packedBasis(space_));
  result.now = now;
  return result;
}

double RoundingPicture::error() const {
  double sum = 0;
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    const double all = std::max(double(pixels_[i].weight), kMinSum);
    const glm::dvec3 error = glm::dvec3(pixels_[i].color) / all - glm::dvec3(target_[i]);
    sum += glm::dot(error, error);
  }
  return sum;
}

}  // namespace fathom::smoe
