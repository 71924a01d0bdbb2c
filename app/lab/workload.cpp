// SPDX-License-Identifier: BSD-3-Clause
// The trial loop: warm-up, check, timed trials, and what is kept of them; and a fixed compute pass,
// timed by the processor time that it takes.
#include "app/lab/workload.h"

#include "app/engine/core/error.h"
#include "app/engine/core/random.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/pass.h"
#include "shaders/bench/shared.h"

namespace fathom::bench {

// More samples than the caches next to a core hold.
constexpr std::uint32_t kPaceSamples = 1u << 18, kPaceInvocations = 1u << 13, kPaceRounds = 8;

Pace::Pace(gpu::Context& gpu)
    : gpu_(gpu),
      samples_(gpu, "pace samples", std::vector<glm::vec4>(kPaceSamples, glm::vec4(0.25f))),
      results_(gpu, "pace results", kPaceInvocations) {
  measure();  // compiles the shader
}

double Pace::measure() {
  const gpu::Timings::Pause pause(gpu_.timings());
  gpu_.finish();
  const double start = processorMs();
  gpu::Pass& pass = gpu_.pass({"pace", "shaders/bench/pace.comp", {}});
  pass.storage(PACE_BIND_SAMPLES, samples_)
      .storage(PACE_BIND_RESULTS, results_)
      .params(PACE_BIND_PARAMS, shared::PaceParams{kPaceSamples, kPaceRounds, 0, 0});
  pass.dispatchGroups(kPaceInvocations / PACE_SIZE, gpu::Each{4.0 * kPaceRounds});
  gpu::barrier(gpu::Access::Storage);  // the next measurement
  gpu_.finish();
  return processorMs() - start;
}

}  // namespace fathom::bench

namespace fathom {
// ---- Trials

namespace {

double secondsSince1970() {
  using std::chrono::system_clock;
  return std::chrono::duration<double>(system_clock::now().time_since_epoch()).count();
}

/// Calls body once per combination of the values of axes[first...].
void forCombinations(const std::vector<SweepAxis>& axes, std::size_t first,
                     const Describe& settings, const std::function<void()>& body) {
  if (first == axes.size()) return body();
  for (const std::string& value : axes[first].values) {
    assign(settings, axes[first].setting, value);
    forCombinations(axes, first + 1, settings, body);
  }
}

/// A row of this case with what is known before it runs.
bench::BenchRow rowOf(const Bench& bench, const BenchCase& benchCase) {
  bench::BenchRow row;
  row.bench = bench.name, row.unit = bench.unit;
  row.workload = benchCase.workload, row.label = benchCase.label;
  row.size = benchCase.size;
  row.settings = benchCase.settings;
  row.work = benchCase.work, row.bytes = benchCase.bytes;
  for (const PaperCell& cell : benchCase.paper)
    if (const PaperTable* table = bench::paperTableNamed(cell.table))
      row.paper.push_back({cell.table, cell.row, cell.column, table->unit, kNotPrinted,
                           table->at(cell.row, cell.column), cell.value});
  return row;
}

}  // namespace

BenchRun::BenchRun(gpu::Context& gpu, Progress& progress, bench::RunOptions options)
    : gpu_(gpu), progress_(progress), options_(std::move(options)) {}

void BenchRun::run(const Bench& bench) {
  bench_ = &bench;
  measured_.assign(rows_.size(), false);
  progress_.begin(bench.name, 0);
  bench.run(*this);
}

double BenchRun::copyBandwidth() {
  if (copyBandwidth_ == 0) copyBandwidth_ = bench::measureCopyBandwidth(gpu_, options_.scale);
  return copyBandwidth_;
}

glm::ivec2 BenchRun::size(glm::ivec2 quick, glm::ivec2 normal, glm::ivec2 paper) const {
  if (options_.size) return *options_.size;
  if (options_.scale == BenchScale::Quick) return quick;
  return options_.scale == BenchScale::Paper ? paper : normal;
}

std::vector<SweepAxis> BenchRun::axesToRun(const Describe& settings) const {
  std::vector<SweepAxis> axes = bench_->axes;
  for (SweepAxis& axis : axes)
    if (options_.scale == BenchScale::Quick && !axis.quickValues.empty())
      axis.values = axis.quickValues;
  const std::vector<FieldValue> known = valuesOf(settings);
  for (const SweepAxis& asked : options_.sweeps) {
    const bool has = std::ranges::any_of(
        known, [&](const FieldValue& value) { return value.name == asked.setting; });
    if (!has && options_.sweepWhereKnown) continue;
    const auto same = std::ranges::find_if(
        axes, [&](const SweepAxis& axis) { return axis.setting == asked.setting; });
    if (same == axes.end())
      axes.push_back(asked);
    else
      same->values = asked.values;
  }
  std::erase_if(axes, [&](const SweepAxis& axis) {
    return std::ranges::any_of(options_.pinned,
                               [&](const auto& pin) { return pin.first == axis.setting; });
  });
  return axes;
}

void BenchRun::sweep(const Describe& settings, const std::function<void()>& body) {
  for (const auto& [name, value] : options_.pinned) assign(settings, name, value);
  forCombinations(axesToRun(settings), 0, settings, body);
}

int BenchRun::warmUpCount() const { return gpu_.device().software ? 1 : 3; }

int BenchRun::trialCount() const {
  if (options_.trials > 0) return options_.trials;
  if (options_.scale == BenchScale::Quick) return 5;
  return options_.scale == BenchScale::Paper ? 100 : 30;
}

/// One trial; kept when `times` is not null.
void BenchRun::runOnce(const BenchCase& benchCase, bench::RoundTimes* times) {
  progress_.throwIfCancelled();
  if (benchCase.reset) benchCase.reset();
  gpu_.finish();
  gpu_.timings().finish();  // passes of reset and checks
  const std::uint64_t framesBefore = gpu_.timings().finishedFrames();
  if (times && times->started == 0) times->started = secondsSince1970();
  const double cpuStart = processorMs();
  const Stopwatch wall;
  gpu_.timings().beginFrame();
  benchCase.trial();
  gpu_.timings().endFrame();
  gpu_.finish();
  const double wallMs = wall.ms(), ownCpuMs = processorMs() - cpuStart;
  gpu_.timings().finish();
  if (!times) return;
  // Without passes the timings still hold the previous trial.
  const bool onGpu = gpu_.timings().finishedFrames() > framesBefore;
  const double gpuMs = onGpu ? gpu_.timings().gpuSumMs() : 0;
  times->gpuMs.push_back(gpuMs);
  times->wallMs.push_back(wallMs);
  times->cpuMs.push_back(ownCpuMs);
  if (!gpu_.device().software) return;
  if (!pace_) pace_.emplace(gpu_);
  times->paceMs.push_back(pace_->measure());
}

std::optional<CheckResult> BenchRun::check(const BenchCase& benchCase) {
  FATHOM_CHECK(benchCase.check != nullptr);
  CheckResult checked = benchCase.check();
  if (checked.passed) {
    ++checksPassed_;
    return checked;
  }
  ++checksFailed_;
  log::warn("{} {} {}: expected the reference's result ({}), found {}; left out", bench_->name,
            benchCase.workload, benchCase.label, checked.how, checked.detail);
  return std::nullopt;
}

std::optional<CheckResult> BenchRun::prepare(const BenchCase& benchCase) try {
  if (benchCase.trial)
    for (int i = 0; i < warmUpCount(); ++i) runOnce(benchCase, nullptr);
  const std::optional<CheckResult> checked = check(benchCase);
  if (checked && benchCase.trial && options_.predict) {
    const gpu::DispatchLog log;
    runOnce(benchCase, nullptr);
    predictions_ += fmt::format("\n{} {} {} {}\n{}", bench_->name, benchCase.workload,
                                benchCase.label, fathom::rowOf(*bench_, benchCase).sizeText(),
                                bench::predictionTable(log, gpu_.timings().passes()));
  }
  return options_.checkOnly ? std::nullopt : checked;
} catch (const Error& error) {
  skip(benchCase, error);
  return std::nullopt;
}

void BenchRun::skip(const BenchCase& benchCase, const Error& why) {
  ++skipped_;
  log::warn("{} {} {}: left out: {}", bench_->name, benchCase.workload, benchCase.label,
            why.what());
}

bench::BenchRow& BenchRun::rowOf(const BenchCase& benchCase) {
  bench::BenchRow row = fathom::rowOf(*bench_, benchCase);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (measured_[i] || rows_[i].key() != row.key()) continue;  // equal rows pair in their order
    measured_[i] = true;
    return rows_[i];
  }
  measured_.push_back(true);
  return rows_.emplace_back(std::move(row));
}

void BenchRun::keep(const BenchCase& benchCase, const bench::RoundTimes& times,
                    const CheckResult& checked) {
  bench::BenchRow& row = rowOf(benchCase);
  row.rounds.push_back(times);
  bench::summarizeRounds(row);
  // The pace's own buffers are not part of the case.
  row.memoryBytes = benchCase.memoryBytes >= 0
                        ? benchCase.memoryBytes
                        : gpu_.memory().totalBytes() - (pace_ ? pace_->bytes() : 0);
  row.checked = checked.how;
  row.values = checked.values;
  if (row.bytes > 0 && row.gpu.median > 0)
    row.ofCopyBandwidth = double(row.bytes) / (row.gpu.median * 1e-3) / copyBandwidth();
  bench::updatePaperNumbers(row);
}

void BenchRun::measure(const BenchCase& benchCase) try {
  measureTogether({benchCase});
} catch (const Error& error) {
  skip(benchCase, error);
}

void BenchRun::measureTogether(const std::vector<BenchCase>& cases) {
  std::string what = cases.empty() ? "" : cases[0].workload;
  if (cases.size() == 1) what += " " + cases[0].label;
  progress_.begin(fmt::format("{} {} checks", bench_->name, what), double(cases.size()));
  std::vector<std::size_t> order;
  std::vector<std::optional<CheckResult>> checks;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    checks.push_back(prepare(cases[i]));
    if (checks[i]) order.push_back(i);
    progress_.advance(1);
  }
  if (order.empty()) return;
  progress_.begin(fmt::format("{} {} rounds", bench_->name, what),
                  double(order.size()) * trialCount());
  // Neighbors in time change from round to round, so that none always follows the same case.
  std::vector<bench::RoundTimes> times(cases.size());
  Random random(options_.seed);
  for (int round = 0; round < trialCount(); ++round) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.below(std::uint32_t(i))]);
    for (const std::size_t i : order) {
      if (cases[i].trial) runOnce(cases[i], &times[i]);
      progress_.advance(1);
    }
  }
  std::ranges::sort(order);
  for (const std::size_t i : order) keep(cases[i], times[i], *checks[i]);
}

}  // namespace fathom
