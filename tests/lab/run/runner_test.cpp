// SPDX-License-Identifier: BSD-3-Clause
// The trial runner on benches defined here: what is timed, what becomes a row, how axes combine.
#include "app/lab/workload.h"

#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

namespace fathom::bench {
namespace {

// What the bench under test does; a Bench is plain data and holds no state.
std::function<void(BenchRun&)> body;
void runBody(BenchRun& run) { body(run); }

Bench benchWith(std::vector<SweepAxis> axes = {}) {
  return {"test.bench", "For tests.", "words", runBody, std::move(axes)};
}

BenchCase caseNamed(const std::string& label) {
  BenchCase c;
  c.workload = "words";
  c.label = label;
  c.work = 1000;
  c.trial = [] {};
  c.check = [] { return CheckResult{true, "exact", ""}; };
  return c;
}

struct Knobs {
  int layers = 1;
  bool early = false;
};
Describe knobsOf(Knobs& knobs) {
  return [&knobs](FieldVisitor& field) {
    field(knobs.layers, range("layers", 1, 16, "Layers."));
    field(knobs.early, toggle("early", "Early."));
  };
}

class RunnerTest : public test::GpuTest {
 protected:
  std::vector<BenchRow> run(const RunOptions& options, const Bench& bench) {
    BenchRun runner(context(), progress_, options);
    runner.run(bench);
    passed_ = runner.checksPassed();
    failed_ = runner.checksFailed();
    skipped_ = runner.skipped();
    return runner.rows();
  }
  /// The knobs that a bench of two axes goes through.
  std::vector<std::string> swept(const RunOptions& options) {
    std::vector<std::string> seen;
    Knobs knobs;
    body = [&](BenchRun& bench) {
      bench.sweep(knobsOf(knobs),
                  [&] { seen.push_back(fmt::format("{}{}", knobs.layers, knobs.early)); });
    };
    run(options, benchWith({{"layers", {"1", "2"}}, {"early", {"off", "on"}}}));
    return seen;
  }
  static RunOptions trials(int count) {
    RunOptions options;
    options.trials = count;
    return options;
  }
  Progress progress_;
  int passed_ = 0, failed_ = 0, skipped_ = 0;
};

TEST_F(RunnerTest, CasesMeasuredTogetherTakeTurns) {
  std::string order;
  body = [&](BenchRun& bench) {
    std::vector<BenchCase> cases;
    for (const char* name : {"a", "b", "c"}) {
      cases.push_back(caseNamed(name));
      cases.back().trial = [&order, name] { order += name; };
    }
    cases[1].check = [] { return CheckResult{false, "exact", "wrong"}; };
    bench.measureTogether(cases);
  };
  const std::vector<BenchRow> rows = run(trials(20), benchWith());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].label, "a");
  EXPECT_EQ(rows[1].label, "c");
  EXPECT_EQ(rows[0].wall.n, 20);
  EXPECT_EQ(failed_, 1);
  // After the warm-up each round holds each case once, in an order that changes.
  const std::string rounds = order.substr(order.size() - 40);
  int turned = 0;
  for (std::size_t i = 0; i < rounds.size(); i += 2) {
    EXPECT_NE(rounds[i], rounds[i + 1]);
    turned += rounds[i] == 'c';
  }
  EXPECT_GT(turned, 0);
  EXPECT_LT(turned, 20);
}

TEST_F(RunnerTest, DropsTheWarmUpAndResetsBeforeEachTrial) {
  int made = 0, resets = 0;
  body = [&](BenchRun& run) {
    BenchCase c = caseNamed("a");
    c.trial = [&] { ++made; };
    c.reset = [&] { ++resets; };
    run.measure(c);
  };
  const std::vector<BenchRow> rows = run(trials(4), benchWith());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].wall.n, 4);
  EXPECT_GT(made, 4);
  EXPECT_EQ(resets, made);
}

TEST_F(RunnerTest, TimesThePassesOfTheTrialAlone) {
  gpu::Buffer<std::uint32_t> buffer(context(), "test", std::size_t(1) << 20);
  body = [&](BenchRun& run) {
    BenchCase c = caseNamed("clear");
    c.trial = [&] {
      const gpu::Timings::Scope scope(run.gpu().timings(), "clear");
      buffer.clear(1);
    };
    run.measure(c);
  };
  const std::vector<BenchRow> rows = run(trials(3), benchWith());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_GT(rows[0].gpu.median, 0);
  EXPECT_GE(rows[0].wall.median, rows[0].gpu.median * 0.5);
}

TEST_F(RunnerTest, LeavesOutWhatTheDeviceCannotHold) {
  body = [](BenchRun& run) {
    BenchCase large = caseNamed("large");
    large.trial = [] { throw Error("needs 3.1 GiB in one buffer, this GPU allows 2.0 GiB"); };
    run.measure(large);
    run.measure(caseNamed("small"));
  };
  EXPECT_EQ(run(trials(1), benchWith()).size(), 1u);
  EXPECT_EQ(skipped_, 1);
}

TEST_F(RunnerTest, CheckOnlyTimesNothing) {
  RunOptions options = trials(5);
  options.checkOnly = true;
  body = [](BenchRun& run) { run.measure(caseNamed("a")); };
  EXPECT_TRUE(run(options, benchWith()).empty());
  EXPECT_EQ(passed_, 1);
}

TEST_F(RunnerTest, GoesThroughEveryCombinationOfTheAxes) {
  EXPECT_THAT(swept({}), ElementsAre("1false", "1true", "2false", "2true"));
}

TEST_F(RunnerTest, LetsTheUserReplaceAddAndPinAxes) {
  RunOptions options;
  options.sweeps = {{"layers", {"4", "8"}}};
  options.pinned = {{"early", "on"}};
  EXPECT_THAT(swept(options), ElementsAre("4true", "8true"));
}

TEST_F(RunnerTest, RefusesASweepOfNoSetting) {
  Knobs knobs;
  body = [&](BenchRun& run) { run.sweep(knobsOf(knobs), [] {}); };
  RunOptions options;
  options.sweeps = {{"layer", {"4"}}};
  EXPECT_THROW(run(options, benchWith()), UsageError);
  options.sweepWhereKnown = true;
  EXPECT_NO_THROW(run(options, benchWith()));
}

TEST_F(RunnerTest, TrialsOfLaterRoundsJoinThoseOfTheirRow) {
  int rounds = 0;
  body = [&](BenchRun& run) {
    run.measure(caseNamed("a"));
    run.measure(caseNamed("twice"));
    run.measure(caseNamed("twice"));
    if (++rounds == 3) run.measure(caseNamed("late"));
  };
  const Bench bench = benchWith();
  BenchRun runner(context(), progress_, trials(4));
  for (int round = 0; round < 3; ++round) runner.run(bench);
  std::vector<std::string> rows;
  for (const BenchRow& row : runner.rows())
    rows.push_back(fmt::format("{} {}", row.label, row.wall.n));
  EXPECT_EQ(rows, (std::vector<std::string>{"a 12", "twice 12", "twice 12", "late 4"}));
}

TEST_F(RunnerTest, SizeOfTheCommandLineWins) {
  glm::ivec2 quick{0}, asked{0};
  const auto sizeOf = [](glm::ivec2& size) {
    return [&size](BenchRun& run) { size = run.size({1, 2}, {3, 4}, {5, 6}); };
  };
  RunOptions options;
  options.scale = BenchScale::Quick;
  body = sizeOf(quick);
  run(options, benchWith());
  options.size = glm::ivec2(7, 8);
  body = sizeOf(asked);
  run(options, benchWith());
  EXPECT_EQ(quick, glm::ivec2(1, 2));
  EXPECT_EQ(asked, glm::ivec2(7, 8));
}

TEST_F(RunnerTest, RowsHoldThePapersNumberAndOurs) {
  body = [](BenchRun& run) {
    BenchCase c = caseNamed("LL-S");
    c.paper = {{"Archer 2018, table 1", "Hairball", "LL-S", ""},
               {"Archer 2018, table 1", "Hairball", "BIA-S", "PSNR dB"},
               {"A table that does not exist", "Hairball", "LL-S", ""}};
    c.check = [] { return CheckResult{true, "exact", "", {{"PSNR dB", 35.5}}}; };
    run.measure(c);
  };
  const std::vector<BenchRow> rows = run(trials(3), benchWith());
  ASSERT_EQ(rows.size(), 1u);
  ASSERT_EQ(rows[0].paper.size(), 2u);
  EXPECT_EQ(rows[0].paper[0].paper, 36.2);
  EXPECT_EQ(rows[0].paper[0].unit, "ms");
  EXPECT_EQ(rows[0].paper[0].ours, rows[0].time().median);
  EXPECT_EQ(rows[0].paper[1].ours, 35.5);
}

TEST_F(RunnerTest, ForetellsTheDispatchesOfATrial) {
  const gpu::Buffer<std::uint32_t> marks(context(), "marks", 96), ran(context(), "ran", 1);
  const gpu::Buffer<std::uint32_t> commands(context(), "commands",
                                            std::vector<std::uint32_t>{2, 3, 1});
  const auto bound = [&]() -> gpu::Pass& {
    gpu::Pass& pass =
        context().pass({"mark", "tests/gpu/data/mark_invocations.comp", {{"MARK_SIZE", 16}}});
    pass.storage(0, marks).storage(1, ran).params(0, glm::uvec4(96, 1, 0, 0));
    return pass;
  };
  const auto trial = [&] {
    bound().dispatch(40, gpu::Each{5});
    bound().dispatchIndirect(commands, 0, {});
  };
  {
    const gpu::DispatchLog log;
    trial();
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(log[0].pass, "mark");
    EXPECT_EQ(log[0].variant, "tests/gpu/data/mark_invocations.comp MARK_SIZE=16");
    EXPECT_EQ(log[0].invocations, 48);  // whole groups
    EXPECT_EQ(log[0].operations, 40 * 5);
    EXPECT_EQ(log[0].bytes, 96 * 4 + 16);  // buffers are whole rows of 16 bytes
    EXPECT_EQ(log[1].invocations, 96);     // as the commands say
  }
  RunOptions options = trials(1);
  options.predict = true;
  std::string table;
  body = [&](BenchRun& run) {
    BenchCase c = caseNamed("marks");
    c.trial = trial;
    run.measure(c);
    table = run.predictions();
  };
  run(options, benchWith());
  EXPECT_THAT(table, testing::ContainsRegex("test.bench words marks *\n +pass .*H100"));
  EXPECT_THAT(table, testing::ContainsRegex("\n +mark +2 .*\n +all +2 "));
}

}  // namespace
}  // namespace fathom::bench
