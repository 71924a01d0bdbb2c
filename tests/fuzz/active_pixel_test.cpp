// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test: the files of the corpus, cut off anywhere, and some ten
// thousand mutations of them that are the same in every run.
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/core/random.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/temp_folder.h"

namespace fathom::active_pixel {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::sourcePath("tests/fuzz/corpus/active_pixel")))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& path : paths) files.push_back(test::readText(path));
  return files;
}

void run(const std::string& file) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
}

/// One change: a bit, a word that means something, words gone, doubled or from another file.
void mutate(Random& random, std::string& file, const std::vector<std::string>& others) {
  const std::uint32_t kWords[] = {0,      1,      2,      3,      12,         0x7FFFFFFF,
                                  0xC000, 0xC001, 0xC003, 0xD000, 0xFFFFFFFF, 0x80000000};
  if (file.size() < 8) file = others.front();
  const std::size_t at = random.below(std::uint32_t(file.size())) / 4 * 4;
  const std::size_t length = 4 * (1 + random.below(4));
  const std::string& other = others[random.below(std::uint32_t(others.size()))];
  switch (random.below(5)) {
    case 0:
      file[at] = char(file[at] ^ (1 << random.below(8)));
      break;
    case 1:
      if (at + 4 <= file.size()) std::memcpy(file.data() + at, &kWords[random.below(12)], 4);
      break;
    case 2:
      file.erase(at, length);
      break;
    case 3:
      file.insert(at, file.substr(at, length));
      break;
    default:
      file.replace(at, std::string::npos, other.substr(std::min(at, other.size())));
  }
}

TEST(SparseCorpus, IsReadWithoutComplaint) {
  EXPECT_GE(corpus().size(), 6u);
  for (const std::string& file : corpus()) {
    EXPECT_NO_THROW(parseIcet(std::as_bytes(std::span(file)), "corpus"));
    run(file);
  }
}

TEST(SparseCorpus, SurvivesEveryTruncation) {
  for (const std::string& file : corpus())
    for (std::size_t length = 0; length < file.size(); ++length) run(file.substr(0, length));
}

TEST(SparseCorpus, SurvivesMutations) {
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
}  // namespace fathom::active_pixel
