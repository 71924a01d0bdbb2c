// SPDX-License-Identifier: BSD-3-Clause
// Each stage becomes a queue of shuffled rounds; a row's check goes right before its first trial.
// Medians decide which rows survive, since one slow trial says nothing.
#include "app/engine/core/variant_sweep.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <utility>

namespace fathom {

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
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return rows_[a].medianMs() < rows_[b].medianMs();
  });
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
