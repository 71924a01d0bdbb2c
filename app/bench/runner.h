// SPDX-License-Identifier: BSD-3-Clause
// Runs benches: drops the warm-up, checks every case against the reference, times the trials on the
// GPU and against the wall clock.
#pragma once

#include "app/bench/agreement.h"
#include "app/bench/pace.h"
#include "app/bench/statistics.h"
#include "app/techniques/workload.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::bench {

struct RunOptions {
  BenchScale scale = BenchScale::Normal;
  int trials = 0;          // 0: what the scale and the device call for
  bool checkOnly = false;  // compare with the reference, time nothing
  std::optional<glm::ivec2> size;
  std::uint64_t seed = 1;
  std::vector<SweepAxis> sweeps;  // --sweep
  bool sweepWhereKnown = false;   // several benches: those without such a setting are not swept
  std::vector<std::pair<std::string, std::string>> pinned;  // --set
};

/// One line of a bench file.
struct Result {
  std::string bench, unit;
  BenchCase benchCase;                  // its functions are dropped
  std::vector<RoundTimes> rounds = {};  // what the summaries are of
  Summary gpu, wall;  // gpu.n = 0: no passes, the CPU's work; wall.n = 0: it states bytes only
  Summary cpu;        // of all threads of this process, for devices of software
  Summary pace;       // of a fixed piece of work between the trials; devices of software only
  std::int64_t memoryBytes = 0;
  std::string checked;
  std::string timesDisagree = {};  // GPU times and wall clock, see agreement.h; empty: they agree
  double ofCopyBandwidth = 0;      // 0: bytes or copy bandwidth unknown
  std::vector<std::pair<std::string, double>> values = {};  // CheckResult::values
};

/// Sums up the trials of all its rounds: gpu, wall, cpu and pace.
void summarizeRounds(Result& result);

class Runner : public BenchRun {
 public:
  Runner(gpu::Context& gpu, Progress& progress, RunOptions options);

  /// Runs all cases of one bench; results() grows. Run again, its trials join those of before.
  void run(const Bench& bench);

  const std::vector<Result>& results() const { return results_; }
  int checksPassed() const { return checksPassed_; }
  int checksFailed() const { return checksFailed_; }
  int refused() const { return refused_; }  // cases that this device could not hold
  /// Bytes read plus bytes written per second when the device copies a large buffer; measured at
  /// the first call.
  double copyBandwidth();

  gpu::Context& gpu() override { return gpu_; }
  Progress& progress() override { return progress_; }
  BenchScale scale() const override { return options_.scale; }
  std::uint64_t seed() const override { return options_.seed; }
  glm::ivec2 size(glm::ivec2 quick, glm::ivec2 normal, glm::ivec2 paper) const override;
  void sweep(const Describe& settings, const std::function<void()>& body) override;
  void measure(const BenchCase& benchCase) override;
  void measureTogether(const std::vector<BenchCase>& cases) override;

 private:
  struct Times : RoundTimes {
    std::vector<double> hostMs;
    std::vector<TrialTimes> witnesses() const;
  };
  int warmUpCount() const;
  int trialCount() const;
  void runOnce(const BenchCase& benchCase, Times* times);
  /// None when it failed.
  std::optional<CheckResult> check(const BenchCase& benchCase);
  /// Warm-up and check; none: the case is left out, or only checks were asked for.
  std::optional<CheckResult> prepare(const BenchCase& benchCase);
  void report(const BenchCase& benchCase, const Times& times, const CheckResult& checked);
  /// The row of this case when the bench has been run before, else a new one.
  std::size_t rowOf(const BenchCase& benchCase);
  /// Once per bench: rows say the rest.
  void warnOfDisagreement(const Result& result);
  std::vector<SweepAxis> axesToRun(const Describe& settings) const;

  gpu::Context& gpu_;
  Progress& progress_;
  RunOptions options_;
  const Bench* bench_ = nullptr;
  bool saidDisagreement_ = false;  // of this bench
  std::optional<Pace> pace_;       // of software renderers
  std::vector<Result> results_;
  std::vector<std::vector<TrialTimes>> witnesses_;  // of each result
  std::vector<bool> reportedInRun_;                 // of each result: the bench at hand has come by
  int checksPassed_ = 0, checksFailed_ = 0, refused_ = 0;
  double copyBandwidth_ = 0;
};

}  // namespace fathom::bench
