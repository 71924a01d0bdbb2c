// SPDX-License-Identifier: BSD-3-Clause
// Each technique's settings stand in the docs as the program has them.
#include "app/techniques/technique.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fathom {
namespace {

std::string textOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The table of one technique in the docs: the lines between `<!-- settings of NAME -->` and
/// `<!-- end -->` of any page.
struct TableInDocs {
  std::filesystem::path page;  // empty: none has the marks
  std::string text;            // of the whole page
  std::size_t first = 0, size = 0;
  std::string table() const { return text.substr(first, size); }
};

TableInDocs findTable(const std::string& technique) {
  const std::string begin = "<!-- settings of " + technique + " -->\n";
  for (const auto& entry : std::filesystem::directory_iterator(FATHOM_DOCS)) {
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

TEST(OptionTable, InTheDocsIsTheOneTheProgramHas) {
  ASSERT_FALSE(techniques().empty());
  for (const TechniqueEntry& entry : techniques()) {
    const std::unique_ptr<Technique> technique = entry.make();
    const std::string expected = optionTable(technique->settings());
    TableInDocs found = findTable(entry.info.name);
    ASSERT_FALSE(found.page.empty()) << "no page has the marks for " << entry.info.name;
    EXPECT_EQ(found.table(), expected)
        << "FATHOM_WRITE_DOCS=1 ./dev test -R OptionTable brings " << found.page << " up to date";
    if (!std::getenv("FATHOM_WRITE_DOCS") || found.table() == expected) continue;
    found.text.replace(found.first, found.size, expected);
    std::ofstream(found.page) << found.text;
  }
}

}  // namespace
}  // namespace fathom
