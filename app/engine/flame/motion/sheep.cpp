// SPDX-License-Identifier: BSD-3-Clause
// Loops and edges: how a flock of genomes becomes one long animation, and the oscillations that
// xforms may have meanwhile.
#include "app/engine/core/error.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/text.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/keyframes.h"

namespace fathom::flame {
namespace {

double ease(double t) { return t * t * (3 - 2 * t); }

double motionAt(MotionFunction function, double turns) {
  const double t = turns - std::floor(turns);
  switch (function) {
    case MotionFunction::Sin:
      return std::sin(2 * std::numbers::pi * t);
    case MotionFunction::Triangle:
      return t < 0.25 ? 4 * t : t < 0.75 ? 2 - 4 * t : 4 * t - 4;
    case MotionFunction::Hill:
      return (1 - std::cos(2 * std::numbers::pi * t)) / 2;
  }
  return 0;
}

void addAffine(Affine& to, const std::vector<double>& amounts, double factor) {
  if (amounts.size() != 6) return;
  double* const members[6] = {&to.a, &to.d, &to.b, &to.e, &to.c, &to.f};
  for (std::size_t i = 0; i < 6; ++i) *members[i] += factor * amounts[i];
}

constexpr std::pair<std::string_view, double Xform::*> kNumbers[] = {
    {"weight", &Xform::weight},
    {"color", &Xform::color},
    {"color_speed", &Xform::colorSpeed},
    {"opacity", &Xform::opacity},
    {"animate", &Xform::animate}};

/// One of these; "julian", or "julian_power": the variation's weight or one of its parameters.
double* fieldIn(Xform& xform, const std::string& name) {
  for (const auto& [known, number] : kNumbers)
    if (name == known) return &(xform.*number);
  if (const int index = variationNamed(name); index >= 0) return &variationIn(xform, index).weight;
  for (std::size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
    const int index = variationNamed(name.substr(0, at));
    if (index < 0) continue;
    const auto& known = variations()[std::size_t(index)].parameters;
    for (std::size_t p = 0; p < known.size(); ++p)
      if (known[p].name == name.substr(at + 1)) return &variationIn(xform, index).parameters[p];
  }
  return nullptr;
}

void addMotion(Xform& xform, const Xform::Motion& motion, double phase) {
  const double factor = motionAt(motion.function, motion.frequency * phase);
  for (const auto& [name, text] : motion.fields) {
    const std::vector<double> amounts = realsOf(text).value_or(std::vector<double>{});
    if (amounts.empty()) continue;
    if (name == "coefs")
      addAffine(xform.coefs, amounts, factor);
    else if (name == "post")
      addAffine(xform.post, amounts, factor);
    else if (double* field = fieldIn(xform, name))
      *field += factor * amounts[0];
  }
  xform.color = std::clamp(xform.color, 0.0, 1.0);
  xform.weight = std::max(0.0, xform.weight);
}

/// Xforms follow each other; each has its share of the way.
double staggered(double way, double stagger, std::size_t i, std::size_t count) {
  if (stagger <= 0 || count < 2) return way;
  const double latest = stagger * double(count - 1) / double(count);
  const double start = latest * double(i) / double(count - 1);
  return ease(std::clamp((way - start) / (1 - latest), 0.0, 1.0));
}

}  // namespace

Genome moved(const Genome& genome, double phase) {
  Genome out = genome;
  const auto move = [&](Xform& xform) {
    for (const Xform::Motion& motion : xform.motions) addMotion(xform, motion, phase);
    xform.motions.clear();
  };
  for (Xform& xform : out.xforms) move(xform);
  if (out.finalXform) move(*out.finalXform);
  return out;
}

Genome loopFrame(const Genome& genome, double phase) {
  Genome out = moved(genome, phase);
  for (Xform& xform : out.xforms)
    if (xform.animate != 0) xform.coefs = turned(xform.coefs, 2 * std::numbers::pi * phase);
  return out;
}

Genome edgeFrame(const Genome& from, const Genome& to, double phase, double stagger) {
  const std::vector<Genome> originals{moved(from, phase), moved(to, phase)};
  const std::vector<Genome> pair = aligned(originals);
  const double way = ease(phase);
  const bool paddingTurns = pair[0].matrixInterpolation == MatrixInterpolation::Log;
  const auto turns = [&](std::size_t genome, std::size_t i) {
    const bool padding = i >= originals[genome].xforms.size();
    return pair[genome].xforms[i].animate != 0 && (paddingTurns || !padding);
  };
  std::vector<EdgeXform> xforms;
  const std::size_t count = pair[0].xforms.size();
  for (std::size_t i = 0; i < count; ++i)
    xforms.push_back({turns(0, i), turns(1, i), staggered(way, stagger, i, count)});
  return blendEdge(pair, phase, xforms, way);
}

std::vector<Genome> sheepSequence(std::span<const Genome> genomes, int frames, int loops,
                                  double stagger) {
  FATHOM_CHECK(!genomes.empty());
  FATHOM_CHECK_OP(frames, >=, 1);
  std::vector<Genome> list;
  const auto add = [&](Genome genome) {
    genome.time = double(list.size());
    list.push_back(std::move(genome));
  };
  for (std::size_t i = 0; i < genomes.size(); ++i) {
    for (int loop = 0; loop < loops; ++loop)
      for (int frame = 0; frame < frames; ++frame)
        add(loopFrame(genomes[i], double(frame) / frames));
    for (int frame = 0; i + 1 < genomes.size() && frame < frames; ++frame)
      add(edgeFrame(genomes[i], genomes[i + 1], double(frame) / frames, stagger));
  }
  add(loopFrame(genomes.back(), 0));
  return list;
}

}  // namespace fathom::flame
