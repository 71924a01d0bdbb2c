// SPDX-License-Identifier: BSD-3-Clause
// What two runs must share to be joined, and the joining of their rows.
#include "app/lab/run/join_runs.h"

#include "app/engine/core/error.h"

namespace fathom::bench {

void checkJoins(const BenchFile& now, const BenchFile& before) {
  const auto same = [&](const char* what, const std::string& ours, const std::string& theirs) {
    if (ours != theirs)
      fail("{}: expected a run of the same {} to join, \"{}\", found \"{}\"", before.path, what,
           ours, theirs);
  };
  same("device", now.machine.device.renderer, before.machine.device.renderer);
  same("driver", now.machine.device.version, before.machine.device.version);
  same("processor", now.machine.cpu, before.machine.cpu);
  same("scale", now.scale, before.scale);
  same("version of the program", now.version, before.version);
  same("commit of the program", now.commit, before.commit);
  if (!before.keepsRounds)
    fail("{}: expected the trials of each round, as --append and --rounds keep them, found none",
         before.path);
}

void joinRuns(BenchFile& now, const BenchFile& before) {
  checkJoins(now, before);
  if (before.rows.size() != now.rows.size())
    fail("{}: expected the {} rows of this run, found {}", before.path, now.rows.size(),
         before.rows.size());
  RowPartners partners;
  for (const BenchRow& row : before.rows) partners.add(row);
  for (BenchRow& row : now.rows) {
    const BenchRow* partner = partners.take(row.key());
    if (!partner) fail("{}: expected the row {}, found none", before.path, row.key());
    const double ownMs = row.gpu.median;
    row.rounds.insert(row.rounds.begin(), partner->rounds.begin(), partner->rounds.end());
    summarizeRounds(row);
    if (row.gpu.median > 0) row.ofCopyBandwidth *= ownMs / row.gpu.median;
    if (row.timesDisagree.empty()) row.timesDisagree = partner->timesDisagree;
    updatePaperNumbers(row);
  }
  now.rounds += before.rounds;
  now.machine.clocks.merge(before.machine.clocks);
}

}  // namespace fathom::bench
