// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM, and the four signals of a crash.
#include "app/system/signals.h"

#include <signal.h>

namespace fathom::system {
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
}

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
