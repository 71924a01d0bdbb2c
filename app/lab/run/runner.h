// SPDX-License-Identifier: BSD-3-Clause
// Runs benches: warms up, checks every case against the reference, then times its trials on the GPU
// and by the wall clock. Each case becomes a row.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/lab/bench_row.h"
#include "app/lab/workload.h"

namespace fathom::bench {

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

struct RunOptions {
  BenchScale scale = BenchScale::Normal;
  int trials = 0;          // 0: as many as the scale asks for
  bool checkOnly = false;  // compare with the reference only
  std::optional<glm::ivec2> size;
  std::uint64_t seed = 1;
  std::vector<SweepAxis> sweeps;  // --sweep
  bool sweepWhereKnown = false;   // benches without such a setting are not swept
  std::vector<std::pair<std::string, std::string>> pinned;  // --set
  std::vector<std::string> files;
};

class Runner : public BenchRun {
 public:
  Runner(gpu::Context& gpu, Progress& progress, RunOptions options);

  /// Runs all cases of one bench; rows() grows. Run again, a bench adds another round to its rows.
  void run(const Bench& bench);

  const std::vector<BenchRow>& rows() const { return rows_; }
  int checksPassed() const { return checksPassed_; }
  int checksFailed() const { return checksFailed_; }
  int skipped() const { return skipped_; }  // cases that this device could not hold
  /// Bytes read plus bytes written per second when the device copies a large buffer; measured at
  /// the first call.
  double copyBandwidth();

  gpu::Context& gpu() override { return gpu_; }
  Progress& progress() override { return progress_; }
  BenchScale scale() const override { return options_.scale; }
  std::uint64_t seed() const override { return options_.seed; }
  std::vector<std::string> files() const override { return options_.files; }
  glm::ivec2 size(glm::ivec2 quick, glm::ivec2 normal, glm::ivec2 paper) const override;
  void sweep(const Describe& settings, const std::function<void()>& body) override;
  void measure(const BenchCase& benchCase) override;
  void measureTogether(const std::vector<BenchCase>& cases) override;

 private:
  int warmUpCount() const;
  int trialCount() const;
  std::vector<SweepAxis> axesToRun(const Describe& settings) const;
  void runOnce(const BenchCase& benchCase, RoundTimes* times);
  /// Compares with the reference; none when it differs.
  std::optional<CheckResult> check(const BenchCase& benchCase);
  /// Warm-up and check; none: the case is left out, or only checks were asked for.
  std::optional<CheckResult> prepare(const BenchCase& benchCase);
  /// Adds the round to the row of this case.
  void keep(const BenchCase& benchCase, const RoundTimes& times, const CheckResult& checked);
  /// The case's row: that of an earlier run of the bench, or a new one.
  BenchRow& rowOf(const BenchCase& benchCase);
  void skip(const BenchCase& benchCase, const Error& why);

  gpu::Context& gpu_;
  Progress& progress_;
  RunOptions options_;
  const Bench* bench_ = nullptr;
  std::optional<Pace> pace_;  // of software renderers
  std::vector<BenchRow> rows_;
  std::vector<bool> measured_;  // each row, in the current run of its bench
  int checksPassed_ = 0, checksFailed_ = 0, skipped_ = 0;
  double copyBandwidth_ = 0;
};

}  // namespace fathom::bench
