// SPDX-License-Identifier: BSD-3-Clause
// A child per command: it watches itself and leaves its results in a file, which the parent reads
// when it ends. A command that crashes takes only its own results along.
#include "tests/races/run_workloads.h"

#include "app/cli/subcommands.h"
#include "tests/races/own_work.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fathom::races {

namespace fs = std::filesystem;

namespace {

/// What is no command of the program.
constexpr std::pair<const char*, void (*)(gpu::Context&)> kOwnWork[] = {
    {"primitives", runPrimitives}, {"parts", runParts}};

std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text;
}

void writeResult(const fs::path& file, const WatchResult& result) {
  std::ofstream out(file);
  for (const auto& [key, finding] : result.findings)
    out << "finding\t" << oneLine(key) << '\t' << finding.count << '\t' << oneLine(finding.text)
        << '\n';
  for (const auto& [key, trial] : result.trials)
    out << "trial\t" << key << '\t' << trial.shader << '\t' << trial.place << '\t' << trial.noticed
        << '\t' << trial.doubled << '\t' << trial.variant << '\n';
  for (const std::string& shader : result.shaders) out << "shader\t" << shader << '\n';
  for (const std::string& text : result.unwatched) out << "unwatched\t" << oneLine(text) << '\n';
  out << "dispatches\t" << result.dispatches << '\t' << result.lost << '\n';
}

void readResult(const fs::path& file, WatchResult& into) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> parts;
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, '\t');) parts.push_back(word);
    parts.resize(7);
    if (parts[0] == "finding") {
      Finding& finding = into.findings[parts[1]];
      finding.count += std::atoi(parts[2].c_str());
      finding.text = parts[3];
    } else if (parts[0] == "trial") {
      BarrierTrial& trial = into.trials[parts[1]];
      const bool noticed = trial.noticed || parts[4] == "1";
      const bool doubled = (trial.shader.empty() || trial.doubled) && parts[5] == "1";
      trial = {parts[2], parts[3], parts[6], noticed, doubled};
    } else if (parts[0] == "shader") {
      into.shaders.insert(parts[1]);
    } else if (parts[0] == "unwatched") {
      into.unwatched.push_back(parts[1]);
    } else {
      into.dispatches += std::atoll(parts[1].c_str());
      into.lost += std::atoll(parts[2].c_str());
    }
  }
}

std::string withFolders(std::string argument, const fs::path& folder) {
  const std::pair<std::string_view, std::string> names[] = {{"{folder}", folder.string()},
                                                            {"{source}", FATHOM_SOURCE_DIR}};
  for (const auto& [name, path] : names)
    if (const auto at = argument.find(name); at != std::string::npos)
      argument.replace(at, name.size(), path);
  return argument;
}

/// Null: a command of the program.
void (*ownWork(const std::vector<std::string>& command))(gpu::Context&) {
  for (const auto& [name, run] : kOwnWork)
    if (command == std::vector<std::string>{name}) return run;
  return nullptr;
}

/// Its exit code.
int runCommand(const std::vector<std::string>& command, const fs::path& folder) {
  if (const auto run = ownWork(command)) {
    gpu::Context context;
    run(context);
    return 0;
  }
  std::vector<std::string> arguments = {"fathom"};
  for (const std::string& argument : command) arguments.push_back(withFolders(argument, folder));
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  return commands::run(int(arguments.size()), argv.data());
}

/// In the child: does not return.
[[noreturn]] void become(const Workload& workload, const WatchOptions& options,
                         const fs::path& folder, bool verbose) {
  if (!verbose) {
    const int log = open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
  }
  for (const std::string& variable : workload.environment) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
  }
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);  // nobody's settings
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);   // and no programs kept from other runs
  startWatching(options);
  int code = 0;
  for (const auto& command : workload.commands)
    if (code == 0) code = runCommand(command, folder);
  writeResult(folder / "result", watched());
  std::fflush(nullptr);
  _exit(code);
}

std::string textOf(const Workload& workload) {
  std::string text;
  for (const std::string& variable : workload.environment) text += variable + " ";
  for (const auto& command : workload.commands) {
    text += &command == &workload.commands.front() ? "" : " ; ";
    text += ownWork(command) ? command[0] : fmt::format("fathom {}", fmt::join(command, " "));
  }
  return text;
}

struct Child {
  const Workload* workload = nullptr;
  fs::path folder;
};

void finish(const Child& child, int status, RunResult& result) {
  readResult(child.folder / "result", result.all);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::ifstream log(child.folder / "log");
    std::string text{std::istreambuf_iterator<char>(log), {}};
    if (text.size() > 600) text = "..." + text.substr(text.size() - 600);
    result.failures.push_back(fmt::format(
        "{}: {} {}\n{}", textOf(*child.workload), WIFEXITED(status) ? "exit code" : "signal",
        WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), text));
  }
  std::error_code ignored;
  fs::remove_all(child.folder, ignored);
}

Workload workloadOf(const std::string& line, const fs::path& file) {
  Workload workload;
  std::istringstream words(line);
  std::string word;
  bool begins = true;
  while (words >> word) {
    if (begins && word.find('=') != std::string::npos) {
      workload.environment.push_back(word);
    } else if (begins) {
      const bool ours = ownWork({word}) != nullptr;
      if (word != "fathom" && !ours)
        throw std::runtime_error(file.string() + ": expected a line `fathom ...`, found " + line);
      workload.commands.emplace_back();
      if (ours) workload.commands.back().push_back(word);
      begins = false;
    } else if (word == ";") {
      begins = true;
    } else {
      workload.commands.back().push_back(word);
    }
  }
  return workload;
}

}  // namespace

WorkloadList readWorkloads(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + ": expected a list of commands, found none");
  WorkloadList all;
  std::string whole;
  for (std::string line; std::getline(in, line);) {
    whole += line.substr(0, line.find(" #"));
    if (line.starts_with('#')) whole.clear();
    if (line.starts_with("unreached ")) {
      const std::string rest = line.substr(10);
      all.unreached[rest.substr(0, rest.find(':'))] = rest.substr(rest.find(':') + 1);
      whole.clear();
    }
    if (whole.ends_with('\\')) {
      whole.back() = ' ';
      continue;
    }
    Workload workload = workloadOf(std::exchange(whole, {}), file);
    if (!workload.commands.empty()) all.workloads.push_back(std::move(workload));
  }
  return all;
}

RunResult runWorkloads(const std::vector<Workload>& workloads, const WatchOptions& options,
                       int jobs, bool verbose) {
  RunResult result;
  std::map<pid_t, Child> running;
  const auto await = [&] {
    int status = 0;
    rusage used{};
    const pid_t ended = wait4(-1, &status, 0, &used);
    const auto child = running.find(ended);
    if (child == running.end()) return;
    const auto seconds = [](const timeval& time) {
      return double(time.tv_sec) + double(time.tv_usec) * 1e-6;
    };
    fmt::print(stderr, "{:6.1f} s  {}\n", seconds(used.ru_utime) + seconds(used.ru_stime),
               textOf(*child->second.workload));
    finish(child->second, status, result);
    running.erase(child);
  };
  for (const Workload& workload : workloads) {
    while (int(running.size()) >= jobs) await();
    std::string folder = (fs::temp_directory_path() / "fathom-races-XXXXXX").string();
    if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary folder");
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) become(workload, options, folder, verbose);
    running[child] = {&workload, folder};
  }
  while (!running.empty()) await();
  return result;
}

}  // namespace fathom::races
