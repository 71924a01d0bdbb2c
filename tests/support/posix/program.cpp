// SPDX-License-Identifier: BSD-3-Clause
// fork, exec, and two temporary files for what the program says.
#include "tests/support/program.h"

#include "tests/support/system.h"
#include "tests/support/temp_folder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <regex>

namespace fathom::test {
namespace {

/// Never returns: becomes the program.
[[noreturn]] void become(const std::vector<std::string>& command, const RunOptions& options,
                         const std::string& out, const std::string& err) {
  for (const std::string& change : options.environment) changeVariable(change);
  const auto redirect = [](const std::string& file, int to) {
    dup2(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), to);
  };
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  if (options.fileSizeLimit >= 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{rlim_t(options.fileSizeLimit), rlim_t(options.fileSizeLimit)};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
  execute(command);
}

}  // namespace

void execute(std::vector<std::string> command) {
  // On a display, ours for Windows in the place of this system's: the folder of those. Wine holds
  // on to its display, so each has one.
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const std::string folder = variable("FATHOM_TEST_WINDOWS"), display = variable("DISPLAY");
  if (!folder.empty() && !display.empty() && command[0].starts_with('/')) {
    command[0] = folder + command[0].substr(command[0].rfind('/')) + ".exe";
    command.insert(command.begin(), "wine");
    setenv("WINEPREFIX", fmt::format("{}/wine{}", folder, display).c_str(), 1);
    if (const std::string settings = variable("XDG_CONFIG_HOME"); settings.starts_with('/'))
      setenv("XDG_CONFIG_HOME", ("Z:" + settings).c_str(), 1);
  }
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

Outcome runProgram(const std::vector<std::string>& command, const RunOptions& options) {
  const TempFolder folder;
  const std::string out = folder.file("out"), err = folder.file("err");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(command, options, out, err);
  if (options.interruptAfterMs >= 0) {
    usleep(useconds_t(options.interruptAfterMs) * 1000);
    kill(child, options.hangUp ? SIGHUP : SIGINT);
  }
  int status = 0;
  if (!options.killWhenThere.empty()) {
    while (!std::filesystem::exists(options.killWhenThere) && waitpid(child, &status, WNOHANG) == 0)
      usleep(1000);
    kill(child, SIGKILL);
  }
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = readText(out);
  outcome.err = readText(err);
#ifdef __SANITIZE_ADDRESS__  // what it says of fibers, which tell it of every switch
  static const std::regex warning("==[0-9]+==WARNING: ASan doesn't fully support makecontext.*\n");
  outcome.err = std::regex_replace(outcome.err, warning, "");
#endif
  return outcome;
}

}  // namespace fathom::test
