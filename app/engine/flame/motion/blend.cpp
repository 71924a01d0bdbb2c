// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of genomes of one shape, as flam3 takes them.
#include "app/engine/flame/motion/keyframes.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/motion/blend_matrices.h"

#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace fathom::flame {
namespace {

using Genomes = std::span<const Genome>;
using Weights = std::span<const double>;

template <class Value>
double sum(std::size_t count, Weights weights, Value&& value) {
  double total = 0;
  for (std::size_t k = 0; k < count; ++k) total += weights[k] * value(k);
  return total;
}

// Matrices
// -------------------------------------------------------------------------------------------------

struct Column {
  double x, y;
  double magnitude() const { return std::hypot(x, y); }
  double angle() const { return std::atan2(y, x); }
};

constexpr double kHalfTurnSlack = 1e-10;  // so that half a turn always goes the same way
constexpr double kMinLogEntries = -10;    // below, magnitudes are mixed as they are

/// Each angle as near as may be to the one before.
void unwind(std::vector<double>& angles) {
  for (std::size_t k = 1; k < angles.size(); ++k) {
    const double step = angles[k] - angles[k - 1];
    if (step > M_PI + kHalfTurnSlack)
      angles[k] -= 2 * M_PI;
    else if (step < -(M_PI - kHalfTurnSlack))
      angles[k] += 2 * M_PI;
  }
}

/// The second angle of a pair of which one turns: so that the way from the first one, together with
/// the turn, leads forward.
void windForward(std::vector<double>& angles, bool firstTurns) {
  const double way = angles[1] - angles[0];
  const double turns = firstTurns ? std::floor(way / (2 * M_PI) + kHalfTurnSlack)
                                  : std::ceil(way / (2 * M_PI) - kHalfTurnSlack);
  angles[1] -= 2 * M_PI * turns;
}

PolarColumn polarColumn(const std::vector<Column>& columns, std::vector<double> angles,
                        const Turns& turns) {
  if (turns.first != turns.second)
    windForward(angles, turns.first);
  else
    unwind(angles);
  if (turns.first) angles[0] += turns.radians;
  if (turns.second) angles[1] += turns.radians;
  PolarColumn polar{std::move(angles), {}, true};
  for (const Column& column : columns)
    if (std::log(column.magnitude()) < kMinLogEntries) polar.logarithms = false;
  for (const Column& column : columns) {
    const double magnitude = column.magnitude();
    polar.sizes.push_back(polar.logarithms ? std::log(magnitude) : magnitude);
  }
  return polar;
}

Column mixColumn(const PolarColumn& polar, Weights weights) {
  const auto total = [&](const std::vector<double>& list) {
    return sum(list.size(), weights, [&](std::size_t k) { return list[k]; });
  };
  const double angle = total(polar.angles);
  double magnitude = total(polar.sizes);
  if (polar.logarithms) magnitude = std::exp(magnitude);
  return {magnitude * std::cos(angle), magnitude * std::sin(angle)};
}

Affine mixLinear(const std::vector<Affine>& list, Weights weights) {
  Affine out;
  for (double Affine::*member :
       {&Affine::a, &Affine::d, &Affine::b, &Affine::e, &Affine::c, &Affine::f})
    out.*member = sum(list.size(), weights, [&](std::size_t k) { return list[k].*member; });
  return out;
}

Affine mixPolar(const std::vector<Affine>& list, Weights weights, const Turns& turns) {
  const PolarColumns polar = polarColumnsOf(list, turns);
  Affine out = mixLinear(list, weights);
  const Column a = mixColumn(polar.first, weights), b = mixColumn(polar.second, weights);
  out.a = a.x, out.d = a.y, out.b = b.x, out.e = b.y;
  return out;
}

/// Turns the 2x2 part; the translation stays.
Affine turned(const Affine& m, double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return {m.a * c - m.d * s, m.a * s + m.d * c, m.b * c - m.e * s, m.b * s + m.e * c, m.c, m.f};
}

Affine mix(std::vector<Affine> list, Weights weights, MatrixInterpolation how,
           const Turns& turns = {}) {
  if (how == MatrixInterpolation::Log) return mixPolar(list, weights, turns);
  if (turns.first) list[0] = turned(list[0], turns.radians);
  if (turns.second) list[1] = turned(list[1], turns.radians);
  return mixLinear(list, weights);
}

Affine mixPost(const std::vector<Affine>& list, Weights weights, MatrixInterpolation how) {
  return allPlain(list) ? Affine{} : mix(list, weights, how);
}

// Xforms
// -------------------------------------------------------------------------------------------------

std::vector<VariationUse> mixVariations(const std::vector<const Xform*>& list, Weights weights) {
  std::vector<VariationUse> out = unitedVariations(list);
  for (VariationUse& use : out) {
    const VariationUse fallback = use;
    use.weight = 0, use.parameters = {};
    for (std::size_t k = 0; k < list.size(); ++k) {
      const VariationUse& part = useIn(*list[k], fallback);
      use.weight += weights[k] * part.weight;
      for (std::size_t p = 0; p < use.parameters.size(); ++p)
        use.parameters[p] += weights[k] * part.parameters[p];
    }
  }
  return out;
}

std::vector<double> mixChaos(const std::vector<const Xform*>& list, Weights weights,
                             std::size_t count) {
  if (allChaosPlain(list)) return {};
  std::vector<double> chaos;
  for (std::size_t to = 0; to < count; ++to)
    chaos.push_back(std::max(0.0, sum(list.size(), weights, [&](std::size_t k) {
                               return to < list[k]->chaos.size() ? list[k]->chaos[to] : 1.0;
                             })));
  return chaos;
}

Xform mixXform(const std::vector<const Xform*>& list, Weights weights, MatrixInterpolation how,
               std::size_t xformCount, const Turns& turns = {}) {
  const auto total = [&](double Xform::*member) {
    return sum(list.size(), weights, [&](std::size_t k) { return list[k]->*member; });
  };
  Xform out = *list.front();
  out.weight = std::max(0.0, total(&Xform::weight));
  out.color = std::clamp(total(&Xform::color), 0.0, 1.0);
  out.colorSpeed = std::clamp(total(&Xform::colorSpeed), 0.0, 1.0);
  out.opacity = total(&Xform::opacity);
  out.animate = total(&Xform::animate);
  std::vector<Affine> coefs, post;
  for (const Xform* xform : list) coefs.push_back(xform->coefs), post.push_back(xform->post);
  out.coefs = mix(coefs, weights, how, turns);
  out.post = mixPost(post, weights, how);
  out.variations = mixVariations(list, weights);
  out.chaos = mixChaos(list, weights, xformCount);
  return out;
}

// Palettes
// -------------------------------------------------------------------------------------------------

/// Files hold bytes. Between complementary hues rounding decides which way around is shorter: to go
/// the way that flam3 goes, bytes are multiplied by 1 / 255 in double precision, not divided.
glm::dvec3 exactColor(const glm::vec4& entry) {
  glm::dvec3 color;
  for (int channel = 0; channel < 3; ++channel) {
    const double value = double(entry[channel]) * 255, whole = std::round(value);
    color[channel] = (std::abs(value - whole) < 1e-4 ? whole : value) * (1.0 / 255);
  }
  return color;
}

glm::dvec3 mixByHue(Genomes genomes, Weights weights, std::size_t entry, bool circular) {
  glm::dvec3 mixed(0);
  const std::size_t count = genomes.size();
  const double second = count > 1 ? hsvFromRgb(exactColor(genomes[1].palette[entry])).x : 0;
  for (std::size_t k = 0; k < count; ++k) {
    glm::dvec3 hsv = hsvFromRgb(exactColor(genomes[k].palette[entry]));
    if (k == 0 && count == 2 && circular) {
      if (second - hsv.x > 3)
        hsv.x += 6;
      else if (second - hsv.x < -3)
        hsv.x -= 6;
    }
    mixed += weights[k] * hsv;
  }
  return rgbFromHsv(mixed);
}

Palette mixPalettes(Genomes genomes, Weights weights) {
  const Genome& first = genomes.front();
  Palette out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (first.paletteInterpolation == PaletteInterpolation::Sweep) {
      out[i] = genomes[double(i) < 256 * weights[0] ? 0 : 1].palette[i];
      continue;
    }
    glm::dvec4 rgb(0);
    for (std::size_t k = 0; k < genomes.size(); ++k)
      rgb += weights[k] * glm::dvec4(genomes[k].palette[i]);
    if (first.paletteInterpolation != PaletteInterpolation::Rgb) {
      const bool circular = first.paletteInterpolation == PaletteInterpolation::HsvCircular;
      const glm::dvec3 byHue = mixByHue(genomes, weights, i, circular);
      const double share = circular ? first.hsvRgbPaletteBlend : 0;
      rgb = {byHue * (1 - share) + glm::dvec3(rgb) * share, rgb.a};
    }
    out[i] = glm::vec4(glm::clamp(rgb, glm::dvec4(0), glm::dvec4(1)));
  }
  return out;
}

}  // namespace

PolarColumns polarColumnsOf(std::span<const Affine> matrices, const Turns& turns) {
  std::vector<Column> first, second;
  std::vector<double> firstAngles, secondAngles;
  for (const Affine& m : matrices) {
    const Column a{m.a, m.d}, b{m.b, m.e};
    first.push_back(a), second.push_back(b);
    firstAngles.push_back(a.angle()), secondAngles.push_back(b.angle());
    // A column of no length has no direction: it takes the other's.
    if (a.magnitude() == 0 && b.magnitude() != 0)
      firstAngles.back() = secondAngles.back();
    else if (b.magnitude() == 0 && a.magnitude() != 0)
      secondAngles.back() = firstAngles.back();
  }
  return {polarColumn(first, firstAngles, turns), polarColumn(second, secondAngles, turns)};
}

bool allPlain(std::span<const Affine> matrices) {
  return std::all_of(matrices.begin(), matrices.end(),
                     [](const Affine& m) { return m == Affine{}; });
}

bool allChaosPlain(std::span<const Xform* const> xforms) {
  return std::all_of(xforms.begin(), xforms.end(), [](const Xform* x) {
    return std::all_of(x->chaos.begin(), x->chaos.end(), [](double c) { return c == 1; });
  });
}

std::vector<const Xform*> xformsAt(Genomes genomes, std::size_t i) {
  std::vector<const Xform*> list;
  for (const Genome& genome : genomes)
    list.push_back(i < genome.xforms.size() ? &genome.xforms[i] : &*genome.finalXform);
  return list;
}

std::vector<VariationUse> unitedVariations(std::span<const Xform* const> xforms) {
  Xform united;
  for (const Xform* xform : xforms)
    for (const VariationUse& use : xform->variations) variationIn(united, use.index);
  return united.variations;
}

const VariationUse& useIn(const Xform& xform, const VariationUse& fallback) {
  const auto at =
      std::find_if(xform.variations.begin(), xform.variations.end(),
                   [&](const VariationUse& use) { return use.index == fallback.index; });
  return at == xform.variations.end() ? fallback : *at;
}

Genome blendShapes(Genomes genomes, Weights weights) {
  FATHOM_CHECK_OP(genomes.size(), ==, weights.size());
  const Genome& first = genomes.front();
  Genome out = first;
  const auto total = [&](auto&& value) {
    return sum(genomes.size(), weights, [&](std::size_t k) { return double(value(genomes[k])); });
  };
  for (double Genome::*member :
       {&Genome::time, &Genome::scale, &Genome::zoom, &Genome::rotate, &Genome::filter,
        &Genome::quality, &Genome::temporalFilterWidth, &Genome::temporalFilterExp,
        &Genome::brightness, &Genome::gamma, &Genome::gammaThreshold, &Genome::vibrancy,
        &Genome::highlightPower, &Genome::estimatorRadius, &Genome::estimatorMinimum,
        &Genome::estimatorCurve, &Genome::hue})
    out.*member = total([&](const Genome& g) { return g.*member; });
  for (int Genome::*member : {&Genome::supersample, &Genome::passes, &Genome::temporalSamples})
    out.*member = int(std::lround(total([&](const Genome& g) { return g.*member; })));
  for (int axis = 0; axis < 2; ++axis) {
    out.size[axis] = int(std::lround(total([&](const Genome& g) { return g.size[axis]; })));
    out.center[axis] = total([&](const Genome& g) { return g.center[axis]; });
  }
  for (int channel = 0; channel < 3; ++channel)
    out.background[channel] = total([&](const Genome& g) { return g.background[channel]; });
  for (std::size_t i = 0; i < out.xforms.size(); ++i)
    out.xforms[i] =
        mixXform(xformsAt(genomes, i), weights, first.matrixInterpolation, out.xforms.size());
  if (out.finalXform)
    out.finalXform = mixXform(xformsAt(genomes, out.xforms.size()), weights,
                              first.matrixInterpolation, out.xforms.size());
  return out;
}

Palette blendPalettes(Genomes genomes, Weights weights) { return mixPalettes(genomes, weights); }

Genome blend(Genomes genomes, Weights weights) {
  Genome out = blendShapes(genomes, weights);
  out.palette = mixPalettes(genomes, weights);
  out.paletteNumber = -1;
  return out;
}

Genome blendEdge(Genomes pair, double phase, std::span<const EdgeXform> xforms, double weight) {
  FATHOM_CHECK_OP(pair.size(), ==, 2u);
  const std::array<double, 2> weights{1 - weight, weight};
  Genome out = blend(pair, weights);
  FATHOM_CHECK_OP(xforms.size(), ==, out.xforms.size());
  for (std::size_t i = 0; i < xforms.size(); ++i) {
    const std::array<double, 2> own{1 - xforms[i].weight, xforms[i].weight};
    out.xforms[i] = mixXform(xformsAt(pair, i), own, pair[0].matrixInterpolation, out.xforms.size(),
                             {xforms[i].firstTurns, xforms[i].secondTurns, 2 * M_PI * phase});
  }
  return out;
}

}  // namespace fathom::flame
