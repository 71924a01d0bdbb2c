// SPDX-License-Identifier: BSD-3-Clause
#include "app/bench/join_runs.h"

#include "app/bench/bench_report.h"
#include "app/bench/commit.h"
#include "app/core/error.h"

#include <algorithm>
#include <map>

namespace fathom::bench {

void checkJoins(const Machine& machine, const RunFile& before) {
  const auto same = [&](const char* what, const std::string& now, const std::string& then) {
    if (now != then)
      fail("{}: expected a run of the same {} to join, \"{}\", found \"{}\"", before.file, what,
           now, then);
  };
  same("device", machine.device.renderer, before.machine.device.renderer);
  same("driver", machine.device.version, before.machine.device.version);
  same("processor", machine.cpu, before.machine.cpu);
  same("scale", machine.scale, before.machine.scale);
  same("version of the program", FATHOM_VERSION, before.version);
  same("commit of the program", kCommit, before.commit);
  const auto& trials = before.trials;
  if (std::any_of(trials.begin(), trials.end(), [](const RunTrial& t) { return t.rounds.empty(); }))
    fail("{}: expected the trials of each round, as --append and --rounds keep them, found none",
         before.file);
}

void joinRuns(Machine& machine, std::vector<Result>& results, const RunFile& before) {
  checkJoins(machine, before);
  // Rows are the same when their files would say so.
  const RunFile now = parseRunFile(benchFile(machine, results), "this run");
  std::map<std::string, std::vector<const RunTrial*>> partners;
  for (const RunTrial& trial : before.trials) partners[trial.key()].push_back(&trial);
  if (before.trials.size() != results.size())
    fail("{}: expected the {} rows of this run, found {}", before.file, results.size(),
         before.trials.size());
  std::vector<const RunTrial*> partnerOf;
  for (const RunTrial& trial : now.trials) {
    std::vector<const RunTrial*>& same = partners[trial.key()];
    if (same.empty()) fail("{}: expected the row {}, found none", before.file, trial.key());
    partnerOf.push_back(same.front());  // equal rows pair in their order
    same.erase(same.begin());
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    Result& result = results[i];
    const RunTrial& partner = *partnerOf[i];
    const double ownMs = result.gpu.median;
    result.rounds.insert(result.rounds.begin(), partner.rounds.begin(), partner.rounds.end());
    summarizeRounds(result);
    if (result.gpu.median > 0) result.ofCopyBandwidth *= ownMs / result.gpu.median;
    if (result.timesDisagree.empty()) result.timesDisagree = partner.timesDisagree;
  }
  machine.rounds += before.machine.rounds;
  machine.clocks.take(before.machine.clocks);
}

}  // namespace fathom::bench
