// SPDX-License-Identifier: BSD-3-Clause
// A process at a time: started without the tests that have a result, watched, and its notes
// (main.cpp) read after its end. A test that began and did not end is the one that ended the
// process.
#include "tests/support/suite/run.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fathom::test {

void writeResults(const std::filesystem::path& file, const std::vector<TestRecord>& records) {
  const std::string draft = file.string() + "." + std::to_string(getpid());
  std::ofstream out(draft, std::ios::binary);
  for (const TestRecord& record : records)
    out << record.status << ' ' << record.milliseconds << ' ' << record.output.size() << ' '
        << record.name << '\n'
        << record.output << '\n';
  out.close();
  if (!out) throw std::runtime_error(draft + ": could not be written");
  std::filesystem::rename(draft, file);
}

std::optional<TestRecord> findResult(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file, std::ios::binary);
  TestRecord record;
  std::size_t bytes = 0;
  while (in >> record.status >> record.milliseconds >> bytes >> record.name && in.get()) {
    if (record.name == name) {
      record.output.resize(bytes);
      in.read(record.output.data(), std::streamsize(bytes));
      return record;
    }
    in.seekg(std::streamoff(bytes), std::ios::cur);
  }
  return std::nullopt;
}

void become(std::vector<std::string> words) {
  if (const char* launcher = std::getenv("FATHOM_TEST_LAUNCHER"))
    words.insert(words.begin(), launcher);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

namespace fs = std::filesystem;
namespace {

struct End {
  bool normal = false;  // by itself, and with an exit code of GoogleTest's
  std::string description;
};

struct Files {
  fs::path log, events;
  explicit Files(const std::string& scratch) : log(scratch + ".log"), events(scratch + ".events") {}
  ~Files() { remove(); }
  void remove() const {
    std::error_code ignored;
    fs::remove(log, ignored);
    fs::remove(events, ignored);
  }
};

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Becomes the test program, without the tests that are done.
[[noreturn]] void becomeSuite(const fs::path& program, const Files& files,
                              const std::vector<TestRecord>& done) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // ctest may kill the runner
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int log = open(files.log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  close(log);
  setenv("FATHOM_TEST_EVENTS", files.events.c_str(), 1);
  const char* wanted = std::getenv("FATHOM_TEST_FILTER");  // without a '-'
  std::string filter = std::string("--gtest_filter=") + (wanted ? wanted : "*");
  for (const TestRecord& record : done) filter += (&record == &done[0] ? "-" : ":") + record.name;
  if (const char* leftOut = std::getenv("FATHOM_TEST_LEFT_OUT"))
    filter += (done.empty() ? "-" : ":") + std::string(leftOut);
  become({program, filter, "--gtest_also_run_disabled_tests", "--gtest_color=no"});
}

End describe(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return {false, "killed by signal " + std::to_string(signal) + ", " + strsignal(signal)};
  }
  const int code = WEXITSTATUS(status);
  return {code <= 1, "exit code " + std::to_string(code)};
}

/// Waits for the child's end. The events change with each test, so their age is the test's time.
End await(pid_t child, const Files& files, int limitSeconds) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  for (int status = 0;;) {
    if (waitpid(child, &status, WNOHANG) == child) return describe(status);
    const timespec pause{1, 0};
    sigtimedwait(&signals, nullptr, &pause);
    std::error_code absent;
    const auto changed = fs::last_write_time(files.events, absent);
    if (absent || fs::file_time_type::clock::now() - changed < std::chrono::seconds(limitSeconds))
      continue;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return {false, "killed after " + std::to_string(limitSeconds) + " s"};
  }
}

struct Notes {
  std::vector<TestRecord> ended;
  TestRecord begun;  // and not ended; no name when there is none
  bool done = false;
};

Notes readNotes(const Files& files) {
  const std::string log = contents(files.log);
  std::istringstream events(contents(files.events));
  Notes notes;
  std::size_t start = 0;
  for (std::string event; events >> event;) {
    if ((notes.done = event == "done")) continue;
    std::size_t place = 0;
    TestRecord record;
    events >> place >> record.status >> record.milliseconds >> record.name;
    place = std::min(place, log.size());
    if (event == "begin") {
      start = place;
      notes.begun = record;
      notes.begun.output = log.substr(start);
    } else {
      record.output = log.substr(start, place - start);
      notes.ended.push_back(record);
      notes.begun = {};
    }
  }
  return notes;
}

}  // namespace

SuiteRun runSuite(const fs::path& program, const std::string& scratch, int limitSeconds) {
  // Blocked, so that a child's end ends the wait for it.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, nullptr);

  const Files files(scratch);
  SuiteRun run;
  for (;;) {
    files.remove();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) becomeSuite(program, files, run.records);
    const End end = await(child, files, limitSeconds);
    Notes notes = readNotes(files);
    run.records.insert(run.records.end(), notes.ended.begin(), notes.ended.end());
    if (!notes.begun.name.empty()) {
      notes.begun.status = "failed";
      notes.begun.output += "\n[  FAILED  ] " + notes.begun.name + ": the process ended, " +
                            end.description + "; the remaining tests run in another one\n";
      run.records.push_back(notes.begun);
    } else {
      if (!notes.done || !end.normal)
        run.problem += "outside of a test: " + end.description + "\n" + contents(files.log);
      if (notes.done || notes.ended.empty()) return run;
    }
  }
}

}  // namespace fathom::test
