// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of the techniques from their tables: once, or once per frame of a sequence.
#include "app/cli/command.h"
#include "app/cli/flags.h"
#include "app/cli/streams.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/launch.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"
#include "app/engine/scene/load_scene.h"

#include <CLI/CLI.hpp>

namespace fathom {

const std::vector<Command>& commandsOf(const std::string& technique) {
  static const std::vector<Command> none;
  if (technique == "deep") return deep::commands();
  if (technique == "dof") return dof::commands();
  if (technique == "flame") return flame::commands();
  if (technique == "smoe") return smoe::commands();
  if (technique == "active-pixel") return active_pixel::commands();
  return none;
}

}  // namespace fathom

namespace fathom::commands {
namespace {

// ---- Once per frame

// Inputs and output are names with a frame number or a view in them. The device, its programs and
// the settings stay from frame to frame.

std::vector<std::string> viewsOf(const CommandContext& context) {
  std::vector<std::string> views;
  if (FramePattern::hasView(context.output) ||
      std::ranges::any_of(context.inputs, FramePattern::hasView))
    views = splitAt(context.text("views"), ',');
  std::erase(views, "");
  if (views.empty()) views.push_back("");
  return views;
}

/// A number per input, with commas; those that are left out are `usual`.
template <class Number>
std::vector<Number> perInput(const CommandContext& context, const std::string& flag, Number usual,
                             const std::string& expected) {
  std::vector<Number> numbers;
  const std::string& text = context.text(flag);
  for (const std::string& part : splitAt(text, ',')) {
    const auto number = part.empty() ? std::optional(usual) : numberIn<Number>(part);
    if (!number || !(std::abs(double(*number)) <= 1e9))
      failUsage("--{}: expected {} with commas, found \"{}\"", flag, expected, text);
    numbers.push_back(*number);
  }
  return numbers;
}

/// What the inputs of a sequence say of the frames of their files.
class FrameTimes {
 public:
  FrameTimes(const CommandContext& context, std::size_t inputs)
      : offsets_(perInput(context, "frame-offsets", 0, "whole numbers")),
        speeds_(perInput(context, "retime", 1.0, "numbers")) {
    for (const auto& [flag, count] :
         {std::pair("frame-offsets", offsets_.size()), std::pair("retime", speeds_.size())})
      if (count > inputs)
        failUsage("--{}: expected at most {} values, one per input, found {}", flag, inputs, count);
    offsets_.resize(inputs, 0), speeds_.resize(inputs, 1);
    if (!context.given("retime")) return;
    if (!context.given("frames")) throw UsageError("--retime: expected --frames, found none");
    first_ = parseFrames(context.text("frames")).front();
  }
  int offset(std::size_t input) const { return offsets_[input]; }
  /// The number of an input's file at a frame.
  int fileAt(std::size_t input, int frame) const {
    const double at = first_ + (double(frame) - first_) * speeds_[input];
    return int(std::clamp(std::round(at), -1e9, 1e9)) - offsets_[input];
  }

 private:
  std::vector<int> offsets_;
  std::vector<double> speeds_;
  int first_ = 0;  // where all speeds begin
};

/// The frames to do: as told, else those that names of inputs and output list, else the command's
/// own, else all that any input has. What the command reads its own from is checked in any case:
/// once, not with each frame.
std::vector<int> framesOf(const Command& command, const CommandContext& context,
                          const std::string& view) {
  const std::vector<int> own = command.ownFrames ? command.ownFrames(context) : std::vector<int>();
  const bool told = context.given("frames");
  std::set<int> found, listed;
  std::string lister;  // the last name with a list
  const FrameTimes times(context, context.inputs.size());
  for (std::size_t i = 0; i <= context.inputs.size(); ++i) {
    const bool isInput = i < context.inputs.size();
    const std::string& name = isInput ? context.inputs[i] : context.output;
    const auto pattern = FramePattern::of(FramePattern::withView(name, view));
    if (!pattern || (!pattern->listsFrames() && (told || !isInput))) continue;
    std::set<int> frames;
    for (const int frame : pattern->frames())
      frames.insert(frame + (isInput ? times.offset(i) : 0));
    if (!pattern->listsFrames()) {
      found.merge(frames);
    } else if (!isInput || !context.given("retime")) {  // else they are files, not frames
      if (!lister.empty() && frames != listed)
        failUsage("{}: expected the frames of {}, found others", name, lister);
      lister = name, listed = std::move(frames);
    }
  }
  if (told) {
    const std::vector<int> frames = parseFrames(context.text("frames"));
    for (const int frame : frames)
      if (!lister.empty() && !listed.contains(frame))
        failUsage("--frames: expected frames of {}, found {}", lister, frame);
    return frames;
  }
  if (!lister.empty()) return {listed.begin(), listed.end()};
  if (!own.empty()) return own;
  if (found.empty()) {
    const std::string name = FramePattern::withView(context.inputs[0], view);
    if (!FramePattern::of(name))
      failUsage("{}: expected --frames, as no input says which frames there are", context.output);
    fail("{}: expected files of a sequence, found none", name);
  }
  // Every second frame is no gap, one that is missing among its neighbors is.
  std::map<int, int> firstWith;  // distance to the next frame
  for (auto at = found.begin(); std::next(at) != found.end(); ++at)
    firstWith.emplace(*std::next(at) - *at, *at);
  if (firstWith.size() > 1 && context.text("missing") == "hold")
    for (const int frame : parseFrames(
             fmt::format("{}-{}x{}", *found.begin(), *found.rbegin(), firstWith.begin()->first)))
      found.insert(frame);
  else if (firstWith.size() > 1)
    log::warn("{}: no frame {}; --frames says which there are to be", context.inputs[0],
              std::next(firstWith.begin())->second + firstWith.begin()->first);
  return {found.begin(), found.end()};
}

/// The input at a frame. Where its file is missing: an Error, nothing (skip), or the nearest frame
/// before it that is there (hold).
std::optional<std::string> inputAt(const std::string& name, int frame, const std::string& missing) {
  const auto pattern = FramePattern::of(name);
  if (!pattern) return name;
  std::error_code error;
  const std::string input = pattern->at(frame);
  if (fs::exists(splitPart(input).first, error)) return input;
  if (missing == "skip") return std::nullopt;
  if (missing == "hold") {
    const std::vector<int> found = pattern->found();
    const auto after = std::ranges::upper_bound(found, frame);
    if (after != found.begin()) return pattern->at(*(after - 1));
  }
  fail("{}: expected a file for frame {}, found none", input, frame);
}

/// Of a file that has its views as parts, the one that is asked for.
std::string partOfView(const std::string& input, const std::string& view) {
  const auto [path, part] = splitPart(input);
  if (view.empty() || !part.empty() || (endingOf(path) != ".exr" && !isPackedName(path)))
    return input;
  std::string found;
  for (const ExrPartInfo& own : exrParts(path)) {
    if (own.view == view) return input + "#" + view;
    if (!own.view.empty()) found += (found.empty() ? "" : ", ") + own.view;
  }
  if (!found.empty()) fail("{}: expected a part of the view {}, found {}", input, view, found);
  return input;
}

/// A frame of a view; `numbered` false: the view alone.
struct FrameTask {
  int frame = 0;
  std::string view;
  bool numbered = false;
  std::string name() const {  // "1001", "1001 left"
    std::string text = numbered ? std::to_string(frame) : "";
    return view.empty() ? text : text + (text.empty() ? "" : " ") + view;
  }
};

/// Each frame by itself: what one did must not show in the next one's record.
class FrameRuns {
 public:
  FrameRuns(const Command& command, CommandContext& context, std::vector<FrameTask> tasks,
            Progress& whole)
      : command_(command),
        context_(context),
        inputs_(context.inputs),
        output_(context.output),
        tasks_(std::move(tasks)),
        records_(tasks_.size()),
        whole_(whole) {
    all_ = context.record;
    whole_.begin("frames", double(tasks_.size()));
  }

  /// All of them, with `others` beside the command's own context.
  void runAll(std::vector<std::unique_ptr<CommandContext>> others) {
    std::vector<std::thread> threads;
    for (std::unique_ptr<CommandContext>& other : others)
      threads.emplace_back([this, own = std::move(other)]() mutable {
        work(*own);
        own.reset();  // its device belongs to this thread
      });
    work(context_);
    for (std::thread& thread : threads) thread.join();
    if (stopped_) std::rethrow_exception(stopped_);
  }
  void finish() {
    std::vector<RunRecord::Row> frames;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const RunRecord& record = records_[i];
      RunRecord::Row& row = frames.emplace_back(record.result);
      if (!tasks_[i].view.empty()) row.insert(row.begin(), {"view", tasks_[i].view});
      if (tasks_[i].numbered) row.insert(row.begin(), {"frame", std::int64_t(tasks_[i].frame)});
      for (const auto& [phase, ms] : record.phasesMs) all_.addPhase(phase, ms);
      if (record.size) all_.size = record.size;
      for (const auto& [key, value] : record.result)
        if (key != "status" && key != "error") all_.set(tasks_[i].name() + " " + key, value);
      for (const auto& [key, rows] : record.lists)
        all_.lists.emplace_back(tasks_[i].name() + " " + key, rows);
    }
    all_.lists.emplace_back("frame_list", std::move(frames));
    all_.set("frames", std::int64_t(done));
    all_.set("frames_skipped", std::int64_t(skipped));
    all_.set("frames_failed", std::int64_t(failed));
    context_.record = std::move(all_);
    context_.inputs = inputs_, context_.output = output_;
  }
  std::atomic<int> done = 0, skipped = 0, failed = 0;
  std::atomic<int> exitCode = 0;  // the largest of frames that came to their end

 private:
  /// Takes one frame after the other until none is left, or one cannot go on at all.
  void work(CommandContext& context) {
    try {
      for (std::size_t i = next_++; i < tasks_.size() && !stop_; i = next_++) {
        run(i, context);
        whole_.advance(1);
      }
    } catch (...) {
      const std::lock_guard lock(stopping_);
      stop_ = true;
      if (!stopped_) stopped_ = std::current_exception();
    }
  }
  void run(std::size_t i, CommandContext& context) {
    try {
      if (!prepare(context, tasks_[i])) return records_[i].set("status", std::string("skipped"));
      context.frame = tasks_[i].numbered ? std::optional(tasks_[i].frame) : std::nullopt;
      context.record = RunRecord();
      context.record.command = all_.command;
      command_.run(context);
      context.progress.throwIfCancelled();
      ++done;
      for (int before = exitCode; before < context.exitCode;)
        if (exitCode.compare_exchange_weak(before, context.exitCode)) break;
      records_[i] = context.record;
      records_[i].set("status", std::string("done"));
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      ++failed;
      records_[i].set("status", std::string("failed"));
      records_[i].set("error", std::string(error.what()));
      log::line(log::Level::Quiet,
                fmt::format("fathom: frame {}: {}", tasks_[i].name(), error.what()));
    }
  }
  /// False when there is nothing to do.
  bool prepare(CommandContext& context, const FrameTask& task) {
    context.inputs.clear();
    if (!output_.empty()) {
      if (tasks_.front().view != tasks_.back().view && !FramePattern::hasView(output_))
        throw UsageError("--output: expected a place for the view, like out.%V.exr, found " +
                         output_);
      const std::string name = FramePattern::withView(output_, task.view);
      const auto pattern = FramePattern::of(name);  // a file of the literal name makes it none
      if (task.numbered && !pattern)
        failUsage("--output: expected a place for the frame, like out.####.exr, found \"{}\"",
                  name);
      context.output = task.numbered ? pattern->at(task.frame) : name;
    }
    const FrameTimes times(context_, inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const std::string& input = inputs_[i];
      const std::string name = FramePattern::withView(input, task.view);
      // Another frame may need it.
      if (const auto same = inputAt(name, task.frame, "skip"))
        refuseInput("--output", context.output, {*same});
      const auto file = inputAt(name, times.fileAt(i, task.frame), context_.text("missing"));
      if (!file) {
        ++skipped;
        log::warn("frame {}: {} is missing, skipped", task.name(), input);
        return false;
      }
      context.inputs.push_back(FramePattern::hasView(input) ? *file : partOfView(*file, task.view));
    }
    if (context_.on("resume") && !output_.empty() && isDone(context, task)) {
      ++skipped;
      return false;
    }
    return true;
  }

  /// Every output is there, and no file that the command line names is younger.
  bool isDone(CommandContext& context, const FrameTask& task) const {
    std::vector<std::string> sources = context.inputs;
    const auto addNamed = [&](std::string text) {
      std::ranges::replace(text, ';', ' ');
      for (const std::string& word : splitAt(text, ' '))                         // of steps, too
        for (const std::string& name : {word, word.substr(0, word.rfind(':'))})  // FILE:CHANNEL
          if (std::error_code none; !name.empty() && fs::is_regular_file(name, none))
            sources.push_back(name);
    };
    for (const CommandFlag& flag : command_.flags) {
      const std::string& text = context.text(flag.name);
      if (!flag.writes) addNamed(text);
      const auto pattern = FramePattern::of(text);
      if (flag.writes && !text.empty() && !isUpToDate(pattern ? pattern->at(task.frame) : text, {}))
        return false;
    }
    for (const FieldValue& value : valuesOf(context.technique().settings())) addNamed(value.text);
    return isUpToDate(context.output, sources);
  }

  const Command& command_;
  CommandContext& context_;
  std::vector<std::string> inputs_;
  std::string output_;
  std::vector<FrameTask> tasks_;
  std::vector<RunRecord> records_;
  Progress& whole_;
  RunRecord all_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex stopping_;
  std::exception_ptr stopped_;
};

/// The frames of this rank.
std::vector<FrameTask> tasksOf(const Command& command, const CommandContext& context) {
  const int rank = launchRank().value_or(0), ranks = std::max(1, launchSize());
  std::vector<FrameTask> tasks;
  int number = 0;
  for (const std::string& view : viewsOf(context)) {
    bool numbered = FramePattern::of(FramePattern::withView(context.output, view)).has_value();
    for (const std::string& input : context.inputs)
      numbered = numbered || FramePattern::of(FramePattern::withView(input, view)).has_value();
    for (const int frame : numbered ? framesOf(command, context, view) : std::vector<int>{0})
      if (number++ % ranks == rank) tasks.push_back({frame, view, numbered});
  }
  return tasks;
}

/// The inputs of the first frame that is there, whichever are asked for: the same for a machine
/// that renders a few of them. None is there: nothing.
std::vector<std::string> firstInputs(const CommandContext& context) {
  std::set<int> frames;
  std::vector<std::string> names;
  for (const std::string& input : context.inputs) {
    names.push_back(FramePattern::withView(input, viewsOf(context).front()));
    if (const auto pattern = FramePattern::of(names.back()))
      for (const int frame : pattern->found()) frames.insert(frame);
  }
  if (frames.empty()) frames.insert(0);
  for (const int frame : frames) {
    std::vector<std::string> inputs;
    for (const std::string& name : names)
      if (const auto input = inputAt(name, frame, "skip")) inputs.push_back(*input);
    if (inputs.size() == names.size()) return inputs;
  }
  return {};
}

/// Frames at once: as told, else one per four cores, as far as memory allows. A frame is taken to
/// need its inputs four times and half a GiB.
int jobsFor(const CommandContext& context, const std::vector<FrameTask>& tasks) {
  const int jobs = context.number("jobs", 0, 64);
  if (CommandHost::ofThread() || tasks.size() < 2) return 1;  // the host lends one device
  if (jobs > 0) return std::min(jobs, int(tasks.size()));
  if (launchSize() > 1) return 1;  // the other ranks have the other cores
  std::uint64_t bytes = std::uint64_t(1) << 29;
  for (const std::string& input : context.inputs) {
    const auto pattern = FramePattern::of(FramePattern::withView(input, tasks[0].view));
    std::error_code missing;
    const auto size =
        fs::file_size(splitPart(pattern ? pattern->at(tasks[0].frame) : input).first, missing);
    if (!missing) bytes += 4 * size;
  }
  constexpr std::uint64_t kMaxAtOnce = 4;
  const std::uint64_t room = std::min({deepMemoryBudget() / bytes, std::uint64_t(threadCount() / 4),
                                       kMaxAtOnce, std::uint64_t(tasks.size())});
  return std::max(1, int(room));
}

/// The flags that commands with sequences have besides their own.
const std::vector<CommandFlag>& sequenceFlags() {
  static const std::vector<CommandFlag> flags{
      {"frames", "LIST",
       "Frames of inputs like a.%04d.exr, a.####.exr or a.@@@@.exr: 1001-1100x2,1200; default: all "
       "on disk, or those in a name like a.1001-1100#.exr."},
      {"frame-offsets", "LIST",
       "Per input: added to the frame numbers of its files, like 0,-1000."},
      {"retime", "LIST",
       "Per input: speed of its frames from the first of --frames on, like 0.5,-1; the nearest "
       "frame is taken."},
      {"missing", "error|skip|hold", "When a file is missing; hold: repeat the previous frame.",
       "error"},
      {"views", "LIST", "View names for %V.", "left,right"},
      {"jobs", "N",
       "Frames to process at once; 0: automatic, one per four cores, four at most, as memory "
       "allows.",
       "0"},
      {"resume", "", "Skip frames with up-to-date output.", "off"}};
  return flags;
}

/// One of the inputs or the output has a place for a frame or a view.
bool namesSequence(const std::vector<std::string>& inputs, const std::string& output) {
  const auto isPattern = [](const std::string& name) {
    return FramePattern::of(name).has_value() || FramePattern::hasView(name);
  };
  return std::ranges::any_of(inputs, isPattern) || (!inputs.empty() && isPattern(output));
}

/// Makes what one more frame at once runs in, with the flags and settings of the command line.
using ContextMaker = std::function<std::unique_ptr<CommandContext>()>;

/// Runs `command` for every frame of `context.inputs`, as the flags say, several at once where the
/// machine has room for them; under mpirun those of this rank. A frame that fails is named, the
/// others are done. `whole` counts frames. Returns the exit code.
int runSequence(const Command& command, CommandContext& context, const ContextMaker& another,
                Progress& whole) {
  wordIndex("--missing", context.text("missing"), {"error", "skip", "hold"});
  std::vector<FrameTask> tasks = tasksOf(command, context);
  context.firstInputs = firstInputs(context);
  std::vector<std::unique_ptr<CommandContext>> others;
  for (int i = 1, jobs = jobsFor(context, tasks); i < jobs; ++i) {
    others.push_back(another());
    others.back()->firstInputs = context.firstInputs;
  }
  FrameRuns runs(command, context, std::move(tasks), whole);
  runs.runAll(std::move(others));
  runs.finish();
  context.print(fmt::format("{} frames done, {} skipped, {} failed", runs.done.load(),
                            runs.skipped.load(), runs.failed.load()));
  return runs.failed > 0 ? 1 : runs.exitCode.load();
}

// ---- A command of the table

/// What a parsed command line leaves; lives as long as the action.
struct Call {
  std::unique_ptr<Engine> technique;
  CliFlags settings;
  std::vector<std::string> inputs;
  std::map<std::string, std::string> texts;
  std::map<std::string, CLI::Option*> options;
};

std::vector<CommandFlag> allFlagsOf(const Command& command) {
  std::vector<CommandFlag> flags = command.flags;
  if (command.sequences) flags.insert(flags.end(), sequenceFlags().begin(), sequenceFlags().end());
  return flags;
}

void declareFlags(CLI::App& app, const Command& command, Call& call) {
  for (const CommandFlag& flag : allFlagsOf(command)) {
    std::string& text = call.texts[flag.name];
    CLI::Option* const option =
        flag.valueName.empty()
            ? app.add_flag("--" + flag.name, flag.help)
            : app.add_option("--" + flag.name, text, flag.help)->type_name(flag.valueName);
    if (!flag.fallback.empty()) option->default_str(flag.fallback);
    if (flag.required) option->required();
    call.options[flag.name] = option;
  }
}

/// What the command takes, from its help, to stand in a sentence: "deep EXR files, or one scene".
std::string wantedBy(const CommandInputs& inputs) {
  std::string text = inputs.help.substr(0, inputs.help.find(" ("));
  if (text.ends_with('.')) text.pop_back();
  text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

void checkInputs(const CommandInputs& wanted, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    if ((input == "on" || input == "off") && !fs::exists(input))
      failUsage("expected an input, found \"{0}\"; switches take =, like --stream={0}", input);
  const std::size_t count = inputs.size();
  if (int(count) < wanted.minCount || (wanted.maxCount >= 0 && int(count) > wanted.maxCount))
    failUsage("expected {}{}; found {} input{}", wanted.maxCount == 1 ? "one input, " : "",
              wantedBy(wanted), count, count == 1 ? "" : "s");
}

/// Mistakes that each reader would explain in the terms of its own format.
void checkInput(const CommandInputs& wanted, const std::string& input) {
  if (input == "-" || isSceneSpec(input) || FramePattern::of(input) || FramePattern::hasView(input))
    return;
  const std::string file = splitPart(input).first;
  std::error_code error;
  if (!fs::exists(file, error)) {
    std::vector<std::string> scenes;
    for (const SceneInfo& scene : builtInScenes()) scenes.push_back(scene.name);
    const bool isWord = file.find_first_of("./") == std::string::npos;
    const std::string nearest = isWord ? nearestName(file, scenes) : "";
    fail("{}: no such file{}{}", input, isWord ? " or scene" : "",
         nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest));
  }
  if (wanted.images || !fs::is_regular_file(file, error)) return;
  if (const FileKind kind = kindOf(file); isPlainPicture(kind))
    fail("{}: expected {}, found a {} image", input, wantedBy(wanted), nameOf(kind));
}

/// Settings that were changed and change nothing, with the reason.
void warnOfIdle(const TechniqueEntry& entry, const Command& command, Engine& technique) {
  const std::vector<FieldRow> defaults = rowsOf(entry.settings());
  const std::vector<FieldRow> rows = rowsOf(technique.settings());
  for (const FieldRow& row : rows)  // a lens file has settings, too
    if (row.info.name == "lens" && !row.current.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FieldInfo& info = rows[i].info;
    if (rows[i].current == defaults[i].current) continue;
    const bool ofFits = info.editedOn == "fit" && info.name != "source" && command.name == "render";
    const std::string why = ofFits ? "only fits use it" : info.disabledReason;
    if (!why.empty()) log::warn("--{}: ignored, {}", info.name, why);
  }
}

/// What a command runs in, with what the command line says.
std::unique_ptr<CommandContext> makeContext(const TechniqueEntry& entry, const Command& command,
                                            const Call& call, const CommonOptions& common,
                                            const StandardStreams& streams,
                                            std::unique_ptr<Engine> technique) {
  gpu::ContextOptions contextOptions = common.contextOptions();
  contextOptions.device = launchLocalRank();
  auto context = std::make_unique<CommandContext>(std::move(technique), contextOptions);
  context->inputs = streams.inputs();
  context->output = streams.output();
  context->size = common.pictureSize();
  context->seed = common.seed;
  context->silent = common.jsonToStandardOutput() || streams.writesOutput();
  context->record.command = entry.info.name + " " + command.name;
  for (const CommandFlag& flag : allFlagsOf(command)) {
    const CLI::Option& option = *call.options.at(flag.name);
    const bool given = option.count() > 0;
    std::string text = given ? call.texts.at(flag.name) : flag.fallback;
    if (flag.valueName.empty()) {
      text = flag.fallback.empty() ? "off" : flag.fallback;
      if (given) text = option.as<bool>() ? "on" : "off";  // --stream=off
    }
    context->setFlag(flag.name, std::move(text), given);
  }
  return context;
}

int runCommand(const TechniqueEntry& entry, const Command& command, Call& call,
               const CommonOptions& common) {
  Reporting reporting(common);
  checkInputs(command.inputs, call.inputs);
  const bool writes = command.output.folder || !command.output.endings.empty();
  if (!writes && !common.output.empty()) throw UsageError("--output: this command writes no file");
  if (writes && !command.output.optional && common.output.empty())
    throw UsageError("expected --output PATH, found none");
  if (common.output == "-" && common.jsonToStandardOutput())
    throw UsageError("--json -: expected a file, since --output writes to standard output");
  if (command.output.later && common.output == "-")
    throw UsageError("--output: expected a file, found standard output");
  if (command.output.folder)
    checkOutputFolder(common.output);
  else
    // Of the processes that mpirun starts, the first writes.
    if (launchRank().value_or(0) == 0 && common.output != "-")
      checkOutput(common.output, command.output.endings);
  refuseInput("--output", common.output, call.inputs);
  OutputColor color;
  if (call.texts.contains("colorspace"))
    color = {call.texts["display"], call.texts["view"], call.texts["colorspace"]};
  setOutputColor(color);
  call.settings.assignTo(call.technique->settings());
  if (launchRank().value_or(0) == 0) warnOfIdle(entry, command, *call.technique);
  if (launchSize() < 2)  // ranks agree on one complaint
    for (const std::string& input : call.inputs) checkInput(command.inputs, input);

  StandardStreams streams(call.inputs, common.output, command);
  const bool sequence = command.sequences && namesSequence(call.inputs, common.output);
  const auto contextFor = [&](std::unique_ptr<Engine> technique) {
    return makeContext(entry, command, call, common, streams, std::move(technique));
  };
  const std::unique_ptr<CommandContext> made = contextFor(std::move(call.technique));
  CommandContext& context = *made;
  int exitCode = 0;
  {
    Progress frames;
    const ProgressLine line(sequence ? frames : context.progress, !common.quiet);
    if (sequence)
      exitCode = runSequence(
          command, context,
          [&] {
            std::unique_ptr<Engine> technique = entry.make();
            call.settings.assignTo(technique->settings());
            return contextFor(std::move(technique));
          },
          frames);
    else
      streams.run([&] { command.run(context); });
  }
  context.progress.throwIfCancelled();
  if (context.hasGpu()) context.finishTimings();
  context.record.settings = valuesOf(context.technique().settings());
  reporting.finish(context.record, context.hasGpu() ? &context.gpu() : nullptr);
  return sequence ? exitCode : context.exitCode;
}

Action declareCommand(const TechniqueEntry& entry, const Command& command, FlagTable& table,
                      const CommonOptions& common) {
  const auto call = std::make_shared<Call>();
  call->technique = entry.make();
  if (command.inputs.maxCount != 0)
    table.operands(command.inputs.name, call->inputs, command.inputs.help);
  declareFlags(table.app(), command, *call);
  if (command.takesSettings) call->settings.declare(table, call->technique->settings());
  return [&entry, &command, call, &common] { return runCommand(entry, command, *call, common); };
}

}  // namespace

std::vector<Subcommand> techniqueSubcommands() {
  std::vector<Subcommand> list;
  for (const TechniqueEntry& entry : techniques()) {
    for (const Command& command : commandsOf(entry.info.name))
      list.push_back({entry.info.name + " " + command.name, command.help, command.example,
                      [&entry, &command](FlagTable& table, const CommonOptions& common) {
                        return declareCommand(entry, command, table, common);
                      }});
  }
  return list;
}

}  // namespace fathom::commands
