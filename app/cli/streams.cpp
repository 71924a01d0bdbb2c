// SPDX-License-Identifier: BSD-3-Clause
// A folder of its own for each run, gone when it ends.
#include "app/cli/streams.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/system/machine.h"
#include "app/system/process.h"

#include <iostream>

namespace fathom::commands {
namespace {

void copyInput(const fs::path& to) {
  AtomicFile file(to);
  std::vector<std::byte> block(1 << 20);
  std::size_t all = 0;
  while (const std::size_t count = system::readInput(block, Progress::interrupted)) {
    file.append(std::span(block).first(count));
    all += count;
  }
  if (Progress::interrupted()) throw Cancelled();
  if (all == 0) fail("standard input: expected a file, found nothing");
  file.commit();
}

void copyOutput(const fs::path& from) {
  std::ifstream in(from, std::ios::binary);
  std::cout << in.rdbuf() << std::flush;
  if (!std::cout) fail("standard output: expected room to write, found a closed one");
}

}  // namespace

StandardStreams::StandardStreams(const std::vector<std::string>& inputs, const std::string& output,
                                 const Command& command)
    : inputs_(inputs), output_(output) {
  const auto count = std::count(inputs.begin(), inputs.end(), "-");
  if (count > 1) throw UsageError("expected standard input as one of the inputs, found it twice");
  if (count == 0 && output != "-") return;
  system::outliveClosedPipes();  // or the folder would stay
  folder_.emplace("fathom");
  if (count == 1) {
    inputFile_ = (folder_->path() / "standard-input").string();
    copyInput(inputFile_);
    std::replace(inputs_.begin(), inputs_.end(), std::string("-"), inputFile_);
  }
  if (output == "-") {
    const std::string ending = command.output.endings.empty() ? "" : command.output.endings[0];
    output_ = outputFile_ = (folder_->path() / ("output" + ending)).string();
  }
}

void StandardStreams::run(const std::function<void()>& command) {
  try {
    command();
  } catch (const UsageError&) {
    throw;
  } catch (const NoDeviceError&) {
    throw;
  } catch (const NotBuiltError&) {
    throw;
  } catch (const Error& error) {
    std::string text = error.what();
    const std::size_t at = inputFile_.empty() ? std::string::npos : text.find(inputFile_);
    if (at == std::string::npos) throw;
    throw Error(text.replace(at, inputFile_.size(), "standard input"));
  }
  if (writesOutput()) copyOutput(outputFile_);
}

// ---- The progress line

// The progress line, drawn by a thread of its own a few times a second. What a phase says behind
// " · " may change while it goes on: its rate and time left are those of the phase.
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
  else if (shown && system::isTerminal(stderr))
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
