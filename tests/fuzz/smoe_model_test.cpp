// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test: the files of the corpus as they are, and some thousand
// mutations of them that are the same in every run.
#include "app/engine/core/error.h"
#include "app/engine/core/random.h"
#include "app/engine/smoe/model/file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/temp_folder.h"

namespace fathom::smoe {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::sourcePath("tests/fuzz/corpus/smoe")))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& path : paths) files.push_back(test::readText(path));
  return files;
}

void run(const std::string& file) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
}

/// One change: a byte, a run of bytes gone or doubled, a word that means something, another file's
/// tail.
void mutate(Random& random, std::string& file, const std::vector<std::string>& others) {
  static const std::vector<std::string> words = {"0",
                                                 "-1",
                                                 "1e308",
                                                 "4194304",
                                                 "null",
                                                 "[",
                                                 "{",
                                                 "\"f32\"",
                                                 "\"q\"",
                                                 "\"gmm\"",
                                                 "NaN",
                                                 "",
                                                 "18446744073709551616",
                                                 "\"full\"",
                                                 "24",
                                                 "\"version\": 1, ",
                                                 "\\u0000"};
  const std::string& other = others[random.below(std::uint32_t(others.size()))];
  if (file.empty()) file = other;
  const std::size_t at = random.below(std::uint32_t(file.size()));
  const std::size_t length = 1 + random.below(16);
  switch (random.below(7)) {
    case 0:
      file[at] = char(random.next());
      break;
    case 1:
      file[at] = char(file[at] ^ (1 << random.below(8)));
      break;
    case 2:
      file.erase(at, length);
      break;
    case 3:
      file.insert(at, file.substr(at, length));
      break;
    case 4: {
      const std::string& word = words[random.below(std::uint32_t(words.size()))];
      file.replace(at, std::min(length, word.size()), word);
      break;
    }
    case 5:
      file.replace(at, std::string::npos, other.substr(std::min(at, other.size())));
      break;
    default: {
      // Numbers of the payload are little-endian floats at multiples of four.
      const std::uint32_t specials[] = {0x7f800000, 0x7fc00000, 0x80000000, 1,
                                        0x7f7fffff, 0xff7fffff, 0x80000001, 0x3f800000};
      const std::size_t place = at / 4 * 4;
      if (place + 4 <= file.size()) std::memcpy(file.data() + place, &specials[random.below(8)], 4);
    }
  }
}

TEST(ModelCorpus, IsReadWithoutComplaint) {
  EXPECT_GE(corpus().size(), 8u);
  for (const std::string& file : corpus()) {
    Progress progress;
    EXPECT_NO_THROW(readModel(std::as_bytes(std::span(file)), "corpus", progress));
    run(file);
  }
}

TEST(ModelCorpus, SurvivesEveryTruncation) {
  for (const std::string& file : corpus())
    for (std::size_t length = 0; length < file.size(); length += 7) run(file.substr(0, length));
}

TEST(ModelCorpus, SurvivesMutations) {
  const std::vector<std::string> files = corpus();
  Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string file = files[random.below(std::uint32_t(files.size()))];
    for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes)
      mutate(random, file, files);
    run(file);
  }
}

}  // namespace
}  // namespace fathom::smoe
