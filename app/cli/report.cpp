// SPDX-License-Identifier: BSD-3-Clause
// fathom report: bench files as one page, and a run compared with an older one.
#include "app/cli/subcommands.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/lab/report/page.h"

namespace fathom::commands {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::string against, failSlowerThan;
};

/// "5%" or "5": 0.05.
double shareOf(const std::string& text) {
  const std::size_t digits = text.ends_with('%') ? text.size() - 1 : text.size();
  const double value = numberIn<double>(text.substr(0, digits)).value_or(-1);
  if (!(value >= 0 && value <= 10000))
    failUsage("--fail-slower-than: expected a percentage such as 5%, found \"{}\"", text);
  return value / 100;
}

void recordComparison(RunRecord& record, const bench::Comparison& comparison) {
  record.command = "report";
  record.set("rows", comparison.pairs());
  record.set("common_change", std::expm1(comparison.common));
  record.set("worst_slowdown", comparison.worstRegression());
  std::vector<RunRecord::Row> benches;
  for (const bench::ComparedBench& bench : comparison.benches)
    benches.push_back({{"bench", bench.bench},
                       {"rows", std::int64_t(bench.rows.size())},
                       {"change", std::expm1(bench.change - comparison.common)},
                       {"noticed", std::expm1(bench.threshold)},
                       {"slower", bench.flagged}});
  record.lists = {{"benches", std::move(benches)}};
}

int runReport(const ReportFlags& flags, const CommonOptions& common) {
  Reporting reporting(common);
  const bool compares = !flags.against.empty();
  if (!flags.failSlowerThan.empty() && !compares)
    throw UsageError("--fail-slower-than: expected --against OLD.json with it");
  for (const std::string& file : flags.files)
    if (!fs::exists(file)) fail("{}: no such file", file);
  if (!compares && common.output.empty())
    throw UsageError("expected --output PAGE.html or --against OLD.json, found none");
  if (compares && flags.files.size() != 1)
    failUsage("--against: expected one bench file to compare, found {}", flags.files.size());
  if (!common.json.empty() && !compares)
    throw UsageError("--json: expected --against OLD.json with it");
  const double failFrom = flags.failSlowerThan.empty() ? -1 : shareOf(flags.failSlowerThan);
  checkOutput(common.output, {".html"});

  const EndsWithoutMemory here;
  std::vector<bench::BenchFile> runs;
  if (compares) runs.push_back(bench::readBenchFile(flags.against));
  for (const std::string& file : flags.files) runs.push_back(bench::readBenchFile(file));
  bench::nameRuns(runs);
  if (!compares) {
    writeFile(common.output, bench::reportPage(runs));
    return 0;
  }
  const bench::Comparison comparison = bench::compareRuns(runs[0], runs[1]);
  if (comparison.pairs() == 0)
    fail("{}: expected timed rows that {} has too, found none", flags.files[0], flags.against);
  if (!common.jsonToStandardOutput())
    fmt::print("{}", printable(bench::comparisonText(comparison), true));
  if (!common.output.empty()) writeFile(common.output, bench::reportPage(runs, &comparison));
  RunRecord record;
  recordComparison(record, comparison);
  reporting.finish(record, nullptr);
  return failFrom >= 0 && comparison.worstRegression() > failFrom ? 3 : 0;
}

}  // namespace

Action declareReport(FlagTable& table, const CommonOptions& common) {
  const auto flags = std::make_shared<ReportFlags>();
  table.operands("FILE", flags->files, "Bench files, one per device or version", 1);
  table.add("--against", flags->against, "OLD.json", "An older bench file: list regressions since");
  table.add("--fail-slower-than", flags->failSlowerThan, "5%",
            "Exit code 3 when something flagged is slower by more");
  return [flags, &common] { return runReport(*flags, common); };
}

}  // namespace fathom::commands
