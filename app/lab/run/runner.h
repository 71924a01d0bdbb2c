// SPDX-License-Identifier: BSD-3-Clause
// Runs benches: warms up, checks every case against the reference, then times its trials on the GPU
// and by the wall clock, and asks whether the two clocks agree. Each case becomes a row.
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

/// Of one trial, in ms.
struct TrialTimes {
  double gpuMs = 0;   // sum of its passes
  double wallMs = 0;  // from the first command until the device is done
  double hostMs = 0;  // processor time until the last command is issued, without waiting
};

/// The rule for one trial. Passes run one after the other, so on any device their sum cannot exceed
/// the wall clock by more than 5 % and 0.05 ms. On GPUs the rest of the wall clock is the host's
/// work (hostMs); what remains beyond 25 % of the wall clock and 0.5 ms ran outside all passes, or
/// the device did something else. This second half does not apply to software renderers: there
/// other programs take the rest.
bool disagree(const TrialTimes& trial, bool software);

/// A line with both times when they disagree in more than half of the trials of a case, else empty.
/// Trials without passes have no sum and agree.
std::string disagreement(const std::vector<TrialTimes>& trials, bool software);

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
  /// The trials of one case in the current round.
  struct Times : RoundTimes {
    std::vector<double> hostMs;
    std::vector<TrialTimes> trials() const;
  };
  /// What a row needs besides what its file keeps.
  struct RowState {
    std::vector<TrialTimes> trials;  // of all rounds
    bool measuredInRun = false;      // in the current run of its bench
  };
  int warmUpCount() const;
  int trialCount() const;
  std::vector<SweepAxis> axesToRun(const Describe& settings) const;
  void runOnce(const BenchCase& benchCase, Times* times);
  /// Compares with the reference; none when it differs.
  std::optional<CheckResult> check(const BenchCase& benchCase);
  /// Warm-up and check; none: the case is left out, or only checks were asked for.
  std::optional<CheckResult> prepare(const BenchCase& benchCase);
  /// Adds the round to the row of this case.
  void keep(const BenchCase& benchCase, const Times& times, const CheckResult& checked);
  /// The index of the case's row: that of an earlier run of the bench, or a new one.
  std::size_t rowIndexOf(const BenchCase& benchCase);
  void skip(const BenchCase& benchCase, const Error& why);
  /// Once per bench: rows have the details.
  void warnOfDisagreement(const BenchRow& row);

  gpu::Context& gpu_;
  Progress& progress_;
  RunOptions options_;
  const Bench* bench_ = nullptr;
  bool disagreementWarned_ = false;  // about this bench
  std::optional<Pace> pace_;         // of software renderers
  std::vector<BenchRow> rows_;
  std::vector<RowState> states_;  // of each row
  int checksPassed_ = 0, checksFailed_ = 0, skipped_ = 0;
  double copyBandwidth_ = 0;
};

}  // namespace fathom::bench
