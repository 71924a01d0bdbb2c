// SPDX-License-Identifier: BSD-3-Clause
// The fuzz targets of readers.cpp as ordinary tests: the files of each corpus as they are, cut off
// anywhere, and mutations of them that are the same in every run.
#include "tests/fuzz/readers.h"

#include "app/engine/core/random.h"
#include "tests/support/temp_folder.h"

namespace fathom::fuzz {
namespace {

constexpr int kMutations = 600;  // of each reader

class FuzzReaders : public testing::TestWithParam<Reader> {
 protected:
  static std::vector<std::string> corpus() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(
             test::sourcePath("tests/fuzz/corpus") / GetParam().name))
      paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> files;
    for (const auto& path : paths) files.push_back(test::readText(path));
    return files;
  }
};

/// One change: a bit, a number or a word that means something, bytes gone, doubled or from another
/// file.
void mutate(Random& random, std::string& file, const std::vector<std::string>& others) {
  static const std::vector<std::string> words = {"0",
                                                 "-1",
                                                 "1e308",
                                                 "99999999999",
                                                 "nan",
                                                 "null",
                                                 "[",
                                                 "{",
                                                 "\"",
                                                 "<",
                                                 "\n",
                                                 "\x1b",
                                                 "",
                                                 std::string(4, '\0'),
                                                 std::string(4, '\xff'),
                                                 std::string("\x80\0\0\0", 4),
                                                 "\xff",
                                                 "/"};
  const std::string& other = others[random.below(std::uint32_t(others.size()))];
  if (file.empty()) file = other;
  const std::size_t at = random.below(std::uint32_t(file.size()));
  const std::size_t length = 1 + random.below(16);
  const std::string& word = words[random.below(std::uint32_t(words.size()))];
  switch (random.below(6)) {
    case 0:
      file[at] = char(file[at] ^ (1 << random.below(8)));
      break;
    case 1:
      file.replace(at, word.size(), word);
      break;
    case 2:
      file.insert(at, word);
      break;
    case 3:
      file.erase(at, length);
      break;
    case 4:
      file.insert(at, file.substr(at, length));
      break;
    default:
      file.replace(at, std::string::npos, other.substr(std::min(at, other.size())));
  }
}

TEST_P(FuzzReaders, CorpusIsRead) {
  EXPECT_GE(corpus().size(), 1u);
  for (const std::string& file : corpus())
    EXPECT_TRUE(feed(GetParam(), file)) << file.substr(0, 99);
}

TEST_P(FuzzReaders, TruncationsAreSurvived) {
  for (const std::string& file : corpus())
    for (std::size_t i = 0; i < 40; ++i) feed(GetParam(), file.substr(0, file.size() * i / 40));
}

TEST_P(FuzzReaders, MutationsAreSurvived) {
  const std::vector<std::string> files = corpus();
  Random random(5);
  for (int i = 0; i < kMutations; ++i) {
    std::string file = files[random.below(std::uint32_t(files.size()))];
    for (std::uint32_t changes = 1 + random.below(3); changes > 0; --changes)
      mutate(random, file, files);
    feed(GetParam(), file);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzReaders, testing::ValuesIn(readers().begin(), readers().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fathom::fuzz
