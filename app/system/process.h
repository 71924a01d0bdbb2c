// SPDX-License-Identifier: BSD-3-Clause
// Other programs that are run, their pipes, and the signals to this one: Ctrl+C and the request to
// end, and what happens in a crash.
#pragma once

namespace fathom::system {

using ProcessId = int;

ProcessId processId();
/// True unless it is known that there is no such process.
bool isRunning(ProcessId process);
/// Ends this process without destructors and without flushing.
[[noreturn]] void exitNow(int code);
/// Standard error of the process that started this one, to be closed; null when it cannot be
/// opened.
std::FILE* openErrorsOfParent();

/// One word of a command line for the shell of this system, quoted where it must be.
std::string shellWord(const std::string& word);

/// The file of a program in PATH; empty when there is none.
std::string findProgram(const std::string& name);

/// Runs a program to its end; its exit status, 128 when a signal ended it, none when there is no
/// such program. `input` and `output` are files for its standard streams (empty: nothing); what it
/// complains about is dropped.
std::optional<int> run(const std::vector<std::string>& command, const std::string& input = {},
                       const std::string& output = {});

/// The first 64 KiB that a program prints. Empty when there is no such program, when it fails, or
/// when it has not ended after `maxWait`; then it is killed.
std::string outputOf(const std::vector<std::string>& command, std::chrono::milliseconds maxWait);

/// A program that reads what it is fed, while this one goes on. Ctrl+C does not reach it.
class FedProgram {
 public:
  FedProgram() = default;
  ~FedProgram();  // kills it
  FedProgram(const FedProgram&) = delete;
  FedProgram& operator=(const FedProgram&) = delete;

  enum class Started { Yes, NoFile, NoProcess };
  /// `program`: as findProgram() has it.
  Started start(const std::string& program, const std::vector<std::string>& arguments);
  /// False when it reads no more.
  bool feed(std::span<const std::byte> bytes);

  struct Ending {
    bool well = false;    // exit status 0
    std::string message;  // the first line of what it printed, else the signal that ended it
    bool printed = false;
  };
  /// Closes its input and waits for its end.
  Ending finish();

 private:
  int wait();
  int input_ = -1;     // a socket
  int messages_ = -1;  // what it prints, a file in memory
  ProcessId process_ = -1;
};

/// Ctrl+C and the request to end call `handle` with the seconds of a steady clock, in a signal
/// handler. When it returns true, the signal ends the process.
void onInterrupt(bool (*handle)(double seconds));

/// Writing to a pipe that nobody reads is an error from now on, and does not end the process.
void outliveClosedPipes();

/// While one lives, libraries may take over what happens in a crash; then it is as before.
class CrashHandlersKept {
 public:
  CrashHandlersKept();
  ~CrashHandlersKept();

 private:
  struct Handlers;
  std::unique_ptr<Handlers> before_;
};

}  // namespace fathom::system
