// SPDX-License-Identifier: BSD-3-Clause
// fathom tune: finds the fastest variants on this device and keeps them in the profile.
#include "app/cli/flags.h"
#include "app/cli/streams.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/progress.h"
#include "app/engine/engine.h"
#include "app/engine/io/atomic_file.h"
#include "app/lab/tuner.h"

namespace fathom::commands {
namespace {

struct TuneFlags {
  std::vector<std::string> names;
  std::string workload;
  bool show = false;
};

int showProfile(const CommonOptions& common) {
  const fs::path file = common.profileFile().value_or(Profile::defaultPath());
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

void fill(RunRecord& record, const bench::TuneResult& result, std::size_t failed) {
  record.set("technique", result.tuned.technique);
  record.set("workload", result.tuned.workload);
  record.set("best", result.tuned.best);
  record.set("best_ms", result.tuned.bestMs);
  record.set("default_ms", result.tuned.defaultMs);
  record.set("back_end", result.tuned.backEnd);
  record.set("variants", std::int64_t(result.sweep.rows().size()));
  record.set("failed", std::int64_t(failed));
  record.set("complete", result.complete);
}

std::vector<std::string> workloadsFor(const Tunable& tunable, const TuneFlags& flags) {
  if (!flags.workload.empty()) return {tunable.classNamed(flags.workload).name};
  std::vector<std::string> names;
  for (const TuneClass& one : tunable.classes)
    if (one.byDefault) names.push_back(one.name);
  return names;
}

/// False when it was stopped early.
bool tuneOne(gpu::Context& gpu, const Tunable& tunable, const std::string& workload,
             const CommonOptions& common, Progress& progress, RunRecord& record) {
  const TuneRequest request{common.pictureSize().value_or(tunable.size(gpu)), workload,
                            common.seed};
  const bench::TuneResult result = [&] {
    const ProgressLine line(progress, !common.quiet);
    return bench::tune(gpu, tunable, request, progress);
  }();
  const std::size_t failed = std::size_t(
      std::count_if(result.sweep.rows().begin(), result.sweep.rows().end(),
                    [](const auto& row) { return row.state == VariantSweep::State::Failed; }));
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
  fill(record, result, failed);
  return result.complete;
}

int runTune(const TuneFlags& flags, const CommonOptions& common) {
  if (flags.show) return showProfile(common);
  const std::vector<const Tunable*> chosen = bench::tunablesNamed(flags.names);
  checkOutput(common.output, {".csv"});
  std::size_t count = 0;
  for (const Tunable* tunable : chosen) count += workloadsFor(*tunable, flags).size();
  if (!common.output.empty() && count != 1)
    throw UsageError("--output: a table has one workload, expected --workload NAME");
  Reporting reporting(common);
  gpu::Context gpu(common.contextOptions());
  RunRecord record;
  record.command = "tune";
  Progress progress;
  bool complete = true;
  for (const Tunable* tunable : chosen)
    for (const std::string& workload : workloadsFor(*tunable, flags))
      complete = complete && tuneOne(gpu, *tunable, workload, common, progress, record);
  reporting.finish(record, &gpu);
  if (!complete) throw Cancelled();
  return 0;
}

}  // namespace

Action declareTune(FlagTable& table, const CommonOptions& common) {
  const auto flags = std::make_shared<TuneFlags>();
  table.operands("TECHNIQUE", flags->names, "Techniques to tune; default: all");
  table.add("--workload", flags->workload, "NAME",
            "DoF workload: radius and operator, r8 .. r64, r16-coverage");
  table.add("--show", flags->show, "Print the tuning profile");
  return [flags, &common] { return runTune(*flags, common); };
}

}  // namespace fathom::commands
