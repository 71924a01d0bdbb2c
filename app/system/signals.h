// SPDX-License-Identifier: BSD-3-Clause
// Ctrl+C and the request to end, and what happens in a crash.
#pragma once

namespace fathom::system {

/// Ctrl+C and the request to end call `handle` with the seconds of a steady clock, in a signal
/// handler. When it returns true, the signal ends the process.
void onInterrupt(bool (*handle)(double seconds));

/// While one lives, libraries may take over what happens in a crash; then it is as before.
class CrashHandlersKept {
 public:
  CrashHandlersKept();
  ~CrashHandlersKept();
  CrashHandlersKept(const CrashHandlersKept&) = delete;
  CrashHandlersKept& operator=(const CrashHandlersKept&) = delete;

 private:
  struct Handlers;
  std::unique_ptr<Handlers> before_;
};

}  // namespace fathom::system
