// SPDX-License-Identifier: BSD-3-Clause
// The bench file, "fathom.bench/1" in docs/reference/json.md: rows and where they were measured.
// Written and read here and nowhere else. Files of older versions are read too: what they lack
// stays unknown (see bench_row.h); nothing in a file is trusted. And rows as text: a table per
// bench for people, CSV for spreadsheets.
#pragma once

#include "app/engine/io/run_record.h"
#include "app/lab/bench_row.h"

namespace fathom::bench {

/// Where and when something was measured.
struct Machine {
  DeviceFacts device;
  std::string cpu, os, date;  // date: 2026-01-31
};

/// "2026-01-31", UTC.
std::string dateOfToday();
Machine thisMachine(DeviceFacts device);

struct BenchFile {
  std::string path;  // as given; begins messages
  std::string name;  // how a page calls it (report/page.h); files do not keep it
  Machine machine;
  std::string version, commit;  // of the program
  std::string scale;            // "quick", "normal", "paper"; empty: none of them
  int rounds = 1;               // through all benches
  bool interrupted = false;     // the cases after the last row were not run
  bool keepsRounds = false;     // the trials of each round are in the file, so that others can join
  std::vector<BenchRow> rows;
};

/// A file of this program, without rows.
BenchFile newBenchFile(Machine machine);

/// As JSON text with a final line feed.
std::string benchFileJson(const BenchFile& file);

/// Throws Error: `FILE: expected ..., found ...`.
BenchFile readBenchFile(const fs::path& path);
/// The same from text; `path` begins messages.
BenchFile parseBenchFile(const std::string& text, const std::string& path);

// ---- Joining runs of one program on one machine into one file: `fathom bench --append`

/// Refuses a file of another device, program or scale, or one that does not keep its rounds; needs
/// no rows of `now`, so it can be called before anything is measured.
/// Throws Error: `FILE: expected ..., found ...`.
void checkJoins(const BenchFile& now, const BenchFile& before);

/// Puts the rounds of `before` in front of those of `now` and summarizes all of them. Both must
/// hold the same rows. Throws Error like checkJoins().
void joinRuns(BenchFile& now, const BenchFile& before);

/// A recording of the window as a bench file: a row for the picture, one for each pass. Returns a
/// line about it. Throws Error when the file cannot be written.
std::string writeRecording(const Recording& recording, const std::string& file);

/// A table per bench and workload: times, throughput, each row relative to the fastest, and the
/// same ratio in the paper.
std::string textTables(const std::vector<BenchRow>& rows);

/// One line per row below a heading; settings in one column, "layout=bia method=rbm".
std::string csv(const BenchFile& file);

}  // namespace fathom::bench
