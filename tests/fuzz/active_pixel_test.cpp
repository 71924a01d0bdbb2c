// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test.
#include "app/engine/active_pixel/image/picture.h"
#include "tests/fuzz/corpus.h"

namespace fathom::active_pixel {
namespace {

TEST(SparseCorpus, IsReadWithoutComplaint) {
  EXPECT_GE(fuzz::corpus("active_pixel").size(), 6u);
  for (const std::string& file : fuzz::corpus("active_pixel")) {
    EXPECT_NO_THROW(parseIcet(std::as_bytes(std::span(file)), "corpus"));
    fuzz::run(file);
  }
}

TEST(SparseCorpus, SurvivesEveryTruncation) {
  for (const std::string& file : fuzz::corpus("active_pixel"))
    fuzz::feedTruncations(file, 1, fuzz::run);
}

TEST(SparseCorpus, SurvivesMutations) {
  fuzz::feedMutations(fuzz::corpus("active_pixel"),
                      fuzz::wordsOf({0, 1, 2, 3, 12, 0x7FFFFFFF, 0xC000, 0xC001, 0xC003, 0xD000,
                                     0xFFFFFFFF, 0x80000000}),
                      20'000, fuzz::run);
}

}  // namespace
}  // namespace fathom::active_pixel
