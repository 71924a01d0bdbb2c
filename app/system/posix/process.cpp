// SPDX-License-Identifier: BSD-3-Clause
// posix_spawn where a program runs to its end, fork where it is fed meanwhile. A program that a
// driver holds cannot be waited for, so outputOf() never blocks.
#include "app/system/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace fathom::system {

// ---- This process and others

ProcessId processId() { return ::getpid(); }

bool isRunning(ProcessId process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  // A zombie, or one that is still writing its core file, does nothing more.
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("State:\tZ") || line.starts_with("CoreDumping:\t1")) return false;
  return true;
}

void exitNow(int code) { ::_exit(code); }

std::string shellWord(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./:=,@%+#").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::FILE* openErrorsOfParent() {
  return std::fopen(fmt::format("/proc/{}/fd/2", ::getppid()).c_str(), "a");
}

// ---- Programs that run to their end

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = std::size_t(1) << 16;

/// As exec() wants it; points into the words.
std::vector<char*> argumentsOf(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

/// Where the standard streams of a new process lead.
class Streams {
 public:
  Streams() { posix_spawn_file_actions_init(&actions_); }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  void read(int stream, const std::string& file) {
    posix_spawn_file_actions_addopen(&actions_, stream, file.c_str(), O_RDONLY, 0);
  }
  void write(int stream, const std::string& file) {
    posix_spawn_file_actions_addopen(&actions_, stream, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
  }
  void lead(int stream, int descriptor) {
    posix_spawn_file_actions_adddup2(&actions_, descriptor, stream);
  }
  std::optional<pid_t> spawn(const std::vector<std::string>& command) {
    const std::vector<char*> arguments = argumentsOf(command);
    pid_t child = 0;
    if (posix_spawnp(&child, arguments[0], &actions_, nullptr, arguments.data(), environ) != 0)
      return std::nullopt;
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_;
};

constexpr const char* kNothing = "/dev/null";

/// Everything up to the end of the output; none when that does not come in time.
std::optional<std::string> readAll(int from, Clock::time_point until) {
  std::string text;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd waiting{from, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, int(left)) <= 0) return std::nullopt;
    char bytes[4096];
    const ssize_t count = ::read(from, bytes, sizeof bytes);
    if (count <= 0) return text;
    if (text.size() < kMaxOutput) text.append(bytes, std::size_t(count));
  }
}

/// Its status; none when it has not ended in time.
std::optional<int> statusOf(pid_t child, Clock::time_point until) {
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > until) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

int waitFor(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::string findProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::optional<int> run(const std::vector<std::string>& command, const std::string& input,
                       const std::string& output) {
  Streams streams;
  streams.read(0, input.empty() ? kNothing : input);
  streams.write(1, output.empty() ? kNothing : output);
  streams.write(2, kNothing);
  const std::optional<pid_t> child = streams.spawn(command);
  if (!child) return std::nullopt;
  const int status = waitFor(*child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string outputOf(const std::vector<std::string>& command, std::chrono::milliseconds maxWait) {
  int pipe[2];
  if (command.empty() || ::pipe2(pipe, O_CLOEXEC) != 0) return "";
  const Clock::time_point until = Clock::now() + maxWait;
  Streams streams;
  streams.read(0, kNothing);
  streams.lead(1, pipe[1]);
  streams.write(2, kNothing);
  const std::optional<pid_t> child = streams.spawn(command);
  ::close(pipe[1]);
  std::optional<std::string> text;
  if (child) text = readAll(pipe[0], until);
  ::close(pipe[0]);
  if (!child) return "";
  std::optional<int> status;
  if (text) status = statusOf(*child, until);
  if (!status) {
    ::kill(*child, SIGKILL);
    statusOf(*child, Clock::now() + maxWait / 10);
    return "";
  }
  return WIFEXITED(*status) && WEXITSTATUS(*status) == 0 ? text->substr(0, kMaxOutput) : "";
}

// ---- A program that is fed

FedProgram::Started FedProgram::start(const std::string& program,
                                      const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> pointers = argumentsOf(words);
  // A socket rather than a pipe: writing to one that nobody reads need not raise a signal.
  std::array<int, 2> ends{};
  messages_ = ::memfd_create("messages", MFD_CLOEXEC);
  if (messages_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Started::NoFile;
  input_ = ends[0];
  process_ = ::fork();
  if (process_ == 0) {
    ::setpgid(0, 0);  // Ctrl+C is for us, who then end it
    ::dup2(ends[1], 0);
    ::dup2(messages_, 2);
    ::dup2(messages_, 1);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  return process_ < 0 ? Started::NoProcess : Started::Yes;
}

FedProgram::~FedProgram() {
  if (process_ > 0) ::kill(process_, SIGKILL);
  wait();
  if (messages_ >= 0) ::close(messages_);
}

int FedProgram::wait() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
  const pid_t process = std::exchange(process_, -1);
  return process > 0 ? waitFor(process) : -1;
}

bool FedProgram::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(std::size_t(sent));
  }
  return true;
}

FedProgram::Ending FedProgram::finish() {
  const int status = wait();
  Ending ending;
  ending.well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::array<char, 400> text{};
  const ssize_t length = ::pread(messages_, text.data(), text.size() - 1, 0);
  ending.printed = length > 0;
  ending.message.assign(text.data(), length > 0 ? std::size_t(length) : 0);
  ending.message = ending.message.substr(0, ending.message.find('\n'));
  if (ending.message.empty())
    ending.message = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "no reason given";
  return ending;
}

namespace {

bool (*interruptHandler)(double seconds) = nullptr;

void interrupted(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // may be called in a handler
  if (!interruptHandler(double(now.tv_sec) + 1e-9 * double(now.tv_nsec))) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

constexpr int kCrashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

}  // namespace

void onInterrupt(bool (*handle)(double seconds)) {
  interruptHandler = handle;
  ::signal(SIGINT, interrupted);
  ::signal(SIGTERM, interrupted);
  // A terminal that closes; nohup has asked to live on.
  if (::signal(SIGHUP, interrupted) == SIG_IGN) ::signal(SIGHUP, SIG_IGN);
}

void outliveClosedPipes() { ::signal(SIGPIPE, SIG_IGN); }

struct CrashHandlersKept::Handlers {
  struct sigaction actions[std::size(kCrashes)];
};

CrashHandlersKept::CrashHandlersKept() : before_(std::make_unique<Handlers>()) {
  for (std::size_t i = 0; i < std::size(kCrashes); ++i)
    sigaction(kCrashes[i], nullptr, &before_->actions[i]);
}

CrashHandlersKept::~CrashHandlersKept() {
  for (std::size_t i = 0; i < std::size(kCrashes); ++i)
    sigaction(kCrashes[i], &before_->actions[i], nullptr);
}

}  // namespace fathom::system
