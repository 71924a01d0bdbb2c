// SPDX-License-Identifier: BSD-3-Clause
// Phases under a lock, and the level of messages.
#include "app/engine/core/progress.h"

#include "app/engine/core/text.h"

namespace fathom {

struct Progress::Shared {
  mutable std::mutex mutex;
  std::condition_variable answered;
  std::string phase, question;
  std::optional<bool> answer;
  std::atomic<bool> someoneAnswers{false};
};

Progress::Progress() : shared_(std::make_unique<Shared>()) {}
Progress::~Progress() = default;

void Progress::begin(std::string phase, double total) {
  const std::lock_guard lock(shared_->mutex);
  shared_->phase = std::move(phase);
  total_ = total;
  done_ = 0;
}

void Progress::advance(double units) {
  double done = done_.load();
  while (!done_.compare_exchange_weak(done, done + units)) {
  }
  throwIfCancelled();
}

bool Progress::confirm(const std::string& question) {
  Shared& s = *shared_;
  if (!s.someoneAnswers) return true;
  std::unique_lock lock(s.mutex);
  s.question = question;
  s.answer.reset();
  while (!s.answer) {
    throwIfCancelled();
    s.answered.wait_for(lock, std::chrono::milliseconds(50));
  }
  s.question.clear();
  return *s.answer;
}

void Progress::answerQuestions() { shared_->someoneAnswers = true; }

std::string Progress::question() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->question;
}

void Progress::answer(bool yes) {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->answer = yes;
  }
  shared_->answered.notify_all();
}

std::string Progress::phase() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->phase;
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
  line(level, prefix + text);
}

}  // namespace fathom::log
