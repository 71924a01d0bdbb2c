// SPDX-License-Identifier: BSD-3-Clause
// A row of a bench file: one case of a bench and what was measured of it. The runner and the
// window's recorder fill rows in; tables, CSV, pages, comparison and joining read them. The papers'
// tables that rows stand beside, and the statistics of trials.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom {

// ---- The tables and figures of the papers, which papers.json holds with the rows and columns that
// they print. Cases of benches name the cell that they correspond to, so that each number of a
// paper is written once.

/// A number that the paper does not print.
inline constexpr double kNotPrinted = std::numeric_limits<double>::quiet_NaN();

/// What a bench needs of a table; a report's page takes the rest from papers.json too.
struct PaperTable {
  struct Row {
    std::string name;
    std::vector<double> values;  // as many as there are columns
  };

  std::string name;   // "Archer 2018, table 1": unique among all
  std::string bench;  // "deep.composite": the one that measures it
  /// Of its cells: "ms", "s", "us", "MiB", "%", "M keys/s", "frames/s"; empty: each column its own.
  std::string unit;
  /// "Station: transfer, 2 ranks": the text before a colon is a heading over several columns, and
  /// likewise for rows; figures draw a chart for each such group of rows.
  std::vector<std::string> columns;
  std::vector<Row> rows;

  /// What the paper prints there; kNotPrinted for an empty cell and for rows and columns of ours.
  double at(const std::string& row, const std::string& column) const {
    for (const Row& r : rows)
      for (std::size_t i = 0; r.name == row && i < r.values.size(); ++i)
        if (columns[i] == column) return r.values[i];
    return kNotPrinted;
  }
};

/// Where a case belongs in a paper's table. A row or column that the paper lacks is ours and comes
/// after the others.
struct PaperCell {
  std::string table, row, column;
  /// The name of the value of the check that it shows (CheckResult::values); empty: the time, the
  /// bytes or the rate, as the unit of the table says.
  std::string value;
};

}  // namespace fathom

namespace fathom::bench {

struct Summary {
  double median = 0, p10 = 0, p90 = 0;  // ms
  int n = 0;                            // trials, without the warm-up; 0: not timed
  double min = 0, p25 = 0, p75 = 0;     // ms
};

/// The trials of one case in one round through all benches, in their order.
struct RoundTimes {
  double started = 0;  // seconds since 1970, UTC
  std::vector<double> gpuMs, wallMs, cpuMs, paceMs;
};

/// The value below which the share `p` (0..1) of the values lies, interpolated linearly between
/// neighbors. 0 for no values.
double percentile(std::vector<double> values, double p);

Summary summarize(const std::vector<double>& values);

/// The median of changes, such as logarithms of ratios, and its uncertainty.
struct MedianChange {
  double median = 0;
  double noise = 0;  // standard deviation of the median if nothing changed, from their spread
};
/// 0 for no values.
MedianChange medianChange(const std::vector<double>& changes);

/// How many times as long one thing takes as another, from pairs measured one right after the
/// other: whatever disturbs the machine disturbs both.
struct TimeRatio {
  double ratio = 1;  // median of the pairs' ratios
  double noise = 0;  // standard deviation of its logarithm if nothing changed
};
/// Pairs without two positive times do not count; 1 without any.
TimeRatio ratioOf(const std::vector<double>& times, const std::vector<double>& baseline);

/// A number of a row beside the one that a paper prints.
struct PaperNumber {
  std::string table, row, column, unit;
  double ours = kNotPrinted, paper = kNotPrinted;
  /// PaperCell::value: which of BenchRow::values it is, or empty. Files do not keep it.
  std::string value = {};
};

struct BenchRow {
  std::string bench, unit;           // "deep.composite"; what `work` counts: "fragments"
  std::string workload, label;       // "atrium", "BIA-RBM"
  glm::ivec2 size{0};                // pixels
  std::vector<FieldValue> settings;  // as declared; read from a file, sorted by name
  double work = 0;                   // per trial
  std::int64_t bytes = 0;            // read and written at least, per trial
  std::int64_t memoryBytes = 0;
  std::vector<RoundTimes> rounds;  // what the summaries are of; empty: not kept
  Summary gpu, wall;               // GPU: none where only the CPU worked
  Summary cpu;                     // of all threads of the process
  Summary pace;                    // see Pace in workload.h; software renderers only
  std::string checked;             // CheckResult::how
  double ofCopyBandwidth = 0;
  std::vector<std::pair<std::string, double>> values;  // CheckResult::values
  std::vector<PaperNumber> paper;

  /// What counts as its time: the GPU's, or the wall clock's where nothing ran there.
  const Summary& time() const { return gpu.n ? gpu : wall; }
  // "1920 x 1080"
  std::string sizeText() const { return size.x > 0 ? fmt::format("{} x {}", size.x, size.y) : ""; }
  std::string settingsText() const;  // "layout=bia method=rbm"
  /// Equal in two runs for the same row: bench, workload, label, size and settings, whatever the
  /// order of the settings.
  std::string key() const;
};

/// The tables of papers.json, and the one of this name; null for none.
const std::vector<PaperTable>& paperTables();
const PaperTable* paperTableNamed(const std::string& name);

/// papers.json: a list of tables. What one leaves out is empty, or as the page of a report has it.
extern const std::string_view kPapersJson;

/// Summarizes the trials of all rounds: gpu, wall, cpu and pace.
void summarizeRounds(BenchRow& row);

/// Sets PaperNumber::ours of each cell, in the unit of its table, from the times, bytes and values
/// of the row. For rows of this process: files do not keep what that takes.
void updatePaperNumbers(BenchRow& row);

/// Finds the row of another run. Rows of equal keys pair in their order.
class RowPartners {
 public:
  /// The row must outlive this.
  void add(const BenchRow& row) { byKey_[row.key()].push_back(&row); }
  /// The next row of this key; null when none is left. Each is taken once.
  const BenchRow* take(const std::string& key);
  /// The keys of those that were not taken, sorted.
  std::vector<std::string> left() const;

 private:
  std::map<std::string, std::vector<const BenchRow*>> byKey_;
};

}  // namespace fathom::bench
