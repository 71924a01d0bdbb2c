// SPDX-License-Identifier: BSD-3-Clause
// One flag per row of the settings table.
#include "app/cli/cli_flags.h"

namespace fathom::commands {

void CliFlags::declare(CLI::App& app, const Describe& settings) {
  const std::string group = "Settings";
  for (const FieldRow& row : rowsOf(settings)) {
    std::string help = row.info.help;
    for (std::size_t i = 0; i < row.about.size(); ++i)
      help += fmt::format("\n{}: {}", row.values[i], row.about[i]);
    std::string& text = texts_[row.info.name];
    const std::string letter = row.info.letter ? fmt::format("-{},", row.info.letter) : "";
    CLI::Option* option = nullptr;
    if (row.domain == "on | off")
      option = app.add_flag(letter + "--" + row.info.name, text, help);
    else
      option = app.add_option(letter + "--" + row.info.name, text, help)
                   ->type_name(row.domain + (row.info.unit.empty() ? "" : " " + row.info.unit));
    option->default_str(row.current)->group(group);
    options_[row.info.name] = option;
  }
  declareSet(app);
}

void CliFlags::declareSet(CLI::App& app) {
  app.add_option("--set", sets_, "A setting by name; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Settings");
}

std::vector<std::pair<std::string, std::string>> CliFlags::sets() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : sets_) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--set: expected NAME=VALUE, found \"{}\"", text));
    pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return pairs;
}

void CliFlags::assignTo(const Describe& settings) const {
  for (const auto& [name, value] : sets()) assign(settings, name, value);
  for (const auto& [name, option] : options_)
    if (option->count()) assign(settings, name, texts_.at(name));
}

}  // namespace fathom::commands
