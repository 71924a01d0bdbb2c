// SPDX-License-Identifier: BSD-3-Clause
// A bench file as it is read back, of this version of the program or an older one: what is missing
// stays empty, what is wrong is refused.
#pragma once

#include "app/bench/bench_report.h"
#include "app/bench/statistics.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace fathom::bench {

/// One trial of a bench file. NaN: the file does not say.
struct RunTrial {
  std::string bench, workload, label, unit, checked;
  int width = 0, height = 0;  // 0: size has no meaning
  std::vector<std::pair<std::string, std::string>> settings;
  double work = 0, bytes = 0, memoryBytes = 0, ofCopyBandwidth = 0;  // 0: unknown
  Summary gpu, wall, cpu, pace;                                      // n = 0: none
  std::vector<RoundTimes> rounds;                                    // empty: not kept
  std::string timesDisagree;                                         // Result::timesDisagree
  std::vector<std::pair<std::string, double>> values;
  struct Placed {
    std::string table, row, column, unit;
    double ours = kNotPrinted, paper = kNotPrinted;
  };
  std::vector<Placed> paper;

  /// What counts as its time: the GPU's, or the clock's where nothing ran there. n = 0: none.
  const Summary& time() const { return gpu.n ? gpu : wall; }
  std::string sizeText() const;      // "1920 x 1080", or nothing
  std::string settingsText() const;  // "layout=bia method=rbm"
  /// What makes it the same row in two files: bench, workload, label, size, settings.
  std::string key() const;
};

struct RunFile {
  std::string file;             // its path as given
  Machine machine;              // device, processor, system, date, scale
  std::string version, commit;  // of the program
  std::vector<RunTrial> trials;
  std::string name;  // how pages call it: the device, and the commit where needed
};

/// Throws Error: `FILE: expected ..., found ...`.
RunFile readRunFile(const std::filesystem::path& file);
/// The same from text; `name` begins messages.
RunFile parseRunFile(const std::string& text, const std::string& name);

/// Gives each run a name of its own: the device, then what tells them apart (scale, date, commit,
/// file).
void nameRuns(std::vector<RunFile>& runs);

}  // namespace fathom::bench
