// SPDX-License-Identifier: BSD-3-Clause
// Each technique's settings stand in the docs as the program has them.
#include "app/techniques/technique.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fathom {
namespace {

std::string textOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The lines between `<!-- settings of NAME -->` and `<!-- end -->` in any page; empty for none.
std::string tableInDocs(const std::string& technique) {
  const std::string begin = "<!-- settings of " + technique + " -->\n";
  for (const auto& entry : std::filesystem::directory_iterator(FATHOM_DOCS)) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = textOf(entry.path());
    const std::size_t first = text.find(begin);
    if (first == std::string::npos) continue;
    const std::size_t start = first + begin.size();
    return text.substr(start, text.find("<!-- end -->", start) - start);
  }
  return "";
}

TEST(OptionTable, InTheDocsIsTheOneTheProgramHas) {
  ASSERT_FALSE(techniques().empty());
  for (const TechniqueEntry& entry : techniques()) {
    const std::unique_ptr<Technique> technique = entry.make();
    const std::string expected = optionTable(technique->settings());
    EXPECT_EQ(tableInDocs(entry.info.name), expected) << "put this between the marks in docs/:\n"
                                                      << expected;
  }
}

}  // namespace
}  // namespace fathom
