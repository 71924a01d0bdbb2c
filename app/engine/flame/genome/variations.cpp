// SPDX-License-Identifier: BSD-3-Clause
// The table of variations: what the shader files state, and the same in all stages.
#include "app/engine/flame/genome/variations.h"

#include "app/engine/core/error.h"

namespace fathom::flame {

namespace glsl {
[[gnu::const]] double plainAngle(double y, double x);  // of glsl.h
double plainAngle(double y, double x) { return std::atan2(y, x); }
}  // namespace glsl

namespace {

struct Table {
  std::vector<VariationInfo> infos;
  std::deque<std::string> names;  // of other stages: VariationInfo only points at them
  std::map<std::string_view, int> numbers;

  Table() {
    const auto stated = statedVariations();
    infos.assign(stated.begin(), stated.end());
    for (const VariationInfo& info : infos) {
      FATHOM_CHECK_OP(info.parameters.size(), <=, std::size_t(kMaxParameters));
      FATHOM_CHECK_OP(info.packedCount, <=, kMaxPacked);
    }
    addStages();
    for (std::size_t i = 0; i < infos.size(); ++i) numbers.emplace(infos[i].name, int(i));
  }

 private:
  void addStages() {
    const std::size_t count = infos.size();
    const auto addAll = [&](VariationStage stage, const char* before, const char* after,
                            bool adds = false) {
      for (std::size_t i = 0; i < count; ++i) {
        VariationInfo info = infos[i];
        info.name = names.emplace_back(before + std::string(info.name) + after);
        info.stage = stage;
        info.adds = info.adds || adds;
        infos.push_back(info);
      }
    };
    addAll(VariationStage::Before, "pre_", "");
    addAll(VariationStage::After, "post_", "");
    addAll(VariationStage::Among, "", "#1#");
    addAll(VariationStage::Among, "", "#2#");
    addAll(VariationStage::Before, "pre_add_", "", true);
    addAll(VariationStage::After, "post_add_", "", true);
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
    std::copy_n(info.pack({0, 0, use.weight, use.parameters.data(), &coefs}).begin(),
                info.packedCount, packed);
  else
    std::copy_n(use.parameters.begin(), info.packedCount, packed);
}

}  // namespace fathom::flame
