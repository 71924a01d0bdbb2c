// SPDX-License-Identifier: BSD-3-Clause
// `./dev races`: finds missing barriers in compute shaders, and missing memory barriers between
// passes, without a GPU.
//   races [--trials N] [--jobs N] LIST        the commands of a list, each with instrumented
//   shaders
//     --trials N    leaves out each barrier in turn, in up to N dispatches of a program, and says
//     which are not
//                   missed: they order what atomics do across groups, or nothing on these inputs
//     --shaders N   expects all to be missed, and those of so many shaders
//     --whole       expects all compute shaders of the program to run, but for those that the list
//                   excuses
//   races [--trials N] -- deep flatten ...    one command of `fathom`
// Exit code 0: none found; 1: some found, or a command failed; 2: wrong arguments.
#include "tests/races/run_workloads.h"

namespace {

using namespace fathom::races;
namespace fs = std::filesystem;

struct Arguments {
  WatchOptions options;
  int jobs = int(std::max(1u, std::thread::hardware_concurrency()));
  int shaders = 0;       // with trials, at least
  bool isWhole = false;  // name the shaders that did not run
  std::vector<Workload> workloads;
  std::map<std::string, std::string> unreached;
};

Arguments parse(int argc, char** argv) {
  Arguments all;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--trials" && i + 1 < argc)
      all.options.trials = std::atoi(argv[++i]);
    else if (word == "--jobs" && i + 1 < argc)
      all.jobs = std::max(1, std::atoi(argv[++i]));
    else if (word == "--shaders" && i + 1 < argc)
      all.shaders = std::atoi(argv[++i]);
    else if (word == "--whole")
      all.isWhole = true;
    else if (word == "--") {
      all.workloads.push_back({{{argv + i + 1, argv + argc}}, {}});
      break;
    } else {
      const WorkloadList list = readWorkloads(word);
      all.workloads.insert(all.workloads.end(), list.workloads.begin(), list.workloads.end());
      all.unreached.insert(list.unreached.begin(), list.unreached.end());
    }
  }
  return all;
}

void print(const RunResult& run) {
  for (const auto& [key, finding] : run.all.findings)
    fmt::print("{}{}\n", finding.text,
               finding.count > 1 ? fmt::format(" ({} times)", finding.count) : "");
  for (const std::string& text : std::set(run.all.unwatched.begin(), run.all.unwatched.end()))
    fmt::print("not instrumented: {}\n", text);
  for (const std::string& text : run.failures) fmt::print("failed: {}\n", text);
}

/// How many barriers were left out, and which were not missed.
int printTrials(const WatchResult& result, int expectedShaders) {
  std::set<std::string> shaders;
  int noticed = 0, unnoticed = 0;
  for (const auto& [key, trial] : result.trials) {
    shaders.insert(trial.shader);
    if (trial.doubled && !trial.noticed) {
      fmt::print("orders nothing, since another barrier stands beside it: {} of {} ({})\n",
                 trial.place, trial.shader, trial.variant);
      continue;
    }
    ++(trial.noticed ? noticed : unnoticed);
    if (!trial.noticed)
      fmt::print("not missed: the barrier at {} of {} ({})\n", trial.place, trial.shader,
                 trial.variant);
  }
  fmt::print("{} of {} barriers of {} shaders are missed when left out\n", noticed,
             noticed + unnoticed, shaders.size());
  if (int(shaders.size()) >= expectedShaders) return unnoticed;
  fmt::print("expected {} shaders with barriers, found {}\n", expectedShaders, shaders.size());
  return unnoticed + 1;
}

/// Compute shaders that no command of the list ran, and those that ran though the list says they
/// cannot; returns how many there are of which the list does not know.
int printUnused(const WatchResult& result, const std::map<std::string, std::string>& unreached) {
  int unused = 0, all = 0, unknown = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(FATHOM_SOURCE_DIR) / "shaders")) {
    if (entry.path().extension() != ".comp") continue;
    ++all;
    const std::string name = entry.path().lexically_relative(FATHOM_SOURCE_DIR).generic_string();
    const auto reason = unreached.find(name);
    const bool ran = result.shaders.contains(name);
    if (!ran) ++unused;
    if (ran == (reason == unreached.end())) continue;
    ++unknown;
    fmt::print("{}: {}\n", ran ? "expected not to run, but ran" : "did not run", name);
  }
  for (const auto& [name, reason] : unreached) fmt::print("not run: {}:{}\n", name, reason);
  fmt::print("{} of {} compute shaders ran\n", all - unused, all);
  return unknown;
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv);
  if (arguments.workloads.empty()) {
    fmt::print(stderr, "races: expected a list of commands, or -- and a command of fathom\n");
    return 2;
  }
  // One group after another, in subgroups of 8, and no code from a cache.
  setenv("LP_NATIVE_VECTOR_WIDTH", "256", 1);
  setenv("LP_NUM_THREADS", "0", 1);
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  const bool isOne = arguments.workloads.size() == 1;
  const RunResult run = runWorkloads(arguments.workloads, arguments.options, arguments.jobs, isOne);
  print(run);
  int problems = int(run.all.findings.size() + run.all.unwatched.size() + run.failures.size());
  if (arguments.options.trials > 0) {
    const int unnoticed = printTrials(run.all, arguments.shaders);
    if (arguments.shaders > 0) problems += unnoticed;
  }
  if (arguments.isWhole) problems += printUnused(run.all, arguments.unreached);
  if (run.all.lost > 0) fmt::print("{} accesses were too many to be looked at\n", run.all.lost);
  fmt::print("{} races found in {} dispatches of {} shaders, {} commands\n",
             run.all.findings.size(), run.all.dispatches, run.all.shaders.size(),
             arguments.workloads.size());
  return problems ? 1 : 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "races: {}\n", error.what());
  return 2;
}
