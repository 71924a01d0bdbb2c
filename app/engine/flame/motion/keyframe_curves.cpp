// SPDX-License-Identifier: BSD-3-Clause
// Keyframes as curves of time. Every mix of flam3 is one: a line between two keyframes is a curve
// through four points of it; a smooth segment is a Catmull-Rom spline whose outer knots lie a
// segment's length away, because flam3 takes keyframes for evenly spaced.
#include "app/engine/core/error.h"
#include "app/engine/flame/motion/blend_matrices.h"
#include "app/engine/flame/motion/keyframes.h"

#include <algorithm>

namespace fathom::flame {
namespace {

/// A segment between keyframes: two that are mixed linearly, or four smoothly.
struct Segment {
  double from, length;
  std::size_t count;  // of the keyframes mixed; 1: nothing moves

  /// Through the values that the keyframes have.
  template <class Value>
  Curve through(Value&& value, CurveLimit limit = CurveLimit::None,
                CurveDomain domain = CurveDomain::Plain) const {
    std::array<double, 4> v{};
    for (std::size_t k = 0; k < count; ++k) v[k] = value(k);
    Curve curve(v[0]);
    curve.domain = domain, curve.limit = limit;
    if (std::all_of(v.begin(), v.begin() + std::ptrdiff_t(count),
                    [&](double same) { return same == v[0]; }))
      return curve;
    if (count == 2) v = {2 * v[0] - v[1], v[0], v[1], 2 * v[1] - v[0]};
    const double to = from + length;
    curve.knots = {{from - length, v[0]}, {from, v[1]}, {to, v[2]}, {to + length, v[3]}};
    return curve;
  }
};

MovingAffine movingAffine(const Segment& segment, const std::vector<Affine>& list, bool polar) {
  MovingAffine out;
  constexpr std::array kMembers{&Affine::a, &Affine::d, &Affine::b,
                                &Affine::e, &Affine::c, &Affine::f};
  for (std::size_t i = 0; i < kMembers.size(); ++i)
    out.curves[i] = segment.through([&](std::size_t k) { return list[k].*kMembers[i]; });
  if (!polar) return out;
  out.form = MovingAffine::Form::Columns;
  const PolarColumns columns = polarColumnsOf(list);
  const auto fill = [&](std::size_t first, const PolarColumn& column) {
    out.curves[first] = segment.through([&](std::size_t k) { return column.angles[k]; });
    out.curves[first + 1] =
        segment.through([&](std::size_t k) { return column.sizes[k]; }, CurveLimit::None,
                        column.logarithms ? CurveDomain::Logarithm : CurveDomain::Plain);
  };
  fill(0, columns.first), fill(2, columns.second);
  return out;
}

std::vector<MovingVariation> movingVariations(const Segment& segment,
                                              const std::vector<const Xform*>& list) {
  std::vector<MovingVariation> out;
  for (const VariationUse& fallback : unitedVariations(list)) {
    MovingVariation& variation = out.emplace_back();
    variation.index = fallback.index;
    variation.weight =
        segment.through([&](std::size_t k) { return useIn(*list[k], fallback).weight; });
    for (std::size_t p = 0; p < variation.parameters.size(); ++p)
      variation.parameters[p] =
          segment.through([&](std::size_t k) { return useIn(*list[k], fallback).parameters[p]; });
  }
  return out;
}

std::vector<Curve> movingChaos(const Segment& segment, const std::vector<const Xform*>& list,
                               std::size_t xformCount) {
  std::vector<Curve> chaos;
  if (allChaosPlain(list)) return chaos;
  for (std::size_t to = 0; to < xformCount; ++to)
    chaos.push_back(segment.through(
        [&](std::size_t k) { return to < list[k]->chaos.size() ? list[k]->chaos[to] : 1.0; },
        CurveLimit::NotNegative));
  return chaos;
}

MovingXform movingXform(const Segment& segment, const std::vector<const Xform*>& list, bool polar,
                        std::size_t xformCount) {
  const auto curveOf = [&](double Xform::*member, CurveLimit limit) {
    return segment.through([&](std::size_t k) { return list[k]->*member; }, limit);
  };
  MovingXform out;
  out.weight = curveOf(&Xform::weight, CurveLimit::NotNegative);
  out.color = curveOf(&Xform::color, CurveLimit::ZeroToOne);
  out.colorSpeed = curveOf(&Xform::colorSpeed, CurveLimit::ZeroToOne);
  out.opacity = curveOf(&Xform::opacity, CurveLimit::None);
  std::vector<Affine> coefs, post;
  for (const Xform* xform : list) coefs.push_back(xform->coefs), post.push_back(xform->post);
  out.coefs = movingAffine(segment, coefs, polar);
  if (!allPlain(post)) out.post = movingAffine(segment, post, polar);
  out.chaos = movingChaos(segment, list, xformCount);
  out.variations = movingVariations(segment, list);
  return out;
}

MovingGenome movingGenome(const Segment& segment, const std::vector<Genome>& list) {
  const auto curveOf = [&](double Genome::*member) {
    return segment.through([&](std::size_t k) { return list[k].*member; });
  };
  MovingGenome out;
  out.fixed = list.front();
  out.centerX = segment.through([&](std::size_t k) { return list[k].center.x; });
  out.centerY = segment.through([&](std::size_t k) { return list[k].center.y; });
  out.scale = curveOf(&Genome::scale), out.zoom = curveOf(&Genome::zoom);
  out.rotate = curveOf(&Genome::rotate), out.filter = curveOf(&Genome::filter);
  const bool polar = list.front().matrixInterpolation == MatrixInterpolation::Log;
  const std::size_t count = list.front().xforms.size();
  for (std::size_t i = 0; i < count; ++i)
    out.xforms.push_back(movingXform(segment, xformsAt(list, i), polar, count));
  if (list.front().finalXform)
    out.finalXform = movingXform(segment, xformsAt(list, count), polar, count);
  return out;
}

}  // namespace

std::vector<MovingGenome> Keyframes::curves(double first, double last) const {
  for (const Genome& genome : genomes_)
    if (genome.size != genomes_[0].size) return {};
  std::vector<MovingGenome> pieces;
  for (std::size_t s = segmentAt(first); s <= segmentAt(last); ++s) {
    const Mix mix = mixOf(s);
    const double length = mix.count == 1 ? 1 : genomes_[s + 1].time - genomes_[s].time;
    pieces.push_back(movingGenome({genomes_[s].time, length, mix.count}, *alignedFor(mix)));
    pieces.back().begin = pieces.size() == 1 ? first : genomes_[s].time;
    if (pieces.size() > 1) pieces[pieces.size() - 2].end = genomes_[s].time;
  }
  pieces.back().end = last;
  return pieces;
}

}  // namespace fathom::flame
