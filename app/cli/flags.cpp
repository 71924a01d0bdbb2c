// SPDX-License-Identifier: BSD-3-Clause
// Declared for CLI11, which parses; values of settings go through assign(), the only parser of
// values.
#include "app/cli/flags.h"

#include "app/cli/command.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/profile.h"
#include "app/system/machine.h"

#include <CLI/CLI.hpp>

namespace fathom::commands {
namespace {

void printPasses(const RunRecord& record) {
  std::size_t width = 4;
  for (const RunRecord::Pass& pass : record.passes) width = std::max(width, pass.name.size());
  fmt::print("{:<{}}  {:>6}  {:>10}  {:>10}\n", "pass", width, "count", "GPU ms", "CPU ms");
  double gpuMs = 0;
  for (const RunRecord::Pass& pass : record.passes) {
    fmt::print("{:<{}}  {:>6}  {:>10.3f}  {:>10.3f}\n", pass.name, width, pass.count, pass.gpuMs,
               pass.cpuMs);
    gpuMs += pass.gpuMs;
  }
  fmt::print("{:<{}}  {:>6}  {:>10.3f}\n", "sum", width, "", gpuMs);
  fmt::print("{:<{}}  {:>6}  {:>10.3f}  (from start to end)\n", "wall", width, "", record.wallMs);
}

/// The folder that a file or folder is to be made in.
void checkParent(const std::string& path, fs::path folder) {
  std::error_code ignored;
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, ignored))
    fail("{}: expected the folder {} to exist, found none", path, folder.string());
  if (const std::error_code refused = system::mayWriteIn(folder))
    fail("{}: expected a folder that can be written, found {}: {}", path, folder.string(),
         refused.message());
}

}  // namespace

// ---- What may be declared

void FlagTable::finish(CLI::Option* option, const std::string& fallback) {
  if (!fallback.empty()) option->default_str(fallback);
  if (!group_.empty()) option->group(group_);
}

void FlagTable::operand(const std::string& name, std::string& value, const std::string& help) {
  finish(app_.add_option(name, value, help)->type_name("")->required());
}

void FlagTable::operands(const std::string& name, std::vector<std::string>& values,
                         const std::string& help, int minCount) {
  finish(app_.add_option(name, values, help)
             ->type_name("")
             ->required(minCount > 0)
             ->expected(minCount, -1));
}

void FlagTable::add(const std::string& name, bool& value, const std::string& help) {
  finish(app_.add_flag(name, value, help));
}

void FlagTable::add(const std::string& name, std::string& value, const std::string& type,
                    const std::string& help, const std::string& fallback) {
  finish(app_.add_option(name, value, help)->type_name(type), fallback);
}

void FlagTable::add(const std::string& name, std::optional<double>& value, const std::string& type,
                    const std::string& help) {
  finish(app_.add_option(name, value, help)->type_name(type));
}

void FlagTable::add(const std::string& name, int& value, int low, int high, const std::string& help,
                    const std::string& fallback) {
  finish(app_.add_option(name, value, help)->type_name("N")->check(CLI::Range(low, high)),
         fallback);
}

void FlagTable::add(const std::string& name, float& value, double low, double high,
                    const std::string& help) {
  finish(app_.add_option(name, value, help)->type_name("X")->check(CLI::Range(low, high)));
}

void FlagTable::addRepeated(const std::string& name, std::vector<std::string>& values,
                            const std::string& type, const std::string& help) {
  finish(app_.add_option(name, values, help)
             ->type_name(type)
             ->expected(1)
             ->allow_extra_args(false)  // a file may follow
             ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

// ---- Flags of every command

std::optional<glm::ivec2> CommonOptions::pictureSize() const {
  if (size.empty()) return std::nullopt;
  const std::optional<glm::ivec2> pair = parsePair(size);
  if (!pair || size.find('x') == std::string::npos || pair->x < 1 || pair->y < 1 ||
      pair->x > kMaxPictureSide || pair->y > kMaxPictureSide)
    failUsage("--size: expected WxH like 1280x720, each side from 1 to {}, found \"{}\"",
              kMaxPictureSide, size);
  return pair;
}

gpu::Backend CommonOptions::contextBackend() const {
  return gpu::Backend(wordIndex("--backend", backend, {"auto", "window", "egl"}));
}

gpu::ContextOptions CommonOptions::contextOptions() const {
  return {.backend = contextBackend(), .debug = glDebug};
}

std::optional<fs::path> CommonOptions::profileFile() const {
  if (noProfile) return std::nullopt;
  return profile.empty() ? Profile::defaultPath() : fs::path(profile);
}

void addCommonOptions(FlagTable& table, CommonOptions& options) {
  table.under("Every command");
  table.add("-o,--output", options.output, "PATH", "Output file (replaced only when complete)");
  table.add("--size", options.size, "WxH", "Image size in pixels");
  table.app()
      .add_option("--seed", options.seed, "Random seed")
      ->type_name("N")
      ->default_str("1")
      ->check([](const std::string& text) {
        return numberIn<std::uint64_t>(text)
                   ? std::string()
                   : "expected a number from 0 to 2^64 - 1, found " + text;
      })
      ->group("Every command");
  table.add("--json", options.json, "PATH", "Write a JSON report; - is standard output");
  table.add("--passes", options.passes, "Print the time of each GPU pass");
  table.add("--backend", options.backend, "NAME",
            "How to create the OpenGL context: auto, window or egl", "auto");
  table.add("--device", options.device, 0, 31, "Which of several GPUs; see fathom info", "0");
  table.add("--profile", options.profile, "PATH", "Tuning profile");
  table.add("--no-profile", options.noProfile, "Ignore the tuning profile");
  table.add("--gl-debug", options.glDebug, "Report OpenGL errors (slow)");
  table.add("--max-memory", options.maxMemory, "MIB", "Fail rather than take more memory");
  table.add("--max-pixels", options.maxPixels, "N", "Refuse larger images");
  table.add("--max-wall", options.maxTime, "SECONDS", "Fail rather than take longer");
  table.add("--quiet", options.quiet, "Only errors on standard error");
  table.add("--verbose", options.verbose, "More on standard error");
}

void checkOutput(const std::string& path, const std::vector<std::string>& endings) {
  if (path.empty()) return;
  if (!endings.empty()) {
    const std::string ending = endingOf(path);
    if (std::find(endings.begin(), endings.end(), ending) == endings.end())
      failUsage("{}: expected a file name that ends in {}, found \"{}\"", path,
                fmt::join(endings, " or "), ending);
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("{}: expected a file to write, found a folder", path);
  checkParent(path, fs::path(path).parent_path());
}

void refuseInput(const char* flag, const std::string& path,
                 const std::vector<std::string>& inputs) {
  if (isInput(path, inputs))
    failUsage("{}: expected another file than the inputs, found {}", flag, path);
}

void checkOutputFolder(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  std::error_code ignored;
  if (fs::exists(path, ignored) &&
      !(fs::is_directory(path, ignored) && fs::is_empty(path, ignored)))
    fail("{}: expected a new or an empty folder, found one in use or a file", path);
  checkParent(path, fs::path(path).parent_path());
}

DeviceFacts deviceFacts(const gpu::Context& gpu) {
  const gpu::Device& device = gpu.device();
  return {device.vendor, device.renderer, device.version, device.software};
}

void Reporting::finish(RunRecord& record, gpu::Context* gpu) {
  if (gpu) {
    record.device = deviceFacts(*gpu);
    record.compileMs = gpu->timings().compileMs;
    for (const gpu::PassTiming& pass : gpu->timings().passes())
      record.passes.push_back({pass.name, pass.gpuMs, pass.cpuMs, pass.count});
  }
  record.wallMs = sinceStart_.ms();
  if (options_.passes && !options_.jsonToStandardOutput()) printPasses(record);
  if (options_.json.empty()) return;
  const EndsWithoutMemory here;
  const std::string text = record.json();
  if (options_.jsonToStandardOutput())
    fmt::print("{}", text);
  else
    writeFile(options_.json, text);
}

void CliFlags::declare(FlagTable& table, const Describe& settings) {
  for (const FieldRow& row : rowsOf(settings)) {
    std::string help = row.info.help;
    for (std::size_t i = 0; i < row.about.size(); ++i)
      help += fmt::format("\n{}: {}", row.values[i], row.about[i]);
    std::string& text = texts_[row.info.name];
    const std::string letter = row.info.letter ? fmt::format("-{},", row.info.letter) : "";
    CLI::Option* option = nullptr;
    if (row.domain == "on | off")
      option = table.app().add_flag(letter + "--" + row.info.name, text, help);
    else
      option = table.app()
                   .add_option(letter + "--" + row.info.name, text, help)
                   ->type_name(row.domain + (row.info.unit.empty() ? "" : " " + row.info.unit));
    option->default_str(row.current)->group("Settings");
    options_[row.info.name] = option;
  }
  declareSet(table);
}

void CliFlags::declareSet(FlagTable& table) {
  table.under("Settings");
  table.addRepeated("--set", sets_, "NAME=VALUE", "A setting by name; may be repeated");
}

std::vector<std::pair<std::string, std::string>> CliFlags::sets() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : sets_) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) failUsage("--set: expected NAME=VALUE, found \"{}\"", text);
    pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return pairs;
}

void CliFlags::assignTo(const Describe& settings) const {
  for (const auto& [name, value] : sets()) assign(settings, name, value);
  for (const auto& [name, option] : options_)
    if (option->count()) assign(settings, name, texts_.at(name));
}

namespace {

/// "a | b | c" and "a|b|c" as their parts; none when there is no bar.
std::vector<std::string> choicesIn(const std::string& type) {
  std::vector<std::string> parts = splitAt(type, '|');
  for (std::string& part : parts) std::erase(part, ' ');
  if (parts.size() == 1) parts.clear();
  return parts;
}

FlagText flagTextOf(const CLI::Option& option) {
  FlagText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (text.names.empty()) text.operand = option.get_name(true);
  const bool takesValue = option.get_items_expected_max() > 0;
  if (takesValue) text.type = option.get_type_name();
  text.fallback = option.get_default_str();
  text.help = option.get_description();
  text.group = option.get_group();
  text.values = choicesIn(text.type);
  text.required = option.get_required();
  text.repeats = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return text;
}

std::vector<FlagText> flagsIn(const CLI::App& app) {
  std::vector<FlagText> flags;
  for (const CLI::Option* option : app.get_options()) flags.push_back(flagTextOf(*option));
  return flags;
}

}  // namespace

std::vector<FlagText> commonFlags() {
  CLI::App app("", "fathom");
  FlagTable table(app);
  CommonOptions common;
  addCommonOptions(table, common);
  return flagsIn(app);
}

std::vector<SubcommandText> subcommandTexts() {
  const std::vector<FlagText> common = commonFlags();
  const auto isCommon = [&](const FlagText& flag) {
    return std::any_of(common.begin(), common.end(), [&](const FlagText& other) {
      return !flag.names.empty() && other.names == flag.names;
    });
  };
  std::vector<SubcommandText> texts;
  for (const Subcommand& subcommand : subcommands()) {
    CLI::App app(subcommand.help, "fathom " + subcommand.name);
    FlagTable table(app);
    const CommonOptions options;
    const Action action = subcommand.declare(table, options);
    SubcommandText text{subcommand.name, subcommand.help, subcommand.example, flagsIn(app)};
    std::erase_if(text.flags, isCommon);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace fathom::commands
