// SPDX-License-Identifier: BSD-3-Clause
// Benchmarks of a technique as data. A Bench prepares its inputs and passes cases to the runner:
// what to time, how much work it is, and how to check it. The runner (bench/run) warms up, takes
// median, p10 and p90, and leaves out cases that fail their check.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/progress.h"
#include "app/engine/gpu/context.h"
#include "app/engine/tuning.h"
#include "app/lab/paper_table.h"

namespace fathom {

/// Quick: for software rendering, seconds. Normal: an ordinary GPU. Paper: the sizes of the paper.
enum class BenchScale { Quick, Normal, Paper };

/// What becomes a row of the bench file.
struct BenchCase {
  std::string workload;              // "atrium"
  std::string label;                 // the row's name in the printed table: "BIA-RBM"
  glm::ivec2 size{0};                // pixels; 0 when size has no meaning
  std::vector<FieldValue> settings;  // from valuesOf()
  double work = 0;                   // in the bench's unit, per trial
  std::int64_t bytes = 0;            // read and written at least, per trial; 0: unknown
  std::int64_t memoryBytes = -1;  // of the data itself; negative: take the memory account's total
  std::vector<PaperCell> paper = {};  // the cells of the paper's tables that it corresponds to
  /// Runs once after the warm-up trial, outside the timing.
  std::function<CheckResult()> check;
  /// One run; only its passes are timed. Empty: the case states bytes, not time.
  std::function<void()> trial;
  /// Puts the inputs back before each trial, untimed. May be empty.
  std::function<void()> reset;
};
/// A case by its names and its work.
inline BenchCase makeCase(std::string workload, std::string label, double work,
                          glm::ivec2 size = glm::ivec2(0)) {
  BenchCase made;
  made.workload = std::move(workload), made.label = std::move(label);
  made.work = work, made.size = size;
  return made;
}
/// One whose work is the pixels of a picture.
inline BenchCase pictureCase(std::string workload, std::string label, glm::ivec2 size) {
  return makeCase(std::move(workload), std::move(label), double(size.x) * size.y, size);
}

/// A setting and the values over which a bench sweeps it, as text for assign().
struct SweepAxis {
  std::string setting;
  std::vector<std::string> values;
  std::vector<std::string> quickValues = {};  // at BenchScale::Quick; none: all
};

/// What a running bench sees of the runner, which implements it (bench/run/runner.h).
class BenchRun {
 public:
  virtual ~BenchRun() = default;
  virtual gpu::Context& gpu() = 0;
  virtual Progress& progress() = 0;
  virtual BenchScale scale() const = 0;
  virtual std::uint64_t seed() const = 0;
  /// Named on the command line, for a bench that takes them.
  virtual std::vector<std::string> files() const { return {}; }
  /// --size, or the one of the scale.
  virtual glm::ivec2 size(glm::ivec2 quick, glm::ivec2 normal, glm::ivec2 paper) const = 0;
  /// Calls `body` once per combination of the bench's axes (--sweep replaces an axis or adds one;
  /// --set pins it), after assigning the combination to the described settings.
  virtual void sweep(const Describe& settings, const std::function<void()>& body) = 0;
  /// Warm-up, check, trials. A case that throws Error (too large for this device) or fails its
  /// check is named on standard error and left out.
  virtual void measure(const BenchCase& benchCase) = 0;
  /// The same for cases to be compared with each other: all are checked, then timed in rounds of
  /// shuffled order, one trial of each per round.
  virtual void measureTogether(const std::vector<BenchCase>& cases) = 0;
};

struct Bench {
  std::string name;   // "deep.composite"
  std::string about;  // one line for --list
  std::string paper;  // "Archer 2018, table 1"; empty: none
  std::string unit;   // "fragments": throughput is work over the median time
  std::vector<SweepAxis> axes;
  void (*run)(BenchRun&) = nullptr;
  std::vector<std::string> tables = {};  // what the paper prints about it, as papers.json names it
  bool takesFiles = false;               // run() measures BenchRun::files(), or inputs of its own
};

}  // namespace fathom
