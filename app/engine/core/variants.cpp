// SPDX-License-Identifier: BSD-3-Clause
// Variants as text and back, and the nearest valid variant after one choice has changed.
#include "app/engine/core/variants.h"

#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/text.h"

namespace fathom {
namespace {

int choiceNamed(const VariantDimension& dimension, const std::string& name, std::string_view id) {
  const int choice = dimension.find(name);
  if (choice >= 0) return choice;
  const std::string nearest = nearestName(name, valueNames(dimension));
  failUsage("variant {}: expected {} to be {}, found \"{}\"{}", id, dimension.name,
            fmt::join(valueNames(dimension), " or "), name,
            nearest.empty() ? "" : ", did you mean \"" + nearest + "\"?");
}

}  // namespace

Variant VariantSpace::at(int index) const { return allVariants(*this)[std::size_t(index)]; }

int VariantSpace::index(const Variant& variant) const {
  const std::vector<Variant> all = allVariants(*this);
  const auto at = std::ranges::find(all, variant);
  return at == all.end() ? -1 : int(at - all.begin());
}

std::string VariantSpace::id(const Variant& variant) const {
  return joined(std::views::iota(0, dimensionCount()), ".",
                [&](int dimension) { return value(variant, dimension); });
}

Variant VariantSpace::parse(std::string_view id) const {
  const std::vector<std::string> parts = splitAt(id, '.');
  if (int(parts.size()) != dimensionCount())
    failUsage("variant {}: expected {} names like {}, found {}", id, dimensionCount(),
              this->id(at(0)), parts.size());
  Variant variant{};
  for (int d = 0; d < dimensionCount(); ++d)
    variant[std::size_t(d)] = std::uint8_t(choiceNamed(dimensions[d], parts[std::size_t(d)], id));
  if (const auto i = broken(variant))
    failUsage("variant {}: {} forbids it: {}", id, constraints[*i].name, constraints[*i].reason);
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
  const auto i = broken(wanted);
  return i ? fmt::format("{}: {}", constraints[*i].name, constraints[*i].reason) : "";
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

// ---- Which variants to measure next

// Each stage becomes a queue of shuffled rounds; a row's check goes right before its first trial.
// Medians decide which rows survive, since one slow trial says nothing.

double VariantSweep::Row::medianMs() const {
  if (ms.empty()) return 0;
  std::vector<double> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

VariantSweep::VariantSweep(const std::vector<int>& variants, std::vector<Stage> stages,
                           std::uint64_t seed)
    : stages_(stages.begin(), stages.end()), random_(seed) {
  for (const int variant : variants) rows_.push_back({variant, State::Waiting, {}, {}});
  std::size_t tried = rows_.size();
  total_ = rows_.size();  // checks
  for (const Stage& stage : stages) {
    if (stage.keep > 0) tried = std::min(tried, stage.keep);
    total_ += tried * std::size_t(stage.trials);
  }
  fill();
}

std::vector<VariantSweep::Stage> VariantSweep::halving(std::size_t count) {
  return {
      {0, 1}, {std::max<std::size_t>(count / 4, 1), 3}, {std::max<std::size_t>(count / 20, 1), 10}};
}

/// Rows that have passed, or wait, the fastest first; `keep` of them (0: all).
std::vector<std::size_t> VariantSweep::survivors(std::size_t keep) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].state != State::Failed) rows.push_back(i);
  std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return rows_[row].medianMs(); });
  if (keep > 0 && rows.size() > keep) rows.resize(keep);
  return rows;
}

/// Queues stages until there is something to do: a stage with no survivors has nothing.
void VariantSweep::fill() {
  while (queue_.empty() && !stages_.empty()) {
    const Stage stage = stages_.front();
    stages_.pop_front();
    std::vector<std::size_t> rows = survivors(stage.keep);
    for (int round = 0; round < stage.trials; ++round) {
      for (std::size_t i = rows.size(); i > 1; --i)
        std::swap(rows[i - 1], rows[random_.below(std::uint32_t(i))]);
      for (const std::size_t row : rows) {
        if (round == 0 && rows_[row].state == State::Waiting) queue_.push_back({true, row});
        queue_.push_back({false, row});
      }
    }
  }
}

void VariantSweep::pop() {
  queue_.pop_front();
  ++done_;
  fill();
}

void VariantSweep::checked(bool passed, std::string detail) {
  FATHOM_CHECK(!finished() && next().check);
  const std::size_t index = next().row;
  rows_[index].state = passed ? State::Passed : State::Failed;
  rows_[index].detail = std::move(detail);
  if (!passed) {
    const std::size_t before = queue_.size();
    std::erase_if(queue_, [&](const Step& step) { return !step.check && step.row == index; });
    total_ -= before - queue_.size();
  }
  pop();
}

void VariantSweep::timed(double ms) {
  FATHOM_CHECK(!finished() && !next().check);
  rows_[next().row].ms.push_back(ms);
  pop();
}

int VariantSweep::best() const {
  int best = -1;
  const auto better = [&](const Row& a, const Row& b) {
    if (a.ms.size() != b.ms.size()) return a.ms.size() > b.ms.size();
    return a.medianMs() < b.medianMs();
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].state != State::Passed || rows_[i].ms.empty()) continue;
    if (best < 0 || better(rows_[i], rows_[std::size_t(best)])) best = int(i);
  }
  return best;
}

}  // namespace fathom
