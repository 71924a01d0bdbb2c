// SPDX-License-Identifier: BSD-3-Clause
// The registry of all families, in the order of flam3's numbers.
#include "app/engine/flame/genome/variations.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace fathom::flame {
namespace {

/// Rows and names of packed values live as long as the program: VariationInfo only points at them.
struct Table {
  std::deque<Variation> rows;
  std::deque<std::string> names;
  std::vector<VariationInfo> infos{std::size_t(kFlam3Variations)};
  std::map<std::string_view, int> numbers;

  Table() {
    for (const auto& family :
         {classicVariations(), blurVariations(), angularVariations(), radialVariations(),
          waveVariations(), tileVariations(), complexVariations(), hyperbolicVariations()})
      for (const Variation& row : family) add(row);
    FATHOM_CHECK_OP(rows.size(), ==, infos.size());
    for (const auto& family :
         {wildDepthVariations(),     wildPlaneVariations(),  wildWaveVariations(),
          wildTileVariations(),      wildShapeVariations(),  wildMirrorVariations(),
          wildComplexVariations(),   wildMoreVariations(),   wildCurveVariations(),
          wildSpaceVariations(),     wildSynthVariations(),  wildSymmetryVariations(),
          wildTextVariations(),      wildPowerVariations(),  wildOrbitVariations(),
          wildFigureVariations(),    wildFoldVariations(),   wildHidingVariations(),
          wildAttractorVariations(), wildReshapeVariations()})
      for (const WildVariation& row : family) addWild(row);
    addStages();
    for (std::size_t i = 0; i < infos.size(); ++i) numbers.emplace(infos[i].name, int(i));
  }

 private:
  void add(const Variation& added) {
    VariationInfo& info = infos.at(std::size_t(added.number));
    FATHOM_CHECK(info.name.empty());
    fill(info, added);
  }

  void fill(VariationInfo& info, const Variation& added) {
    Variation& row = rows.emplace_back(added);
    if (!row.pack)
      for (const ParameterInfo& parameter : row.parameters) row.packed.push_back(parameter.name);
    FATHOM_CHECK_OP(row.parameters.size(), <=, std::size_t(kMaxParameters));
    FATHOM_CHECK_OP(row.packed.size(), <=, std::size_t(kMaxPacked));
    info.name = info.function = row.name;
    info.parameters = row.parameters;
    info.evaluateFlat = row.evaluate;
    info.packed = row.packed;
    info.pack = row.pack;
    if (row.number >= 0 && blurs(row.name)) info.adds = true;
  }

  /// Those whose point comes from the draws move the point when they act before or after.
  static bool blurs(std::string_view name) {
    return name == "blur" || name == "gaussian_blur" || name == "radial_blur" || name == "noise";
  }

  void addWild(const WildVariation& row) {
    VariationInfo& info = infos.emplace_back();
    fill(info, {-1, row.name, row.flat, row.parameters});
    info.evaluateDeep = row.deep;
    info.depth = row.depth;
    info.adds = row.adds;
    info.colors = row.colors;
    info.hides = row.hides;
    info.orbits = row.orbits;
    if (row.name == "flatten" || row.name == "farblur") info.stage = VariationStage::After;
  }

  void addStages() {
    const std::size_t count = infos.size();
    const auto addAll = [&](VariationStage stage, const char* before, const char* after) {
      for (std::size_t i = 0; i < count; ++i) {
        VariationInfo info = infos[i];
        info.name = names.emplace_back(before + std::string(info.name) + after);
        info.stage = stage;
        infos.push_back(info);
      }
    };
    addAll(VariationStage::Before, "pre_", "");
    addAll(VariationStage::After, "post_", "");
    addAll(VariationStage::Among, "", "#1#");
    addAll(VariationStage::Among, "", "#2#");
    FATHOM_CHECK_OP(infos.size(), ==, count * std::size_t(kVariationStages));
  }
};

const Table& table() {
  static const Table all;
  return all;
}

}  // namespace

std::span<const VariationInfo> variations() { return table().infos; }

int variationCount() {
  static const int count = int(table().infos.size()) / kVariationStages;
  return count;
}

int variationNamed(std::string_view name) {
  const auto found = table().numbers.find(name);
  return found == table().numbers.end() ? -1 : found->second;
}

void packVariation(const VariationUse& use, const Affine& coefs, double* packed) {
  const VariationInfo& info = table().infos.at(std::size_t(use.index));
  if (info.pack)
    info.pack({0, 0, use.weight, use.parameters.data(), &coefs}, packed);
  else
    std::copy_n(use.parameters.begin(), info.packed.size(), packed);
}

}  // namespace fathom::flame
