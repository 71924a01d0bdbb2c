// SPDX-License-Identifier: BSD-3-Clause
// fathom tune: finds the fastest variant on this device and keeps it in the profile.
#include "app/bench/tuner.h"
#include "app/commands/progress_line.h"
#include "app/commands/words.h"
#include "app/core/log.h"
#include "app/io/atomic_file.h"

#include <algorithm>
#include <memory>

namespace fathom::commands {
namespace {

struct TuneFlags {
  std::vector<std::string> names;
  std::string workload;
  bool show = false;
};

int show(const CommonOptions& common) {
  const std::filesystem::path file = common.profileFile().value_or(Profile::defaultPath());
  const Profile profile = Profile::load(file);
  if (profile.all().empty()) fmt::print("{}: nothing tuned yet\n", file.string());
  for (const TunedVariant& t : profile.all())
    fmt::print("{} {} {}: {}\n  {:.3f} ms, default {:.3f} ms; {}, {}{}{}, {}\n", t.technique,
               t.workload, t.sizeClass, t.best, t.bestMs, t.defaultMs, t.renderer, t.version,
               t.backEnd.empty() ? "" : ", ", t.backEnd, t.date);
  return 0;
}

void printResult(const bench::TuneResult& result, std::size_t failed) {
  const TunedVariant& t = result.tuned;
  fmt::print("{} {} {}: {}\n", t.technique, t.workload, t.sizeClass, t.best);
  if (t.defaultMs > 0)
    fmt::print("{:.3f} ms, the default takes {:.3f} ms: {:.2f} times as fast\n", t.bestMs,
               t.defaultMs, t.defaultMs / t.bestMs);
  if (failed > 0) fmt::print("{} variants failed their check\n", failed);
  if (!result.complete) fmt::print("stopped early: this is the best so far\n");
}

void fill(Report& report, const bench::TuneResult& result, std::size_t failed) {
  report.set("technique", result.tuned.technique);
  report.set("workload", result.tuned.workload);
  report.set("best", result.tuned.best);
  report.set("best_ms", result.tuned.bestMs);
  report.set("default_ms", result.tuned.defaultMs);
  report.set("back_end", result.tuned.backEnd);
  report.set("variants", std::int64_t(result.sweep.rows().size()));
  report.set("failed", std::int64_t(failed));
  report.set("complete", result.complete);
}

std::vector<std::string> workloadsFor(const Tunable& tunable, const TuneFlags& flags) {
  if (flags.workload.empty()) return tunable.defaultWorkloads;
  if (std::find(tunable.workloads.begin(), tunable.workloads.end(), flags.workload) ==
      tunable.workloads.end())
    throw UsageError(fmt::format("--workload: expected {} for {}, found \"{}\"",
                                 fmt::join(tunable.workloads, ", "), tunable.technique,
                                 flags.workload));
  return {flags.workload};
}

/// Returns false when it was stopped.
bool tuneOne(gpu::Context& gpu, const Tunable& tunable, const std::string& workload,
             const CommonOptions& common, Progress& progress, Report& report) {
  const TuneRequest request{common.pictureSize().value_or(tunable.size(gpu)), workload,
                            common.seed};
  const bench::TuneResult result = [&] {
    const ProgressLine line(progress, !common.quiet);
    return bench::tune(gpu, tunable, request, progress);
  }();
  const std::size_t failed = std::size_t(
      std::count_if(result.sweep.rows().begin(), result.sweep.rows().end(),
                    [](const auto& row) { return row.state == gpu::VariantSweep::State::Failed; }));
  if (!common.output.empty()) writeFile(common.output, sweepCsv(*tunable.space, result.sweep));
  if (result.tuned.best.empty()) {
    if (!result.complete) return false;
    fail("{}: expected a variant that equals the reference on this device, found none",
         tunable.technique);
  }
  if (const auto file = common.profileFile()) {
    Profile profile = Profile::load(*file);
    profile.put(result.tuned);
    profile.save(*file);
  }
  if (!common.jsonToStandardOutput()) printResult(result, failed);
  fill(report, result, failed);
  return result.complete;
}

int runTune(const TuneFlags& flags, const CommonOptions& common) {
  if (flags.show) return show(common);
  const std::vector<const Tunable*> chosen = bench::tunablesNamed(flags.names);
  checkOutput(common.output, {".csv"});
  std::size_t count = 0;
  for (const Tunable* tunable : chosen) count += workloadsFor(*tunable, flags).size();
  if (!common.output.empty() && count != 1)
    throw UsageError("--output: a table holds one workload, expected --workload NAME");
  Reporting reporting(common);
  gpu::ContextOptions contextOptions;
  contextOptions.backend = common.contextBackend();
  gpu::Context gpu(contextOptions);
  Report report;
  report.command = "tune";
  Progress progress;
  bool complete = true;
  for (const Tunable* tunable : chosen)
    for (const std::string& workload : workloadsFor(*tunable, flags))
      complete = complete && tuneOne(gpu, *tunable, workload, common, progress, report);
  reporting.finish(report, &gpu);
  if (!complete) throw Cancelled();
  return 0;
}

}  // namespace

Action declareTune(CLI::App& app, const CommonOptions& common) {
  const auto flags = std::make_shared<TuneFlags>();
  app.add_option("TECHNIQUE", flags->names, "What to tune; none: all that can be tuned")
      ->type_name("")
      ->expected(0, -1);
  app.add_option("--workload", flags->workload,
                 "Class of work, for dof radius and operator: r8 .. r64, r16-coverage")
      ->type_name("NAME");
  app.add_flag("--show", flags->show, "Print what the profile holds");
  return [flags, &common] { return runTune(*flags, common); };
}

}  // namespace fathom::commands
