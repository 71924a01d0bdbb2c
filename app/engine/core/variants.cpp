// SPDX-License-Identifier: BSD-3-Clause
// Variants as text and back, and the nearest valid variant after one choice has changed.
#include "app/engine/core/variants.h"

#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"

#include <fmt/format.h>

namespace fathom {
namespace {

std::vector<std::string> split(std::string_view id) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t dot = id.find('.', start);
    parts.emplace_back(id.substr(start, dot - start));
    if (dot == std::string_view::npos) return parts;
    start = dot + 1;
  }
}

int choiceNamed(const VariantDimension& dimension, const std::string& name, std::string_view id) {
  const int choice = dimension.find(name);
  if (choice >= 0) return choice;
  const std::string nearest = nearestName(name, valueNames(dimension));
  throw UsageError(fmt::format("variant {}: expected {} to be {}, found \"{}\"{}", id,
                               dimension.name, fmt::join(valueNames(dimension), " or "), name,
                               nearest.empty() ? "" : ", did you mean \"" + nearest + "\"?"));
}

}  // namespace

std::string VariantSpace::id(const Variant& variant) const {
  std::string text;
  for (int d = 0; d < dimensionCount(); ++d) {
    if (d) text += '.';
    text += value(variant, d);
  }
  return text;
}

Variant VariantSpace::parse(std::string_view id) const {
  const std::vector<std::string> parts = split(id);
  if (int(parts.size()) != dimensionCount())
    throw UsageError(fmt::format("variant {}: expected {} names like {}, found {}", id,
                                 dimensionCount(), this->id(at(0)), parts.size()));
  Variant variant{};
  for (int d = 0; d < dimensionCount(); ++d)
    variant[std::size_t(d)] = std::uint8_t(choiceNamed(dimensions[d], parts[std::size_t(d)], id));
  if (const VariantConstraint* constraint = broken(variant))
    throw UsageError(
        fmt::format("variant {}: {} forbids it: {}", id, constraint->name, constraint->reason));
  return variant;
}

Variant VariantSpace::with(const Variant& variant, int dimension, int choice) const {
  Variant wanted = variant;
  wanted[std::size_t(dimension)] = std::uint8_t(choice);
  if (!broken(wanted)) return wanted;
  Variant best{}, candidate{};
  int bestKept = -1;
  do {
    if (candidate[std::size_t(dimension)] != choice || broken(candidate)) continue;
    int kept = 0;
    for (int d = 0; d < dimensionCount(); ++d)
      kept += candidate[std::size_t(d)] == variant[std::size_t(d)];
    if (kept > bestKept) best = candidate, bestKept = kept;
  } while (advance(candidate));
  if (bestKept < 0) throw UsageError(whyNot(variant, dimension, choice));
  return best;
}

std::string VariantSpace::whyNot(const Variant& variant, int dimension, int choice) const {
  Variant wanted = variant;
  wanted[std::size_t(dimension)] = std::uint8_t(choice);
  const VariantConstraint* constraint = broken(wanted);
  return constraint ? fmt::format("{}: {}", constraint->name, constraint->reason) : "";
}

std::vector<std::string> valueNames(const VariantDimension& dimension) {
  std::vector<std::string> names;
  for (int i = 0; i < dimension.count(); ++i) names.emplace_back(dimension.values[i].name);
  return names;
}

std::vector<std::string> valueLines(const VariantDimension& dimension) {
  std::vector<std::string> lines;
  for (int i = 0; i < dimension.count(); ++i) lines.emplace_back(dimension.values[i].about);
  return lines;
}

std::vector<Variant> allVariants(const VariantSpace& space) {
  std::vector<Variant> counted, extension;
  Variant variant{};
  do {
    if (!space.broken(variant)) (space.extension(variant) ? extension : counted).push_back(variant);
  } while (space.advance(variant));
  counted.insert(counted.end(), extension.begin(), extension.end());
  return counted;
}

std::vector<TargetChain> targetsOf(const VariantSpace& space, const Variant& variant) {
  std::vector<TargetChain> chains;
  for (int d = 0; d < space.dimensionCount(); ++d) {
    const VariantDimension& dimension = space.dimensions[d];
    TargetChain chain;
    for (int i = variant[std::size_t(d)]; i >= 0; i = dimension.find(dimension.values[i].base)) {
      chain.push_back(fmt::format("{}-{}", dimension.name, dimension.values[i].name));
      FATHOM_CHECK_OP(int(chain.size()), <=, dimension.count());  // no value refines itself
    }
    chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace fathom
