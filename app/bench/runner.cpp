// SPDX-License-Identifier: BSD-3-Clause
// The trial loop.
#include "app/bench/runner.h"

#include "app/bench/gpu_benches.h"
#include "app/core/log.h"
#include "app/core/random.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fathom::bench {
namespace {

using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double secondsSince1970() {
  using std::chrono::system_clock;
  return std::chrono::duration<double>(system_clock::now().time_since_epoch()).count();
}

/// Calls body once per combination of the values of axes[first...].
void combine(const std::vector<SweepAxis>& axes, std::size_t first, const Describe& settings,
             const std::function<void()>& body) {
  if (first == axes.size()) return body();
  for (const std::string& value : axes[first].values) {
    assign(settings, axes[first].setting, value);
    combine(axes, first + 1, settings, body);
  }
}

}  // namespace

void summarizeRounds(Result& result) {
  const auto pooled = [&](std::vector<double> RoundTimes::*times) {
    std::vector<double> all;
    for (const RoundTimes& round : result.rounds)
      all.insert(all.end(), (round.*times).begin(), (round.*times).end());
    return all;
  };
  // Trials without a pass are the CPU's: only wall time says something about them.
  const std::vector<double> gpuMs = pooled(&RoundTimes::gpuMs);
  const bool onCpu = std::all_of(gpuMs.begin(), gpuMs.end(), [](double ms) { return ms == 0; });
  result.gpu = onCpu ? Summary{} : summarize(gpuMs);
  result.wall = summarize(pooled(&RoundTimes::wallMs));
  result.cpu = summarize(pooled(&RoundTimes::cpuMs));
  result.pace = summarize(pooled(&RoundTimes::paceMs));
}

Runner::Runner(gpu::Context& gpu, Progress& progress, RunOptions options)
    : gpu_(gpu), progress_(progress), options_(std::move(options)) {}

void Runner::run(const Bench& bench) {
  bench_ = &bench;
  reportedInRun_.assign(results_.size(), false);
  saidDisagreement_ = false;
  progress_.begin(bench.name, 0);
  bench.run(*this);
}

double Runner::copyBandwidth() {
  if (copyBandwidth_ == 0) copyBandwidth_ = measureCopyBandwidth(gpu_, options_.scale);
  return copyBandwidth_;
}

glm::ivec2 Runner::size(glm::ivec2 quick, glm::ivec2 normal, glm::ivec2 paper) const {
  if (options_.size) return *options_.size;
  if (options_.scale == BenchScale::Quick) return quick;
  return options_.scale == BenchScale::Paper ? paper : normal;
}

std::vector<SweepAxis> Runner::axesToRun(const Describe& settings) const {
  std::vector<SweepAxis> axes = bench_->axes;
  for (SweepAxis& axis : axes)
    if (options_.scale == BenchScale::Quick && !axis.quickValues.empty())
      axis.values = axis.quickValues;
  const std::vector<FieldValue> known = valuesOf(settings);
  for (const SweepAxis& asked : options_.sweeps) {
    const bool has = std::any_of(known.begin(), known.end(), [&](const FieldValue& value) {
      return value.name == asked.setting;
    });
    if (!has && options_.sweepWhereKnown) continue;
    const auto same = std::find_if(axes.begin(), axes.end(), [&](const SweepAxis& axis) {
      return axis.setting == asked.setting;
    });
    if (same == axes.end())
      axes.push_back(asked);
    else
      same->values = asked.values;
  }
  std::erase_if(axes, [&](const SweepAxis& axis) {
    return std::any_of(options_.pinned.begin(), options_.pinned.end(),
                       [&](const auto& pin) { return pin.first == axis.setting; });
  });
  return axes;
}

void Runner::sweep(const Describe& settings, const std::function<void()>& body) {
  for (const auto& [name, value] : options_.pinned) assign(settings, name, value);
  combine(axesToRun(settings), 0, settings, body);
}

int Runner::warmUpCount() const { return gpu_.device().software ? 1 : 3; }

int Runner::trialCount() const {
  if (options_.trials > 0) return options_.trials;
  if (options_.scale == BenchScale::Quick) return 5;
  return options_.scale == BenchScale::Paper ? 100 : 30;
}

/// One trial; kept when `times` is not null.
void Runner::runOnce(const BenchCase& benchCase, Times* times) {
  progress_.throwIfCancelled();
  if (benchCase.reset) benchCase.reset();
  gpu_.finish();
  gpu_.timings().finish();  // what reset and checks have run
  const std::uint64_t framesBefore = gpu_.timings().finishedFrames();
  if (times && times->started == 0) times->started = secondsSince1970();
  const double cpuStart = processorMs();
  const Clock::time_point start = Clock::now();
  gpu_.timings().beginFrame();
  benchCase.trial();
  gpu_.timings().endFrame();
  const double hostMs = processorMs() - cpuStart;
  gpu_.finish();
  const double wallMs = msSince(start), ownCpuMs = processorMs() - cpuStart;
  gpu_.timings().finish();
  if (!times) return;
  // A trial without passes leaves the sum of the one before.
  const bool onGpu = gpu_.timings().finishedFrames() > framesBefore;
  const double gpuMs = onGpu ? gpu_.timings().gpuSumMs() : 0;
  times->gpuMs.push_back(gpuMs);
  times->hostMs.push_back(hostMs);
  times->wallMs.push_back(wallMs);
  times->cpuMs.push_back(ownCpuMs);
  if (!gpu_.device().software) return;
  if (!pace_) pace_.emplace(gpu_);
  times->paceMs.push_back(pace_->measure());
}

std::optional<CheckResult> Runner::check(const BenchCase& benchCase) {
  FATHOM_CHECK(benchCase.check != nullptr);
  CheckResult checked = benchCase.check();
  if (checked.passed) {
    ++checksPassed_;
    return checked;
  }
  ++checksFailed_;
  log::warn("{} {} {}: expected what the reference says ({}), found {}; not reported", bench_->name,
            benchCase.workload, benchCase.label, checked.how, checked.detail);
  return std::nullopt;
}

std::optional<CheckResult> Runner::prepare(const BenchCase& benchCase) try {
  if (benchCase.trial)
    for (int i = 0; i < warmUpCount(); ++i) runOnce(benchCase, nullptr);
  const std::optional<CheckResult> checked = check(benchCase);
  return options_.checkOnly ? std::nullopt : checked;
} catch (const Error& error) {
  ++refused_;
  log::warn("{} {} {}: left out: {}", bench_->name, benchCase.workload, benchCase.label,
            error.what());
  return std::nullopt;
}

std::vector<TrialTimes> Runner::Times::witnesses() const {
  std::vector<TrialTimes> all;
  for (std::size_t i = 0; i < gpuMs.size(); ++i) all.push_back({gpuMs[i], wallMs[i], hostMs[i]});
  return all;
}

std::size_t Runner::rowOf(const BenchCase& benchCase) {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const BenchCase& c = results_[i].benchCase;
    const bool same = results_[i].bench == bench_->name && c.workload == benchCase.workload &&
                      c.label == benchCase.label && c.size == benchCase.size &&
                      c.settings == benchCase.settings;
    if (!same || reportedInRun_[i]) continue;  // equal rows pair in their order
    reportedInRun_[i] = true;
    return i;
  }
  results_.emplace_back();
  witnesses_.emplace_back();
  reportedInRun_.push_back(true);
  return results_.size() - 1;
}

void Runner::report(const BenchCase& benchCase, const Times& times, const CheckResult& checked) {
  const std::size_t row = rowOf(benchCase);
  Result& result = results_[row];
  result.bench = bench_->name;
  result.unit = bench_->unit;
  result.benchCase = benchCase;
  result.benchCase.check = nullptr;
  result.benchCase.trial = result.benchCase.reset = nullptr;
  result.rounds.push_back(times);
  summarizeRounds(result);
  result.memoryBytes = benchCase.memoryBytes >= 0
                           ? benchCase.memoryBytes
                           : gpu_.memory().totalBytes() - (pace_ ? pace_->bytes() : 0);
  result.checked = checked.how;
  result.values = checked.values;
  if (benchCase.bytes > 0 && result.gpu.median > 0)
    result.ofCopyBandwidth = double(benchCase.bytes) / (result.gpu.median * 1e-3) / copyBandwidth();
  std::vector<TrialTimes>& witnesses = witnesses_[row];
  for (const TrialTimes& trial : times.witnesses()) witnesses.push_back(trial);
  result.timesDisagree = disagreement(witnesses, gpu_.device().software);
  if (!result.timesDisagree.empty()) warnOfDisagreement(result);
}

void Runner::warnOfDisagreement(const Result& result) {
  if (std::exchange(saidDisagreement_, true)) return;
  log::warn("{} {} {}: {}: one of them is wrong", bench_->name, result.benchCase.workload,
            result.benchCase.label, result.timesDisagree);
}

void Runner::measure(const BenchCase& benchCase) try {
  progress_.begin(fmt::format("{} {} {}", bench_->name, benchCase.workload, benchCase.label),
                  options_.checkOnly ? 1 : trialCount());
  const std::optional<CheckResult> checked = prepare(benchCase);
  if (!checked) return;
  Times times;
  if (benchCase.trial)
    for (int i = 0; i < trialCount(); ++i) {
      runOnce(benchCase, &times);
      progress_.advance(1);
    }
  report(benchCase, times, *checked);
} catch (const Error& error) {
  ++refused_;
  log::warn("{} {} {}: left out: {}", bench_->name, benchCase.workload, benchCase.label,
            error.what());
}

void Runner::measureTogether(const std::vector<BenchCase>& cases) {
  progress_.begin(fmt::format("{} {} checks", bench_->name, cases.empty() ? "" : cases[0].workload),
                  double(cases.size()));
  std::vector<std::size_t> order;
  std::vector<std::optional<CheckResult>> checks;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    checks.push_back(prepare(cases[i]));
    if (checks[i]) order.push_back(i);
    progress_.advance(1);
  }
  if (order.empty()) return;
  progress_.begin(fmt::format("{} {} rounds", bench_->name, cases[0].workload),
                  double(order.size()) * trialCount());
  std::vector<Times> times(cases.size());
  Random random(options_.seed);
  for (int round = 0; round < trialCount(); ++round) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.below(std::uint32_t(i))]);
    for (const std::size_t i : order) {
      runOnce(cases[i], &times[i]);
      progress_.advance(1);
    }
  }
  std::sort(order.begin(), order.end());
  for (const std::size_t i : order) report(cases[i], times[i], *checks[i]);
}

}  // namespace fathom::bench
