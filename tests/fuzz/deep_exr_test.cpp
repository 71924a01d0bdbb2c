// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test: the files of the corpus, cut off anywhere, and some thousand
// mutations of them that are the same in every run.
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/core/random.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/temp_folder.h"

namespace fathom {
namespace {

std::vector<std::filesystem::path> corpusFiles() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::sourcePath("tests/fuzz/corpus/deep_exr")))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const auto& path : corpusFiles()) files.push_back(test::readText(path));
  return files;
}

void run(const std::string& file) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
}

/// One change: a bit, a number that means something, bytes gone, doubled or from another file.
void mutate(Random& random, std::string& file, const std::vector<std::string>& others) {
  const std::uint32_t kNumbers[] = {0,          1,          2,          0x7FFFFFFF, 0xFFFFFFFF,
                                    0x80000000, 0x7FC00000, 0xFF800000, 0x00010000, 16};
  if (file.size() < 8) file = others.front();
  const std::size_t at = random.below(std::uint32_t(file.size()));
  const std::size_t length = 1 + random.below(16);
  const std::string& other = others[random.below(std::uint32_t(others.size()))];
  switch (random.below(6)) {
    case 0:
      file[at] = char(file[at] ^ (1 << random.below(8)));
      break;
    case 1:
    case 2:
      if (at + 4 <= file.size()) std::memcpy(file.data() + at, &kNumbers[random.below(10)], 4);
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

TEST(DeepCorpus, HoldsEveryKindOfFile) {
  std::set<std::string> kinds;
  for (const auto& path : corpusFiles())
    for (const ExrPartInfo& part : describeExr(path).parts)
      kinds.insert(part.type + " " + part.compression);
  EXPECT_EQ(kinds, (std::set<std::string>{"deepscanline fdp", "deepscanline none",
                                          "deepscanline rle", "deepscanline zips", "deeptile none",
                                          "deeptile rle", "deeptile zips"}));
}

TEST(DeepCorpus, IsReadWithoutComplaint) {
  EXPECT_GE(corpus().size(), 12u);
  for (const auto& path : corpusFiles()) EXPECT_NO_THROW(readDeepExr(path)) << path;
  for (const std::string& file : corpus()) run(file);
}

TEST(DeepCorpus, SurvivesEveryTruncation) {
  for (const std::string& file : corpus())
    for (std::size_t length = 0; length < file.size(); length += 5) run(file.substr(0, length));
}

TEST(DeepCorpus, SurvivesMutations) {
  const std::vector<std::string> files = corpus();
  Random random(5);
  for (int i = 0; i < 10'000; ++i) {
    std::string file = files[random.below(std::uint32_t(files.size()))];
    for (std::uint32_t changes = 1 + random.below(3); changes > 0; --changes)
      mutate(random, file, files);
    run(file);
  }
}

}  // namespace
}  // namespace fathom
