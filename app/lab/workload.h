// SPDX-License-Identifier: BSD-3-Clause
// Benchmarks of a technique as data. A Bench prepares its inputs and passes cases to a BenchRun:
// what to time, how much work it is, and how to check it. The run warms up, checks every case
// against the reference, then times its trials on the GPU and by the wall clock. Each case becomes
// a row; those that fail their check are left out.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/progress.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/timings.h"
#include "app/engine/tuning.h"
#include "app/lab/bench_row.h"

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

class BenchRun;
struct Bench {
  std::string name;   // "deep.composite"
  std::string about;  // one line for --list
  std::string unit;   // "fragments": throughput is work over the median time
  void (*run)(BenchRun&) = nullptr;
  std::vector<SweepAxis> axes = {};
  bool takesFiles = false;  // run() measures BenchRun::files(), or inputs of its own
};

}  // namespace fathom

namespace fathom::bench {

/// Bytes read plus bytes written per second by the best of a few buffer copies, to which other
/// benches are compared.
double measureCopyBandwidth(gpu::Context& gpu, BenchScale scale);

/// Compares word by word; the detail names the first difference.
CheckResult checkWords(std::span<const std::uint32_t> expected,
                       std::span<const std::uint32_t> found);

/// How fast a software renderer is at the moment. Clock rates, other programs and other virtual
/// machines on the same cores change that by half for seconds at a time.
class Pace {
 public:
  explicit Pace(gpu::Context& gpu);
  /// Processor time of a fixed amount of rendering, in ms: about 3 at 2 GHz. Waits for the device
  /// and leaves the timings of passes alone.
  double measure();
  std::int64_t bytes() const { return samples_.bytes() + results_.bytes(); }

 private:
  gpu::Context& gpu_;
  gpu::Buffer<glm::vec4> samples_, results_;
};

/// What the passes of a trial take here and on the devices of devices.json, by the model of
/// docs/results/predictions.md: "ms (of its bytes alone)", a line each and their sum.
std::string predictionTable(std::span<const gpu::Dispatched> dispatches,
                            std::vector<gpu::PassTiming> here);
extern const std::string_view kDevicesJson, kShadersJson;

struct RunOptions {
  BenchScale scale = BenchScale::Normal;
  int trials = 0;          // 0: as many as the scale asks for
  bool checkOnly = false;  // compare with the reference only
  bool predict = false;    // foretell what passes take on other devices
  std::optional<glm::ivec2> size;
  std::uint64_t seed = 1;
  std::vector<SweepAxis> sweeps;  // --sweep
  bool sweepWhereKnown = false;   // benches without such a setting are not swept
  std::vector<std::pair<std::string, std::string>> pinned;  // --set
  std::vector<std::string> files;
};

}  // namespace fathom::bench

namespace fathom {

class BenchRun {
 public:
  BenchRun(gpu::Context& gpu, Progress& progress, bench::RunOptions options);

  /// Runs all cases of one bench; rows() grows. Run again, a bench adds another round to its rows.
  void run(const Bench& bench);

  const std::vector<bench::BenchRow>& rows() const { return rows_; }
  int checksPassed() const { return checksPassed_; }
  int checksFailed() const { return checksFailed_; }
  int skipped() const { return skipped_; }  // cases that this device could not hold
  const std::string& predictions() const { return predictions_; }  // a table per case
  /// Bytes read plus bytes written per second when the device copies a large buffer; measured at
  /// the first call.
  double copyBandwidth();

  // ---- For a bench that runs

  gpu::Context& gpu() { return gpu_; }
  Progress& progress() { return progress_; }
  BenchScale scale() const { return options_.scale; }
  std::uint64_t seed() const { return options_.seed; }
  /// Named on the command line, for a bench that takes them.
  const std::vector<std::string>& files() const { return options_.files; }
  /// --size, or the one of the scale.
  glm::ivec2 size(glm::ivec2 quick, glm::ivec2 normal, glm::ivec2 paper) const;
  /// Calls `body` once per combination of the bench's axes (--sweep replaces an axis or adds one;
  /// --set pins it), after assigning the combination to the described settings.
  void sweep(const Describe& settings, const std::function<void()>& body);
  /// Warm-up, check, trials. A case that throws Error (too large for this device) or fails its
  /// check is named on standard error and left out.
  void measure(const BenchCase& benchCase);
  /// The same for cases to be compared with each other: all are checked, then timed in rounds of
  /// shuffled order, one trial of each per round.
  void measureTogether(const std::vector<BenchCase>& cases);

 private:
  int warmUpCount() const;
  int trialCount() const;
  std::vector<SweepAxis> axesToRun(const Describe& settings) const;
  void runOnce(const BenchCase& benchCase, bench::RoundTimes* times);
  /// Compares with the reference; none when it differs.
  std::optional<CheckResult> check(const BenchCase& benchCase);
  /// Warm-up and check; none: the case is left out, or only checks were asked for.
  std::optional<CheckResult> prepare(const BenchCase& benchCase);
  /// Adds the round to the row of this case.
  void keep(const BenchCase& benchCase, const bench::RoundTimes& times, const CheckResult& checked);
  /// The case's row: that of an earlier run of the bench, or a new one.
  bench::BenchRow& rowOf(const BenchCase& benchCase);
  void skip(const BenchCase& benchCase, const Error& why);

  gpu::Context& gpu_;
  Progress& progress_;
  bench::RunOptions options_;
  const Bench* bench_ = nullptr;
  std::optional<bench::Pace> pace_;  // of software renderers
  std::vector<bench::BenchRow> rows_;
  std::vector<bool> measured_;  // each row, in the current run of its bench
  int checksPassed_ = 0, checksFailed_ = 0, skipped_ = 0;
  double copyBandwidth_ = 0;
  std::string predictions_;
};

}  // namespace fathom
