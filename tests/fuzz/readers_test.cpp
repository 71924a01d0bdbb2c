// SPDX-License-Identifier: BSD-3-Clause
// The fuzz targets of readers.cpp as ordinary tests.
#include "tests/fuzz/readers.h"

#include "tests/fuzz/corpus.h"

namespace fathom::fuzz {
namespace {

struct FuzzReaders : testing::TestWithParam<Reader> {
  static std::vector<std::string> files() { return corpus(GetParam().name); }
};

TEST_P(FuzzReaders, CorpusIsRead) {
  EXPECT_GE(files().size(), 1u);
  for (const std::string& file : files()) EXPECT_TRUE(feed(GetParam(), file)) << file.substr(0, 99);
}

TEST_P(FuzzReaders, TruncationsAreSurvived) {
  for (const std::string& file : files())
    feedTruncations(file, 1 + file.size() / 40,
                    [](const std::string& input) { feed(GetParam(), input); });
}

TEST_P(FuzzReaders, MutationsAreSurvived) {
  feedMutations(
      files(),
      {"0", "-1", "1e308", "99999999999", "nan", "null", "[", "{", "\"", "<", "\n", "\x1b",
       std::string(4, '\0'), std::string(4, '\xff'), std::string("\x80\0\0\0", 4), "\xff", "/"},
      600, [](const std::string& input) { feed(GetParam(), input); });
}

INSTANTIATE_TEST_SUITE_P(All, FuzzReaders, testing::ValuesIn(readers().begin(), readers().end()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace fathom::fuzz
