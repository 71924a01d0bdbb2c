// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test: the texts of the corpus, which are expressions all, and some
// thousand texts made of their parts and of words that mean something.
#include "tests/fuzz/corpus.h"

namespace fathom {
namespace {

TEST(ExpressionCorpus, SurvivesMutations) {
  const std::vector<std::string> texts = fuzz::corpus("deep_expression");
  ASSERT_GE(texts.size(), 4u);
  const std::vector<std::string> words{
      "R",         "Z",     "id",     "ZBack", "A",     "=",   "==",   ";",     "(",   ")",
      "((",        "))",    ",",      "?",     ":",     "+",   "-",    "*",     "/",   "^",
      "1e308",     "0",     "-1",     "1/0",   "0/0",   "sin", "max(", "sum()", "avg", "if",
      "\"a\"",     "_pi",   "!",      "&&",    "||",    "<",   " ",    "\n",    "x",   "n",
      "diffuse.R", "rint(", "ln(-1)", ".",     "1.2.3", "\xff"};
  Random random(11);
  for (int i = 0; i < 4000; ++i) {
    std::string text = random.below(2) ? fuzz::oneOf(random, texts) : "R = ";
    for (std::uint32_t changes = 1 + random.below(8); changes > 0; --changes) {
      const std::size_t at = random.below(std::uint32_t(text.size()) + 1);
      const std::size_t length = std::min<std::size_t>(random.below(4), text.size() - at);
      text.replace(at, length, fuzz::oneOf(random, words));
    }
    fuzz::run(text);
  }
}

TEST(ExpressionCorpus, LongAndDeepTextsEnd) {
  fuzz::run(std::string(4000, '('));
  fuzz::run("R = " + std::string(4000, '-') + "1");
  fuzz::run("R = " + std::string(2000, '(') + "R" + std::string(2000, ')'));
  std::string choices = "R = ";
  for (int i = 0; i < 900; ++i) choices += "R?1:";
  fuzz::run(choices + "0");
  fuzz::run(std::string(1 << 20, 'R'));
}

}  // namespace
}  // namespace fathom
