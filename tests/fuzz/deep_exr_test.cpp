// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test.
#include "app/engine/io/exr/deep_exr.h"
#include "tests/fuzz/corpus.h"

namespace fathom {
namespace {

TEST(DeepCorpus, HoldsEveryKindOfFile) {
  std::set<std::string> kinds;
  for (const auto& path : fuzz::corpusFiles("deep_exr"))
    for (const ExrPartInfo& part : describeExr(path).parts)
      kinds.insert(part.type + " " + part.compression);
  EXPECT_EQ(kinds,
            (std::set<std::string>{"deepscanline fdp", "deepscanline none", "deepscanline rle",
                                   "deepscanline zips", "deepscanline zstd", "deeptile none",
                                   "deeptile rle", "deeptile zips", "deeptile zstd"}));
}

TEST(DeepCorpus, IsReadWithoutComplaint) {
  EXPECT_GE(fuzz::corpus("deep_exr").size(), 12u);
  for (const auto& path : fuzz::corpusFiles("deep_exr")) EXPECT_NO_THROW(readDeepExr(path)) << path;
  for (const std::string& file : fuzz::corpus("deep_exr")) fuzz::run(file);
}

TEST(DeepCorpus, SurvivesEveryTruncation) {
  for (const std::string& file : fuzz::corpus("deep_exr"))
    fuzz::feedTruncations(file, 17, fuzz::run);
}

TEST(DeepCorpus, SurvivesMutations) {
  fuzz::feedMutations(fuzz::corpus("deep_exr"),
                      fuzz::wordsOf({0, 1, 2, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 0x7FC00000,
                                     0xFF800000, 0x00010000, 16}),
                      3'000, fuzz::run);
}

}  // namespace
}  // namespace fathom
