// SPDX-License-Identifier: BSD-3-Clause
// The progress line, drawn by a thread of its own a few times a second. What a phase says behind
// " · " may change while it goes on: its rate and time left are those of the phase.
#include "app/cli/progress_line.h"

#include "app/cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace fathom::commands {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kInterval = std::chrono::milliseconds(200);

std::string amount(double value) {
  if (value >= 1e9) return fmt::format("{:.1f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.1f} ", value);
}

}  // namespace

std::string progressText(const std::string& phase, double done, double total, double seconds) {
  if (total <= 0) return fmt::format("{}, {:.0f} s", phase, seconds);
  std::string text = fmt::format("{} {:.0f} %", phase, 100 * std::min(1.0, done / total));
  if (seconds < 0.5 || done <= 0) return text;
  const double rate = done / seconds;
  return text +
         fmt::format(", {}/s, {:.0f} s left", amount(rate), std::max(0.0, total - done) / rate);
}

ProgressLine::ProgressLine(const Progress& progress, bool shown)
    : progress_(progress), host_(CommandHost::ofThread()) {
  if (host_)
    host_->watch(&progress);
  else if (shown && isatty(STDERR_FILENO))
    thread_ = std::thread([this] { loop(); });
}

ProgressLine::~ProgressLine() {
  if (host_) host_->watch(nullptr);
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ProgressLine::loop() {
  std::string phase;
  Clock::time_point begin = Clock::now();
  bool drawn = false;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kInterval, [this] { return stopping_; })) {
    const std::string text = progress_.phase(), now = text.substr(0, text.find(" · "));
    if (now != phase) phase = now, begin = Clock::now();
    if (phase.empty()) continue;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    // Back to the start of the line, and clear what a longer line left behind.
    std::fprintf(stderr, "\r\033[K%s",
                 progressText(text, progress_.done(), progress_.total(), seconds).c_str());
    std::fflush(stderr);
    drawn = true;
  }
  if (drawn) std::fprintf(stderr, "\r\033[K");
}

}  // namespace fathom::commands
