// SPDX-License-Identifier: BSD-3-Clause
// Tables in the docs are those of the program: each technique's settings, and the list of commands.
#include "app/cli/subcommands.h"
#include "app/engine/engine.h"

namespace fathom {
namespace {

std::string textOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A table in the docs: the lines between `<!-- NAME -->` and `<!-- end -->` of any page.
struct TableInDocs {
  std::filesystem::path page;  // empty: none has the marks
  std::string text;            // of the whole page
  std::size_t first = 0, size = 0;
  std::string table() const { return text.substr(first, size); }
};

TableInDocs findTable(const std::string& name) {
  const std::string begin = "<!-- " + name + " -->\n";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FATHOM_DOCS)) {
    if (entry.path().extension() != ".md") continue;
    TableInDocs found{entry.path(), textOf(entry.path())};
    const std::size_t mark = found.text.find(begin);
    if (mark == std::string::npos) continue;
    found.first = mark + begin.size();
    found.size = found.text.find("<!-- end -->", found.first) - found.first;
    return found;
  }
  return {};
}

/// Compares, and with FATHOM_WRITE_DOCS set brings the page up to date.
void expectTable(const std::string& name, const std::string& expected) {
  TableInDocs found = findTable(name);
  ASSERT_FALSE(found.page.empty()) << "no page has the marks <!-- " << name << " -->";
  EXPECT_EQ(found.table(), expected)
      << "FATHOM_WRITE_DOCS=1 ./dev test -R Table brings " << found.page << " up to date";
  if (!std::getenv("FATHOM_WRITE_DOCS") || found.table() == expected) return;
  found.text.replace(found.first, found.size, expected);
  std::ofstream(found.page) << found.text;
}

/// The settings as a Markdown table.
std::string optionTable(const Describe& describe) {
  std::string table = "| Setting | Values | Default | Meaning |\n|---|---|---|---|\n";
  for (const FieldRow& row : rowsOf(describe)) {
    std::string domain = row.domain;
    for (std::size_t at = 0; (at = domain.find('|', at)) != std::string::npos; at += 2)
      domain.replace(at, 1, "\\|");
    table +=
        fmt::format("| `--{}`{} | {}{} | {} | {}", row.info.name,
                    row.info.letter ? fmt::format(", `-{}`", row.info.letter) : "", domain,
                    row.info.unit.empty() ? "" : " " + row.info.unit, row.current, row.info.help);
    for (std::size_t i = 0; i < row.about.size(); ++i)
      table += fmt::format("<br>`{}`: {}", row.values[i], row.about[i]);
    table += " |\n";
  }
  return table;
}

TEST(OptionTable, InTheDocsIsTheOneTheProgramHas) {
  ASSERT_FALSE(techniques().empty());
  for (const TechniqueEntry& entry : techniques())
    expectTable("settings of " + entry.info.name, optionTable(entry.settings()));
}

TEST(CommandTable, InTheDocsIsTheOneTheProgramHas) {
  std::string table = "| Command | What it does | Example |\n|---|---|---|\n";
  for (const commands::Subcommand& subcommand : commands::subcommands())
    table += fmt::format("| `fathom {}` | {} | `{}` |\n", subcommand.name, subcommand.help,
                         subcommand.example);
  expectTable("commands", table);
}

}  // namespace
}  // namespace fathom
