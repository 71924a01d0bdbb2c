// SPDX-License-Identifier: BSD-3-Clause
// Which frames there are, which are missing, and one after the other.
#include "app/commands/sequence_run.h"

#include "app/commands/common_options.h"
#include "app/core/launch.h"
#include "app/core/log.h"
#include "app/io/frame_sequence.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace fathom::commands {
namespace {

namespace fs = std::filesystem;

/// What one run of the command reads and writes.
struct FrameRun {
  std::string name;  // "1001", "1001 left"
  std::vector<std::string> inputs;
  std::string output;
};

std::vector<std::string> viewsOf(const CommandContext& context) {
  bool hasView = FramePattern::hasView(context.output);
  for (const std::string& input : context.inputs) hasView = hasView || FramePattern::hasView(input);
  std::vector<std::string> views;
  const std::string& text = context.text("views");
  for (std::size_t at = 0; hasView && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) views.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  if (views.empty()) views.push_back("");
  return views;
}

/// The frames to do: as told, else all that any input has.
std::vector<int> framesOf(const CommandContext& context, const std::string& view) {
  if (context.given("frames")) return parseFrames(context.text("frames"));
  std::set<int> frames;
  for (const std::string& input : context.inputs)
    if (const auto pattern = FramePattern::of(FramePattern::withView(input, view)))
      for (const int frame : pattern->found()) frames.insert(frame);
  if (frames.empty())
    fail("{}: expected files of a sequence, found none", context.inputs[0]);
  return {frames.begin(), frames.end()};
}

std::string fileOf(const std::string& input) {
  std::error_code error;
  const std::size_t mark = input.rfind('#');
  return mark == std::string::npos || fs::exists(input, error) ? input : input.substr(0, mark);
}

/// The input at a frame. Where its file is missing: an Error, nothing (skip), or the nearest frame
/// before it that is there (hold).
std::optional<std::string> inputAt(const std::string& name, int frame, const std::string& missing) {
  const auto pattern = FramePattern::of(name);
  if (!pattern) return name;
  std::error_code error;
  const std::string input = pattern->at(frame);
  if (fs::exists(fileOf(input), error)) return input;
  if (missing == "skip") return std::nullopt;
  if (missing == "hold") {
    const std::vector<int> found = pattern->found();
    const auto after = std::upper_bound(found.begin(), found.end(), frame);
    if (after != found.begin()) return pattern->at(*(after - 1));
  }
  fail("{}: expected a file for frame {}, found none", input, frame);
}

std::string outputAt(const std::string& name, int frame) {
  const auto pattern = FramePattern::of(name);
  if (pattern) return pattern->at(frame);
  // A file of the literal name does not make it a name for all frames.
  throw UsageError(fmt::format(
      "--output: expected a place for the frame, like out.####.exr, found \"{}\"", name));
}

bool isNewer(const FrameRun& run) {
  std::error_code error;
  const auto made = fs::last_write_time(run.output, error);
  if (error) return false;
  return std::all_of(run.inputs.begin(), run.inputs.end(), [&](const std::string& input) {
    const auto changed = fs::last_write_time(fileOf(input), error);
    return error || changed <= made;
  });
}

/// Each frame by itself: what one did must not show in the next one's record.
class FrameRuns {
 public:
  FrameRuns(const Command& command, CommandContext& context)
      : command_(command), context_(context), inputs_(context.inputs), output_(context.output) {
    all_ = context.record;
  }

  void run(int frame, const std::string& view, bool numbered) {
    FrameRun one;
    one.name = numbered ? std::to_string(frame) : "";
    if (!view.empty()) one.name += (one.name.empty() ? "" : " ") + view;
    try {
      if (!prepare(one, frame, view, numbered)) return;
      context_.inputs = one.inputs, context_.output = one.output;
      context_.record = RunRecord();
      command_.run(context_);
      context_.progress.throwIfCancelled();
      ++done;
      collect(one.name);
    } catch (const Cancelled&) {
      throw;
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      ++failed;
      log::line(log::Level::Quiet, fmt::format("fathom: frame {}: {}", one.name, error.what()));
    }
  }
  void finish() {
    all_.set("frames", std::int64_t(done));
    all_.set("frames_skipped", std::int64_t(skipped));
    all_.set("frames_failed", std::int64_t(failed));
    context_.record = std::move(all_);
    context_.inputs = inputs_, context_.output = output_;
  }
  int done = 0, skipped = 0, failed = 0;

 private:
  /// False when there is nothing to do.
  bool prepare(FrameRun& one, int frame, const std::string& view, bool numbered) {
    if (!output_.empty()) {
      const std::string name = FramePattern::withView(output_, view);
      one.output = numbered ? outputAt(name, frame) : name;
    }
    for (const std::string& input : inputs_) {
      const auto file =
          inputAt(FramePattern::withView(input, view), frame, context_.text("missing"));
      if (!file) {
        ++skipped;
        log::warn("frame {}: {} is missing, skipped", one.name, input);
        return false;
      }
      one.inputs.push_back(*file);
    }
    if (context_.on("resume") && !one.output.empty() && isNewer(one)) {
      ++skipped;
      return false;
    }
    return true;
  }
  void collect(const std::string& name) {
    for (const auto& [phase, ms] : context_.record.phasesMs) all_.addPhase(phase, ms);
    all_.size = context_.record.size;
    for (const auto& [key, value] : context_.record.result) all_.set(name + " " + key, value);
  }

  const Command& command_;
  CommandContext& context_;
  std::vector<std::string> inputs_;
  std::string output_;
  RunRecord all_;
};

}  // namespace

const std::vector<CommandFlag>& sequenceFlags() {
  static const std::vector<CommandFlag> flags{
      {"frames", "LIST",
       "Frames of inputs like a.%04d.exr, a.####.exr or a.@@@@.exr: 1001-1100x2,1200. Not given: all "
       "that are there.",
       "", false},
      {"missing", "error|skip|hold", "Frames whose file is missing; hold: the one before it.",
       "error", false},
      {"views", "LIST", "What %V in names stands for.", "left,right", false},
      {"resume", "", "Pass over frames whose output is there and newer than its inputs.", "off",
       false}};
  return flags;
}

bool namesSequence(const std::vector<std::string>& inputs, const std::string& output) {
  const auto isPattern = [](const std::string& name) {
    return FramePattern::of(name).has_value() || FramePattern::hasView(name);
  };
  return std::any_of(inputs.begin(), inputs.end(), isPattern) ||
         (!inputs.empty() && isPattern(output));
}

int runSequence(const Command& command, CommandContext& context) {
  const std::string& missing = context.text("missing");
  if (missing != "error" && missing != "skip" && missing != "hold")
    throw UsageError(
        fmt::format("--missing: expected error, skip or hold, found \"{}\"", missing));
  const std::vector<std::string> views = viewsOf(context);
  FrameRuns runs(command, context);
  const int rank = launchRank().value_or(0), ranks = std::max(1, launchSize());
  int number = 0;
  for (const std::string& view : views) {
    bool numbered = false;
    for (const std::string& input : context.inputs)
      numbered = numbered || FramePattern::of(FramePattern::withView(input, view)).has_value();
    numbered = numbered || FramePattern::of(FramePattern::withView(context.output, view));
    const std::vector<std::string> inputs = context.inputs;
    const std::string output = context.output;
    const std::vector<int> frames = numbered ? framesOf(context, view) : std::vector<int>{0};
    for (const int frame : frames) {
      if (number++ % ranks != rank) continue;
      runs.run(frame, view, numbered);
      context.inputs = inputs, context.output = output;
    }
  }
  runs.finish();
  context.print(fmt::format("{} frames done, {} skipped, {} failed", runs.done, runs.skipped,
                            runs.failed));
  return runs.failed > 0 ? 1 : context.exitCode;
}

}  // namespace fathom::commands
