// SPDX-License-Identifier: BSD-3-Clause
// Genomes of different shape become alike: xforms that stand in for missing ones, and parameters of
// variations that only a neighbor uses.
#include "app/engine/core/error.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/keyframes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fathom::flame {
namespace {

constexpr int kFirstWithParameters = 23;  // blob; those before have none

int named(std::string_view name) {
  const int index = variationNamed(name);
  FATHOM_CHECK_OP(index, >=, 0);
  return index;
}

bool old(MatrixInterpolation how) {
  return how == MatrixInterpolation::Old || how == MatrixInterpolation::Older;
}

/// Turning these inside out is smoother than fading them in from nothing.
bool turnsInsideOut(const Xform& xform) {
  static const std::array<int, 7> kinds{named("spherical"),  named("ngon"),  named("julian"),
                                        named("juliascope"), named("polar"), named("wedge_sph"),
                                        named("wedge_julia")};
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](int kind) { return weightIn(xform, kind) > 0; });
}

/// The parameters with which a variation leaves points where they are.
struct Identity {
  std::string_view variation;
  std::vector<std::pair<std::string_view, double>> parameters;
};

void setParameters(VariationUse& use, const Identity& identity) {
  const auto& known = variations()[std::size_t(use.index)].parameters;
  for (const auto& [name, value] : identity.parameters) {
    const auto at = std::find_if(known.begin(), known.end(),
                                 [&](const ParameterInfo& info) { return info.name == name; });
    FATHOM_CHECK(at != known.end());
    use.parameters[std::size_t(at - known.begin())] = value;
  }
}

/// True when the partner uses variations that can be the identity; the padding then has them.
bool padWithIdentities(Xform& padding, std::span<const Xform* const> partners) {
  static const std::vector<Identity> identities = {
      {"rectangles", {{"x", 0}, {"y", 0}}},
      {"rings2", {{"val", 0}}},
      {"fan2", {{"x", 0}, {"y", 0}}},
      {"blob", {{"low", 1}, {"high", 1}, {"waves", 1}}},
      {"perspective", {{"angle", 0}}},
      {"curl", {{"c1", 0}, {"c2", 0}}},
      {"super_shape", {{"n1", 2}, {"n2", 2}, {"n3", 2}, {"rnd", 0}, {"holes", 0}}},
  };
  int found = 0;
  for (const Identity& identity : identities) {
    const int index = named(identity.variation);
    const bool used = std::any_of(partners.begin(), partners.end(), [&](const Xform* partner) {
      return weightIn(*partner, index) > 0;
    });
    if (!used) continue;
    VariationUse& use = variationIn(padding, index);
    use.weight = 1;
    setParameters(use, identity);
    ++found;
  }
  for (VariationUse& use : padding.variations) use.weight /= std::max(found, 1);
  return found > 0;
}

bool padWithFans(Xform& padding, std::span<const Xform* const> partners) {
  int found = 0;
  for (const std::string_view name : {"fan", "rings"}) {
    const int index = named(name);
    const bool used = std::any_of(partners.begin(), partners.end(), [&](const Xform* partner) {
      return weightIn(*partner, index) > 0;
    });
    if (!used) continue;
    variationIn(padding, index).weight = 1;
    ++found;
  }
  if (!found) return false;
  for (VariationUse& use : padding.variations) use.weight /= found;
  padding.coefs = {0, 1, 1, 0, 0, 0};
  return true;
}

/// Stands in for an xform whose partners in the genomes beside are these.
void pad(Xform& padding, std::span<const Xform* const> partners, MatrixInterpolation matrices) {
  const auto plain = [&] { variationIn(padding, kLinear).weight = 1; };
  if (old(matrices)) return plain();
  const bool insideOut = matrices == MatrixInterpolation::Log &&
                         std::any_of(partners.begin(), partners.end(),
                                     [](const Xform* partner) { return turnsInsideOut(*partner); });
  if (insideOut) {
    variationIn(padding, kLinear).weight = -1;
    padding.coefs = {-1, 0, 0, -1, 0, 0};
  } else if (!padWithIdentities(padding, partners) && !padWithFans(padding, partners)) {
    plain();
  }
}

/// Parameters of what only the neighbor uses; of flower the petals alone, as flam3 does (its holes
/// are 0 then).
void copyParameters(Xform& to, const Xform& from) {
  static const int flower = named("flower");
  for (const VariationUse& use : from.variations) {
    if (use.index < kFirstWithParameters || use.weight == 0) continue;
    if (weightIn(to, use.index) != 0) continue;
    std::array<double, kMaxParameters>& copied = variationIn(to, use.index).parameters;
    copied = use.parameters;
    if (use.index == flower) copied[1] = 0;
  }
}

/// Xform i of a genome; the final one for i = count.
Xform* xformAt(Genome& genome, std::size_t i) {
  if (i < genome.xforms.size()) return &genome.xforms[i];
  return genome.finalXform ? &*genome.finalXform : nullptr;
}

}  // namespace

std::vector<Genome> aligned(std::span<const Genome> genomes) {
  std::vector<Genome> list(genomes.begin(), genomes.end());
  std::size_t count = 0;
  bool final = false;
  for (const Genome& genome : list) {
    count = std::max(count, genome.xforms.size());
    final = final || genome.finalXform;
  }
  // Shape first; which xforms are padding is known from the originals.
  for (Genome& genome : list) {
    while (genome.xforms.size() < count) {
      Xform padding;
      padding.color = double(genome.xforms.size() & 1);
      genome.xforms.push_back(std::move(padding));
    }
    if (final && !genome.finalXform) {
      genome.finalXform.emplace();
      genome.finalXform->color = double(count & 1);
      genome.finalXform->colorSpeed = 0, genome.finalXform->animate = 0;
    }
  }
  for (std::size_t k = 0; k < list.size(); ++k)
    for (std::size_t i = 0; i < count + (final ? 1 : 0); ++i) {
      const auto isPadding = [&](std::size_t genome) {
        return i < count ? i >= genomes[genome].xforms.size() : !genomes[genome].finalXform;
      };
      Xform& xform = *xformAt(list[k], i);
      std::vector<const Xform*> neighbors;
      if (k > 0 && !isPadding(k - 1)) neighbors.push_back(xformAt(list[k - 1], i));
      if (k + 1 < list.size() && !isPadding(k + 1)) neighbors.push_back(xformAt(list[k + 1], i));
      if (isPadding(k)) pad(xform, neighbors, list[k].matrixInterpolation);
      if (list.size() > 1 && !old(list.front().matrixInterpolation))
        copyParameters(xform, *xformAt(list[k > 0 ? k - 1 : 1], i));
    }
  return list;
}

}  // namespace fathom::flame
