// SPDX-License-Identifier: BSD-3-Clause
// The registry of all families, in the order of flam3's numbers.
#include "app/techniques/flame/genome/variations.h"

#include "app/core/error.h"
#include "app/techniques/flame/genome/variations/family.h"

#include <algorithm>
#include <deque>
#include <map>

namespace fathom::flame {
namespace {

/// Rows and names of packed values live as long as the program: VariationInfo only points at them.
struct Table {
  std::deque<Variation> rows;
  std::array<VariationInfo, kVariationCount> infos{};
  std::map<std::string_view, int> numbers;

  Table() {
    for (const auto& family :
         {classicVariations(), blurVariations(), angularVariations(), radialVariations(),
          waveVariations(), tileVariations(), complexVariations(), hyperbolicVariations()})
      for (const Variation& row : family) add(row);
    FATHOM_CHECK_OP(rows.size(), ==, infos.size());
    FATHOM_CHECK_OP(numbers.size(), ==, infos.size());
  }

 private:
  void add(const Variation& added) {
    Variation& row = rows.emplace_back(added);
    if (!row.pack)
      for (const ParameterInfo& parameter : row.parameters) row.packed.push_back(parameter.name);
    FATHOM_CHECK_OP(row.parameters.size(), <=, std::size_t(kMaxParameters));
    FATHOM_CHECK_OP(row.packed.size(), <=, std::size_t(kMaxPacked));
    VariationInfo& info = infos.at(std::size_t(row.number));
    FATHOM_CHECK(info.name.empty());
    info = {row.name, row.parameters, row.evaluate, row.packed, row.pack};
    numbers[row.name] = row.number;
  }
};

const Table& table() {
  static const Table all;
  return all;
}

}  // namespace

const std::array<VariationInfo, kVariationCount>& variations() { return table().infos; }

int variationNamed(std::string_view name) {
  const auto found = table().numbers.find(name);
  return found == table().numbers.end() ? -1 : found->second;
}

void packVariation(const VariationUse& use, const Affine& coefs, double* packed) {
  const VariationInfo& info = variations().at(std::size_t(use.index));
  if (info.pack)
    info.pack({0, 0, use.weight, use.parameters.data(), &coefs}, packed);
  else
    std::copy_n(use.parameters.begin(), info.packed.size(), packed);
}

}  // namespace fathom::flame
