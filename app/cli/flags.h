// SPDX-License-Identifier: BSD-3-Clause
// Flags: those that every command understands, with the report they ask for; the settings of a
// technique, whose names, domains and defaults come from describe(); and all of them as plain text,
// for the manual page and the shells' completion.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/gpu/context.h"
#include "app/engine/io/run_record.h"

// CLI11, which parses, takes seconds to compile: only sources that need it include it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fathom::commands {

/// The flags of one command as it declares them. Parsing fills in the variables, which must live
/// until then; those of flags that are not given keep their values.
class FlagTable {
 public:
  explicit FlagTable(CLI::App& app) : app_(app) {}
  CLI::App& app() { return app_; }
  /// Those declared from now on stand under this heading of the help.
  void under(std::string group) { group_ = std::move(group); }

  /// What stands without a flag: one text, or at least `minCount`.
  void operand(const std::string& name, std::string& value, const std::string& help);
  void operands(const std::string& name, std::vector<std::string>& values, const std::string& help,
                int minCount = 0);

  /// `name`: "--output" or "-o,--output". `type`: of the value, as the help calls it.
  void add(const std::string& name, bool& value, const std::string& help);
  void add(const std::string& name, std::string& value, const std::string& type,
           const std::string& help, const std::string& fallback = "");
  void add(const std::string& name, std::optional<double>& value, const std::string& type,
           const std::string& help);
  /// Refuses what is not from `low` to `high`.
  void add(const std::string& name, int& value, int low, int high, const std::string& help,
           const std::string& fallback = "");
  void add(const std::string& name, float& value, double low, double high, const std::string& help);
  /// May be given several times, each with one value.
  void addRepeated(const std::string& name, std::vector<std::string>& values,
                   const std::string& type, const std::string& help);

 private:
  void finish(CLI::Option* option, const std::string& fallback = "");
  CLI::App& app_;
  std::string group_;
};

/// While one lives, and until a command does its work, no memory ends the program at once: what GCC
/// 12 makes of lists in braces may not be unwound (it destroys parts of them twice).
struct EndsWithoutMemory {
  EndsWithoutMemory() { now = true; }
  ~EndsWithoutMemory() { now = false; }
  static inline std::atomic<bool> now = true;
};

struct CommonOptions {
  std::string output, size, json, backend = "auto", profile;
  std::optional<double> maxMemory, maxPixels, maxTime;
  int device = -1;  // none asked for
  std::uint64_t seed = 1;
  bool quiet = false, verbose = false, noProfile = false, passes = false, glDebug = false;

  std::optional<glm::ivec2> pictureSize() const;  // throws UsageError
  gpu::Backend contextBackend() const;            // throws UsageError
  gpu::ContextOptions contextOptions() const;     // throws UsageError
  /// The profile to use: --profile, else the user's own; none with --no-profile.
  std::optional<fs::path> profileFile() const;
  bool jsonToStandardOutput() const { return json == "-"; }
};

/// Declares the flags; `options` must live until the app has parsed.
void addCommonOptions(FlagTable& table, CommonOptions& options);

/// Throws before any work is done: UsageError when the ending is none of these (empty: any), Error
/// when the folder is missing or cannot be written, or the path is a folder. An empty path is fine.
void checkOutput(const std::string& path, const std::vector<std::string>& endings);
/// Throws UsageError when the path is one of the inputs, by this or another name, which writing
/// would replace.
void refuseInput(const char* flag, const std::string& path, const std::vector<std::string>& inputs);
/// Like checkOutput() for a folder to be made; an empty one may be there already.
void checkOutputFolder(std::string path);

/// Times a command from its construction on and writes what --json and --passes ask for.
class Reporting {
 public:
  explicit Reporting(const CommonOptions& options) : options_(options) {}
  /// Fills in device, passes and wall time (`gpu` may be null: none was used) and writes.
  void finish(RunRecord& record, gpu::Context* gpu);

 private:
  const CommonOptions& options_;
  Stopwatch sinceStart_;
};

DeviceFacts deviceFacts(const gpu::Context& gpu);

class CliFlags {
 public:
  CliFlags() = default;
  CliFlags(const CliFlags&) = delete;  // the app keeps references to the texts
  CliFlags& operator=(const CliFlags&) = delete;

  /// Declares one flag per setting (`--stream` and `--stream=off` for a toggle) and `--set`.
  void declare(FlagTable& table, const Describe& settings);
  /// Only `--set name=value`, for subcommands that find out later whose settings they are.
  void declareSet(FlagTable& table);
  /// Assigns what was given: `--set` first, then the flags. Throws UsageError.
  void assignTo(const Describe& settings) const;

  /// The `--set` values, split. Throws UsageError when one has no "=".
  std::vector<std::pair<std::string, std::string>> sets() const;

 private:
  std::map<std::string, std::string> texts_;  // only the flags given are not empty
  std::map<std::string, CLI::Option*> options_;
  std::vector<std::string> sets_;
};

struct FlagText {
  std::vector<std::string> names;  // "-o", "--output"; empty: what stands without a flag
  std::string operand;             // its name when it has no flag: "IN"
  std::string type;                // "WxH"; empty: a switch
  std::string fallback, help, group;
  std::vector<std::string> values;  // of a choice: the part of `type` between bars
  bool required = false;
  bool repeats = false;  // may be given several times
};

struct SubcommandText {
  std::string name, help, example;
  std::vector<FlagText> flags;
};

/// Of every subcommand, in the order of the help. `common` ones are given once by commonFlags().
std::vector<SubcommandText> subcommandTexts();
std::vector<FlagText> commonFlags();

/// All of it as a manual page for man(1), in groff's language.
std::string manualPage();
/// A script for the shell. Throws UsageError unless it is bash, zsh or fish.
std::string completionFor(const std::string& shell);
/// What may stand in place of the last of these words of a command line: a line each, with a tab
/// and what it is. The line `<files>` stands for files.
std::string candidatesFor(const std::vector<std::string>& words);

}  // namespace fathom::commands
