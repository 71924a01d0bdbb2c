// SPDX-License-Identifier: BSD-3-Clause
// Phases under a lock, and the level of messages.
#include "app/engine/core/progress.h"

#include "app/engine/core/text.h"

namespace fathom {

void Progress::begin(std::string phase, double total) {
  const std::lock_guard lock(mutex_);
  phase_ = std::move(phase);
  total_ = total;
  done_ = 0;
}

void Progress::advance(double units) {
  done_ += units;
  throwIfCancelled();
}

bool Progress::confirm(const std::string& question) {
  if (!someoneAnswers_) return true;
  std::unique_lock lock(mutex_);
  question_ = question;
  answer_.reset();
  while (!answer_) {
    throwIfCancelled();
    answered_.wait_for(lock, std::chrono::milliseconds(50));
  }
  question_.clear();
  return *answer_;
}

std::string Progress::question() const {
  const std::lock_guard lock(mutex_);
  return question_;
}

void Progress::answer(bool yes) {
  {
    const std::lock_guard lock(mutex_);
    answer_ = yes;
  }
  answered_.notify_all();
}

std::string Progress::phase() const {
  const std::lock_guard lock(mutex_);
  return phase_;
}

double Progress::fraction() const {
  const double total = total_;
  return total > 0 ? std::min(1.0, done_ / total) : 0.0;
}

}  // namespace fathom

namespace fathom::log {
namespace {
std::atomic<Level> current{Level::Normal};
void (*sink)(const std::string& warning) = nullptr;
}  // namespace

void setSink(void (*to)(const std::string& warning)) { sink = to; }

void setLevel(Level level) { current = level; }
Level level() { return current; }

void line(Level level, const std::string& text) {
  if (level <= current) std::fprintf(stderr, "%s\n", printable(text).c_str());
}

void detail::formatLine(Level level, const char* prefix, fmt::string_view format,
                        fmt::format_args args) {
  if (level > current) return;
  const std::string text = fmt::vformat(format, args);
  if (sink && level == Level::Normal) return sink(text);
  static std::mutex mutex;
  static std::set<std::string> said;  // what holds for all frames of a sequence is said once
  {
    const std::lock_guard lock(mutex);
    if (level == Level::Normal && !said.insert(text).second) return;
  }
  line(level, prefix + text);
}

}  // namespace fathom::log
