// SPDX-License-Identifier: BSD-3-Clause
// Finds the subcommand, parses its flags, runs it, and turns exceptions into one line and an exit
// code.
#include "app/cli/subcommands.h"

#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/launch.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/engine.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/profile.h"
#include "app/engine/scene/load_scene.h"
#include "app/system/gl_surface.h"
#include "app/system/machine.h"
#include "app/system/process.h"

#include <CLI/CLI.hpp>

namespace fathom::commands {
namespace {

using Arguments = std::vector<std::string>;

enum ExitCode {
  kDone = 0,
  kFailed = 1,
  kWrongCommandLine = 2,
  kDifferent = 3,
  kGoalMissed = 4,
  kNoDevice = 77,
  kNotBuilt = 78,
  kInterrupted = 130
};

/// The first Ctrl+C asks the work to stop, a second one ends the program at once. Those who stop a
/// program and its group (timeout, mpirun) send it the same signal twice in a row: that counts
/// once.
bool endsOnInterrupt(double seconds) {
  constexpr double kTwiceInARow = 0.3;  // seconds
  static double first = 0;
  if (Progress::interrupted()) return seconds - first > kTwiceInARow;
  first = seconds;
  Progress::interrupt();
  return false;
}

/// mpirun mostly gives all its processes the same command line: the first of them complains, and
/// mpirun ends the others, a second later. One that is still there has a wrong one to itself.
bool endedWithFirstRank() {
  for (int waited = 0; waited < 60 && !Progress::interrupted(); ++waited)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return Progress::interrupted();
}

std::string firstPart(const std::string& name) { return name.substr(0, name.find(' ')); }

const Subcommand* subcommandNamed(const std::string& name) {
  for (const Subcommand& subcommand : subcommands())
    if (subcommand.name == name) return &subcommand;
  return nullptr;
}

void printHelp() {
  fmt::print(
      "Fathom {}: a viewer and command-line tool for five GPU image techniques.\n\n"
      "usage: fathom [FILE...]           open files or a scene in the window\n"
      "       fathom COMMAND [ARGS]      run one of the commands below\n"
      "       fathom COMMAND --help      explain one, with an example\n\n",
      FATHOM_VERSION);
  std::size_t width = 0;
  for (const Subcommand& subcommand : subcommands())
    width = std::max(width, subcommand.name.size());
  for (const Subcommand& subcommand : subcommands())
    fmt::print("  {:<{}}  {}\n", subcommand.name, width, subcommand.help);
  fmt::print(
      "\nScenes: a file (OBJ, glTF, PLY, STL), or one made by the program, with parameters after a "
      "colon:\n");
  for (const SceneInfo& scene : builtInScenes())
    fmt::print("  {:<{}}  {}{}\n", scene.name, width, scene.about,
               scene.parameters.empty() ? "" : " (" + scene.parameters + ")");
  fmt::print("\nThe manual page: fathom --man; for shells: fathom --completion bash|zsh|fish\n");
}

/// A file or scene, as opposed to a mistyped subcommand.
bool looksLikeInput(const std::string& text) {
  std::error_code ignored;
  return text.find_first_of("./") != std::string::npos || isSceneSpec(text) ||
         fs::exists(text, ignored);
}

[[noreturn]] void refuseSubcommand(const std::string& text, const std::string& beginning) {
  std::vector<std::string> names, elsewhere;
  for (const Subcommand& subcommand : subcommands()) {
    if (beginning.empty())
      names.push_back(firstPart(subcommand.name));
    else if (firstPart(subcommand.name) == beginning)
      names.push_back(subcommand.name.substr(beginning.size() + 1));
    if (subcommand.name == text || subcommand.name.ends_with(" " + text))
      elsewhere.push_back(subcommand.name);
  }
  std::string nearest = nearestName(text, names);
  for (const std::string& name : names)
    if (nearest.empty() && text.size() > 1 && name.starts_with(text)) nearest = name;
  if (nearest.empty() && !text.empty())
    nearest = fmt::format("{}", fmt::join(elsewhere, "\" or \""));
  const std::string hint = !nearest.empty() ? fmt::format("did you mean \"{}\"?", nearest)
                           : beginning.empty()
                               ? "`fathom --help` lists the commands"
                               : fmt::format("there are {}", fmt::join(names, ", "));
  throw UsageError(
      text.empty() ? fmt::format("{}: expected a command: {}", beginning, fmt::join(names, ", "))
                   : fmt::format("no command \"{}\", {}",
                                 beginning.empty() ? text : beginning + " " + text, hint));
}

void printGroupHelp(const std::string& beginning) {
  fmt::print("usage: fathom {} COMMAND [ARGS]\n\n", beginning);
  for (const Subcommand& subcommand : subcommands())
    if (firstPart(subcommand.name) == beginning)
      fmt::print("  {:<20}  {}\n", subcommand.name, subcommand.help);
}

/// Takes the subcommand off the front of the arguments. Null: help was printed instead.
const Subcommand* takeSubcommand(Arguments& arguments) {
  if (arguments.empty()) return subcommandNamed("view");
  const std::string first = arguments[0];
  if (first == "--help" || first == "-h" || first == "help") return printHelp(), nullptr;
  if (first == "--version") return fmt::print("fathom {}\n", FATHOM_VERSION), nullptr;
  if (first == "--man") return fmt::print("{}", manualPage()), nullptr;
  if (first == "--completion")
    return fmt::print("{}", completionFor(arguments.size() > 1 ? arguments[1] : "")), nullptr;
  if (first == "--candidates")
    return fmt::print("{}", candidatesFor({arguments.begin() + 1, arguments.end()})), nullptr;
  if (first[0] == '-') return subcommandNamed("view");
  if (const Subcommand* subcommand = subcommandNamed(first)) {
    arguments.erase(arguments.begin());
    return subcommand;
  }
  const bool isGroup = std::ranges::any_of(subcommands(), [&](const Subcommand& subcommand) {
    return firstPart(subcommand.name) == first;
  });
  if (!isGroup) {
    if (looksLikeInput(first)) return subcommandNamed("view");
    refuseSubcommand(first, "");
  }
  const std::string second = arguments.size() > 1 ? arguments[1] : "";
  if (second == "--help" || second == "-h") return printGroupHelp(first), nullptr;
  const Subcommand* subcommand = subcommandNamed(first + " " + second);
  if (!subcommand) refuseSubcommand(second, first);
  arguments.erase(arguments.begin(), arguments.begin() + 2);
  return subcommand;
}

/// CLI11's complaint in our form; an unknown flag brings the nearest known one.
[[noreturn]] void refuseArguments(const Subcommand& subcommand, const CLI::App& app,
                                  const CLI::Error& error, const Arguments& arguments) {
  std::string message = error.what();
  if (const std::size_t end = message.find('\n'); end != std::string::npos) message.resize(end);
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back(name);
    for (const std::string& argument : arguments) {
      if (argument.rfind("--", 0) != 0) continue;
      const std::string name = argument.substr(2, argument.find('=') - 2);
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const std::string nearest = nearestName(name, names);
      message =
          fmt::format("no flag \"--{}\"{}", name,
                      nearest.empty() ? "" : fmt::format(", did you mean \"--{}\"?", nearest));
      break;
    }
  }
  // "Could not convert: --fail-psnr-below = x"
  if (dynamic_cast<const CLI::ConversionError*>(&error))
    if (const std::size_t flag = message.find("--"), value = message.find(" = ", flag);
        value != std::string::npos)
      message = fmt::format("{}: expected a number, found \"{}\"",
                            message.substr(flag, value - flag), message.substr(value + 3));
  failUsage("{}: {} (see fathom {} --help)", subcommand.name, message, subcommand.name);
}

/// "--seed N", and "Random seed (default 1)" next to it. A switch is off unless its text says "on".
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(36); }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = option->get_items_expected_max() > 0 ? option->get_type_name() : "";
    if (!text.empty()) text = " " + text;
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    return text + (option->get_required() ? " (required)" : "");
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    const std::string& fallback = option->get_default_str();
    if (fallback.empty() || fallback == "off") return text;
    const std::size_t line = std::min(text.find('\n'), text.size());  // values follow, one a line
    return text.insert(line, fmt::format(" (default {})", fallback));
  }
};

/// The command's own flags; settings of its technique, of which there are many, by name only.
void printOwnHelp(CLI::App& app, const std::string& example) {
  std::string settings;
  for (CLI::Option* option : app.get_options()) {
    if (option->get_group() != "Settings") continue;
    if (option->check_name("--set")) {
      option->group("Every command");
      continue;
    }
    const std::string name = "--" + option->get_lnames().front();
    const std::size_t lineStart = settings.rfind('\n') + 1;  // 0 where there is none
    settings += settings.size() + name.size() - lineStart > 98 ? "\n  " + name : " " + name;
    option->group("");
  }
  if (!settings.empty()) settings = "Settings, explained by --help-all:\n " + settings + "\n\n";
  app.footer(settings + "Example:\n  " + example);
  fmt::print("{}", app.help());
}

int report(int code, const char* message) {
  fmt::print(stderr, "fathom: {}\n", printable(message));
  return code;
}

constexpr const char* kNoMemory = "expected enough memory for this, found too little";

thread_local bool wasShort = false;  // of memory, once
const std::terminate_handler terminateAsEver = std::get_terminate();

void endWithoutMemory() {
  wasShort = true;
  if (!EndsWithoutMemory::now.exchange(false)) throw std::bad_alloc();
  removeUnfinishedFiles();
  system::exitNow(report(kFailed, kNoMemory));
}

/// What may not throw takes memory too, as nlohmann's destructors and directory_iterator do.
void endWithoutUnwinding() {
  EndsWithoutMemory::now = true;
  if (wasShort) endWithoutMemory();
  terminateAsEver();
}

std::atomic<bool> outOfTime = false;
constexpr const char* kOutOfTime = "--max-wall: expected to finish in time, found more to do";

constexpr std::chrono::seconds kLastGrace{20};  // a pass of a software renderer takes its time

/// As Ctrl+C does; what does not heed that is ended.
void limitTime(double seconds) {
  std::thread([seconds] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    outOfTime = true;
    Progress::interrupt();
    std::this_thread::sleep_for(kLastGrace);
    removeUnfinishedFiles();
    system::exitNow(report(kFailed, kOutOfTime));
  }).detach();
}

/// Another program's limits are its own.
void setLimits(const CommonOptions& common) {
  const bool ours = CommandHost::ofThread() == nullptr;
  constexpr double kLeastMemory = 32;  // MiB, of a few threads
  for (const auto& [name, limit, least] : {std::tuple("memory", common.maxMemory, kLeastMemory),
                                           {"pixels", common.maxPixels, 1.0},
                                           {"wall", common.maxTime, 0.1}})
    if (limit && !(ours && *limit >= least && *limit <= 1e9))
      failUsage("--max-{}: expected a number from {} to 1e9, found {}", name, least, *limit);
  if (common.maxMemory) system::limitMemory(std::uint64_t(*common.maxMemory * 1048576));
  if (common.maxPixels) limitPixels(std::int64_t(*common.maxPixels));
  if (common.maxTime) limitTime(*common.maxTime);
}

/// Of two outputs in one file only the last would be left.
void refuseSharedOutput(const CLI::App& app, const CommonOptions& common) {
  std::error_code ignored;
  for (const std::string* const output : {&common.output, &common.json}) {
    if (output->empty() || *output == "-") continue;
    const fs::path place = fs::weakly_canonical(fs::absolute(*output), ignored);
    for (const CLI::Option* const option : app.get_options()) {
      if (option->get_positional() || option->get_items_expected_max() == 0) continue;
      if (option->check_lname(output == &common.output ? "output" : "json")) continue;
      for (const std::string& other : option->results())
        if (fs::path(other).has_extension() &&
            fs::weakly_canonical(fs::absolute(other), ignored) == place)
          failUsage("{}: expected a file of its own, found it in --{} too", *output,
                    option->get_lnames().at(0));
    }
  }
}

int runSubcommand(const Subcommand& subcommand, Arguments arguments) {
  CLI::App app(subcommand.help, "fathom " + subcommand.name);
  app.footer("Example:\n  " + subcommand.example)->allow_windows_style_options(false);
  app.set_help_all_flag("--help-all", "Print this help with all settings");
  app.formatter(std::make_shared<HelpFormatter>());
  FlagTable table(app);
  CommonOptions common;
  const Action action = subcommand.declare(table, common);
  addCommonOptions(table, common);
  const Arguments given = arguments;
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    printOwnHelp(app, subcommand.example);
    return kDone;
  } catch (const CLI::CallForAllHelp&) {
    fmt::print("{}", app.help("", CLI::AppFormatMode::All));
    return kDone;
  } catch (const CLI::Error& error) {
    refuseArguments(subcommand, app, error, given);
  }
  refuseSharedOutput(app, common);
  setLimits(common);
  if (common.device >= 0) system::useDevice(common.device);
  log::setLevel(common.quiet     ? log::Level::Quiet
                : common.verbose ? log::Level::Verbose
                                 : log::Level::Normal);
  useProfile(common.profileFile());
  EndsWithoutMemory::now = false;
  return action();
}

constexpr const char* kFullOutput =
    "standard output: expected to be writable, found an error (disk full, or the program behind "
    "the pipe has ended)";

int dispatch(Arguments arguments) {
  const Subcommand* subcommand = takeSubcommand(arguments);
  const int code = subcommand ? runSubcommand(*subcommand, std::move(arguments)) : int(kDone);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) fail(kFullOutput);
  return code;
}

int reportWrongCommandLine(const std::string& message) {
  const int rank = launchRank().value_or(0);
  const bool named = message.rfind("rank ", 0) == 0;  // what the ranks of a job have agreed to say
  if (rank == 0 || named) return report(kWrongCommandLine, message.c_str());
  if (endedWithFirstRank()) return kWrongCommandLine;
  return report(kWrongCommandLine, fmt::format("rank {}: {}", rank, message).c_str());
}

}  // namespace

const std::vector<Subcommand>& subcommands() {
  static const std::vector<Subcommand> list = [] {
    std::vector<Subcommand> all = {
        {"view", "Open files or a scene in the window.", "fathom view leaves.exr trunks.exr",
         declareView},
        {"info", "Describe a file, or the GPU.", "fathom info leaves.exr", declareInfo},
        {"compare", "Compare two images; deep images fragment by fragment.",
         "fathom compare before.exr after.exr --fail-psnr-below 50", declareCompare},
        {"bench", "Measure speed and memory, checked against a CPU reference.",
         "fathom bench deep.composite --quick --json composite.json", declareBench},
        {"report", "Make an HTML report of bench files, or list regressions.",
         "fathom report laptop.json desktop.json -o page.html", declareReport},
        {"tune", "Find the fastest variant on this device and remember it.",
         "fathom tune dof --workload r16", declareTune},
    };
    for (Subcommand& subcommand : techniqueSubcommands()) all.push_back(std::move(subcommand));
    return all;
  }();
  return list;
}

const std::vector<ExitCodeText>& exitCodes() {
  static const std::vector<ExitCodeText> list = {
      {kDone, "Done."},
      {kFailed,
       "It could not be done: unreadable, damaged or unsuitable file, too large for this device, "
       "disk full."},
      {kWrongCommandLine, "The command line is wrong."},
      {kDifferent, "A comparison or check found a difference beyond the bound."},
      {kGoalMissed, "A fit was saved that misses the goal it was given."},
      {kNoDevice, "OpenGL 4.5 is unavailable."},
      {kNotBuilt, "The program was built without a library that this needs."},
      {kInterrupted, "Interrupted."},
  };
  return list;
}

int runInside(const std::string& name, std::vector<std::string> arguments) {
  const Subcommand* subcommand = subcommandNamed(name);
  if (!subcommand) failUsage("no command \"{}\"", name);
  try {
    return runSubcommand(*subcommand, std::move(arguments));
  } catch (const PeerFailed& elsewhere) {
    if (elsewhere.exitCode() != kDone) throw;
    return kDone;  // the first rank has written the result
  }
}

int run(int argc, char** argv) {
  try {
    system::onInterrupt(endsOnInterrupt);
    std::set_new_handler(endWithoutMemory);
    std::set_terminate(endWithoutUnwinding);
    return dispatch(Arguments(argv + std::min(1, argc), argv + argc));
  } catch (const Cancelled&) {
    return outOfTime ? report(kFailed, kOutOfTime) : report(kInterrupted, "interrupted");
  } catch (const UsageError& error) {
    return reportWrongCommandLine(error.what());
  } catch (const NoDeviceError& error) {
    return report(kNoDevice, error.what());
  } catch (const NotBuiltError& error) {
    return report(kNotBuilt, error.what());
  } catch (const PeerFailed& elsewhere) {
    // mpirun ends the others once one has failed: the rank whose failure it is speaks first.
    return elsewhere.exitCode() == kInterrupted ? kInterrupted : kDone;
  } catch (const std::bad_alloc&) {
    return report(kFailed, kNoMemory);
  } catch (const std::exception& error) {
    // A long text meets the full disk while it is printed, by an exception of fmt.
    return report(kFailed, std::ferror(stdout) ? kFullOutput : error.what());
  }
}

}  // namespace fathom::commands
