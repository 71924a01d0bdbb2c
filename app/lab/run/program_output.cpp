// SPDX-License-Identifier: BSD-3-Clause
// posix_spawn with a pipe and a deadline. A program that a driver holds cannot be waited for, so
// nothing here blocks.
#include "app/lab/run/program_output.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <thread>

extern char** environ;

namespace fathom::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = std::size_t(1) << 16;

/// Starts it with its output in `pipe`; none when that fails.
std::optional<pid_t> spawn(const std::vector<std::string>& command, const int (&pipe)[2]) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return std::nullopt;
  return child;
}

/// Everything up to the end of the output; none when that does not come in time.
std::optional<std::string> readAll(int from, SteadyClock::time_point until) {
  std::string text;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - SteadyClock::now()).count();
    pollfd waiting{from, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, int(left)) <= 0) return std::nullopt;
    char bytes[4096];
    const ssize_t count = read(from, bytes, sizeof bytes);
    if (count <= 0) return text;
    if (text.size() < kMaxOutput) text.append(bytes, std::size_t(count));
  }
}

/// Its exit status; none when it has not ended in time.
std::optional<int> statusOf(pid_t child, SteadyClock::time_point until) {
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (SteadyClock::now() > until) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

}  // namespace

std::string outputOf(const std::vector<std::string>& command, std::chrono::milliseconds maxWait) {
  int pipe[2];
  if (command.empty() || ::pipe2(pipe, O_CLOEXEC) != 0) return "";
  const SteadyClock::time_point until = SteadyClock::now() + maxWait;
  const std::optional<pid_t> child = spawn(command, pipe);
  close(pipe[1]);
  std::optional<std::string> text;
  if (child) text = readAll(pipe[0], until);
  close(pipe[0]);
  if (!child) return "";
  std::optional<int> status;
  if (text) status = statusOf(*child, until);
  if (!status) {
    kill(*child, SIGKILL);
    statusOf(*child, SteadyClock::now() + maxWait / 10);
    return "";
  }
  return WIFEXITED(*status) && WEXITSTATUS(*status) == 0 ? text->substr(0, kMaxOutput) : "";
}

}  // namespace fathom::bench
