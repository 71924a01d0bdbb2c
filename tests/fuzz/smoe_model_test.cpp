// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test.
#include "app/engine/core/error.h"
#include "app/engine/smoe/model/file.h"
#include "tests/fuzz/corpus.h"

namespace fathom::smoe {
namespace {

TEST(ModelCorpus, IsReadWithoutComplaint) {
  EXPECT_GE(fuzz::corpus("smoe").size(), 8u);
  for (const std::string& file : fuzz::corpus("smoe")) {
    Progress progress;
    EXPECT_NO_THROW(readModel(std::as_bytes(std::span(file)), "corpus", progress));
    fuzz::run(file);
  }
}

TEST(ModelCorpus, SurvivesEveryTruncation) {
  for (const std::string& file : fuzz::corpus("smoe")) fuzz::feedTruncations(file, 7, fuzz::run);
}

TEST(ModelCorpus, SurvivesMutations) {
  // Numbers of the payload are floats.
  std::vector<std::string> words = fuzz::wordsOf(
      {0x7f800000, 0x7fc00000, 0x80000000, 1, 0x7f7fffff, 0xff7fffff, 0x80000001, 0x3f800000});
  for (const char* word :
       {"0", "-1", "1e308", "4194304", "null", "[", "{", "\"f32\"", "\"q\"", "\"gmm\"", "NaN",
        "18446744073709551616", "\"full\"", "24", "\"version\": 1, ", "\\u0000"})
    words.push_back(word);
  fuzz::feedMutations(fuzz::corpus("smoe"), words, 20'000, fuzz::run);
}

}  // namespace
}  // namespace fathom::smoe
