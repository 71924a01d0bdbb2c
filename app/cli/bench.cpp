// SPDX-License-Identifier: BSD-3-Clause
// fathom bench NAME...: tables on standard output, a bench file or CSV when asked.
#include "app/cli/command.h"
#include "app/cli/flags.h"
#include "app/cli/streams.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/launch.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/lab/bench_file.h"
#include "app/lab/catalog.h"
#include "app/lab/deep/rank_scaling.h"
#include "app/lab/workload.h"

namespace fathom::commands {
namespace {

struct BenchFlags {
  std::vector<std::string> names, sweeps;
  std::string csv, ranks = "16,64,256";
  bool list = false, quick = false, paper = false, check = false, append = false, predict = false;
  int trials = 0, rounds = 1;
  CliFlags settings;
};

/// "layout=ll,bia"
SweepAxis parseSweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    failUsage("--sweep: expected NAME=VALUE,VALUE,..., found \"{}\"", text);
  return {text.substr(0, equals), splitAt(std::string_view(text).substr(equals + 1), ',')};
}

/// A sweep applies to the benches that have the setting; at least one must have it.
void checkSweeps(const std::vector<SweepAxis>& sweeps, const std::vector<const Bench*>& chosen) {
  std::vector<std::string> known;
  for (const TechniqueEntry& entry : techniques()) {
    const std::string prefix = std::string(entry.info.name) + ".";
    const bool asked = std::ranges::any_of(
        chosen, [&](const Bench* bench) { return bench->name.starts_with(prefix); });
    if (!asked) continue;
    for (const FieldValue& value : valuesOf(entry.settings())) known.push_back(value.name);
  }
  for (const SweepAxis& axis : sweeps) {
    if (std::find(known.begin(), known.end(), axis.setting) != known.end()) continue;
    const std::string nearest = nearestName(axis.setting, known);
    failUsage("--sweep: expected a setting of these benches, found \"{}\"{}", axis.setting,
              nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest));
  }
}

bench::RunOptions optionsOf(const BenchFlags& flags, const CommonOptions& common) {
  if (flags.quick && flags.paper) throw UsageError("expected --quick or --paper, found both");
  bench::RunOptions options;
  options.scale = flags.quick   ? BenchScale::Quick
                  : flags.paper ? BenchScale::Paper
                                : BenchScale::Normal;
  options.trials = flags.trials;
  options.checkOnly = flags.check, options.predict = flags.predict;
  options.size = common.pictureSize();
  options.seed = common.seed;
  options.pinned = flags.settings.sets();
  for (const std::string& sweep : flags.sweeps) options.sweeps.push_back(parseSweep(sweep));
  return options;
}

void printList() {
  for (const Bench* bench : bench::allBenches()) {
    std::vector<std::string> papers;
    for (const PaperTable& table : bench::paperTables())
      if (table.bench == bench->name) papers.push_back(table.name);
    fmt::print("{:<18}  {}{}\n", bench->name, bench->about,
               papers.empty() ? "" : fmt::format(" ({})", fmt::join(papers, "; ")));
  }
  fmt::print("{:<18}  {}\n", "ranks",
             "Fragments composited over the ranks of --ranks, and a model");
}

void writeResults(const BenchFlags& flags, const CommonOptions& common,
                  const bench::BenchFile& file) {
  if (!common.jsonToStandardOutput()) fmt::print("{}", bench::textTables(file.rows));
  if (!flags.csv.empty()) writeFile(flags.csv, bench::csv(file));
  if (common.json.empty()) return;
  const std::string text = bench::benchFileJson(file);
  if (common.jsonToStandardOutput())
    fmt::print("{}", text);
  else
    writeFile(common.json, text);
}

/// Throws UsageError for flags that contradict each other, before a GPU is asked for.
void checkFlags(const BenchFlags& flags, const CommonOptions& common) {
  if (!common.output.empty()) throw UsageError("--output: bench writes --json and --csv");
  if (!common.jsonToStandardOutput()) checkOutput(common.json, {});
  checkOutput(flags.csv, {});
  if (flags.append && (common.json.empty() || common.jsonToStandardOutput()))
    throw UsageError("--append: expected the file to append to as --json FILE, found none");
}

/// The file without its rows, and the machine on standard error.
bench::BenchFile beginFile(const BenchFlags& flags, const gpu::Context& gpu) {
  bench::BenchFile file = bench::newBenchFile(bench::thisMachine(deviceFacts(gpu)));
  file.rounds = flags.rounds;
  file.keepsRounds = flags.append || flags.rounds > 1;
  file.scale = flags.quick ? "quick" : flags.paper ? "paper" : "normal";
  log::line(log::Level::Normal, fmt::format("{}, {}, {}", file.machine.device.renderer,
                                            file.machine.cpu, file.machine.date));
  return file;
}

/// Names of benches, without the files and folders among them: what is there and is the beginning
/// of no bench.
std::vector<std::string> withoutFiles(const std::vector<std::string>& names,
                                      std::vector<std::string>& files) {
  const std::vector<const Bench*> all = bench::allBenches();
  std::vector<std::string> rest;
  for (const std::string& name : names) {
    const bool known =
        std::ranges::any_of(all, [&](const Bench* bench) { return bench->name.starts_with(name); });
    std::error_code ignored;
    const bool file =
        !known && (fs::is_regular_file(name, ignored) || fs::is_directory(name, ignored));
    (file ? files : rest).push_back(name);
  }
  return rest;
}

void checkFiles(const std::vector<std::string>& files, const std::vector<const Bench*>& chosen) {
  if (files.empty()) return;
  for (const Bench* bench : chosen)
    if (!bench->takesFiles)
      failUsage("{}: expected a bench that takes files, found {}", files[0], bench->name);
}

constexpr int kFittedTo = 64;  // ranks, the model of their bench

/// "16,64,256", and the powers of two below them that the model is fitted to.
std::vector<int> rankCounts(const std::string& text) {
  std::set<int> counts{1, 2, 4, 8};
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) {
    const int count = numberIn<int>(one).value_or(0);
    if (count < 1 || count > 4096)
      failUsage("--ranks: expected numbers from 1 to 4096, found \"{}\"", text);
    counts.insert(count);
  }
  for (int few = 16; few <= std::min(kFittedTo, *counts.rbegin()); few *= 2) counts.insert(few);
  return {counts.begin(), counts.end()};
}

/// Of real ranks, which mpirun starts as this command; no GPU is asked for.
int runRanks(const BenchFlags& flags, const CommonOptions& common) {
  const glm::ivec2 size = common.pictureSize().value_or(deep::kScalingSize);
  if (startedByMpirun()) return deep::runScalingRank(size), 0;
  checkFlags(flags, common);
  Progress progress;
  const ProgressLine line(progress, !common.quiet);
  const std::vector<deep::ScalingRun> runs =
      deep::measureScaling(rankCounts(flags.ranks), size, progress);
  const auto model = deep::ScalingModel::fitted(runs, size, kFittedTo);
  const std::string json = deep::scalingJson(runs, model, kFittedTo);
  if (common.jsonToStandardOutput()) return fmt::print("{}", json), 0;
  fmt::print("{}", deep::scalingTables(runs, model, kFittedTo));
  if (!common.json.empty()) writeFile(common.json, json);
  return 0;
}

int runBench(const BenchFlags& flags, const CommonOptions& common) {
  if (flags.list) return printList(), 0;
  if (flags.names == std::vector<std::string>{"ranks"}) return runRanks(flags, common);
  bench::RunOptions options = optionsOf(flags, common);
  const std::vector<const Bench*> chosen =
      bench::benchesNamed(withoutFiles(flags.names, options.files));
  checkFiles(options.files, chosen);
  options.sweepWhereKnown = chosen.size() > 1;
  checkSweeps(options.sweeps, chosen);
  checkFlags(flags, common);

  gpu::Context gpu(common.contextOptions());
  bench::BenchFile file = beginFile(flags, gpu);
  std::optional<bench::BenchFile> earlier;
  if (flags.append && fs::exists(common.json)) {
    earlier = bench::readBenchFile(common.json);
    bench::checkJoins(file, *earlier);
  }
  Progress progress;
  BenchRun runner(gpu, progress, options);
  const auto write = [&] {
    file.rows = runner.rows();
    if (earlier) bench::joinRuns(file, *earlier);
    writeResults(flags, common, file);
  };
  try {
    const ProgressLine line(progress, !common.quiet);
    for (int round = 0; round < (flags.check ? 1 : flags.rounds); ++round)
      for (const Bench* bench : chosen) runner.run(*bench);
  } catch (const Cancelled&) {
    file.interrupted = true;
    // What is measured is measured, but rounds can be joined to whole runs alone.
    if (!flags.check && !earlier && !runner.rows().empty()) write();
    throw;
  }
  if (flags.check && !common.jsonToStandardOutput())
    fmt::print("{} cases equal the reference, {} differ, {} left out\n", runner.checksPassed(),
               runner.checksFailed(), runner.skipped());
  if (!flags.check) write();
  if (!common.jsonToStandardOutput()) fmt::print("{}", runner.predictions());
  if (runner.checksFailed() > 0) return 3;
  if (runner.checksPassed() == 0)
    fail("bench: expected at least one case to fit this device, found none");
  return 0;
}

}  // namespace

Action declareBench(FlagTable& table, const CommonOptions& common) {
  const auto flags = std::make_shared<BenchFlags>();
  table.operands("NAME", flags->names,
                 "Benches, or the beginnings of their names, and files for benches that take them; "
                 "none: all that take no files");
  table.add("--list", flags->list, "Name all benches");
  table.add("--quick", flags->quick, "Small sizes, for software rendering");
  table.add("--paper", flags->paper, "The sizes of the paper");
  table.add("--check", flags->check,
            "Compare with the reference only; exit code 3 when one differs");
  table.add("--predict", flags->predict,
            "Also say what each pass would take on an H100, an RX 6800 and an Iris Xe, by counts");
  table.add("--trials", flags->trials, 1, 100000, "Timed runs of each case");
  table.add("--rounds", flags->rounds, 1, 1000,
            "Repeat all benches N times, so that a disturbance affects few trials of each");
  table.add("--append", flags->append,
            "Append the trials to the --json file as further rounds, to alternate two programs or "
            "settings");
  table.addRepeated("--sweep", flags->sweeps, "NAME=A,B,C",
                    "Sweep these values of a setting; may be repeated");
  table.add("--csv", flags->csv, "PATH", "The results as a table for other programs");
  table.add("--ranks", flags->ranks, "N,N,...", "Of the bench ranks: how many mpirun starts");
  flags->settings.declareSet(table);
  return [flags, &common] { return runBench(*flags, common); };
}

}  // namespace fathom::commands
