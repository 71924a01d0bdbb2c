// SPDX-License-Identifier: BSD-3-Clause
// Declares every subcommand on an app that never parses, and reads the flags back from it.
#include "app/cli/flag_table.h"

#include <algorithm>

namespace fathom::commands {
namespace {

/// "a | b | c" and "a|b|c" as their parts; none when there is no bar.
std::vector<std::string> choicesIn(const std::string& type) {
  std::vector<std::string> parts;
  if (type.find('|') == std::string::npos) return parts;
  std::string part;
  for (const char c : type + "|") {
    if (c == '|')
      parts.push_back(std::exchange(part, {}));
    else if (c != ' ')
      part += c;
  }
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
  CommonOptions common;
  addCommonOptions(app, common);
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
    const CommonOptions options;
    const Action action = subcommand.declare(app, options);
    SubcommandText text{subcommand.name, subcommand.help, subcommand.example, flagsIn(app)};
    std::erase_if(text.flags, isCommon);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string commandTable() {
  std::string table = "| Command | What it does | Example |\n|---|---|---|\n";
  for (const Subcommand& subcommand : subcommands())
    table += fmt::format("| `fathom {}` | {} | `{}` |\n", subcommand.name, subcommand.help,
                         subcommand.example);
  return table;
}

}  // namespace fathom::commands
