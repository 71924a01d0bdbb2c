// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test: the texts of the corpus, which are expressions all, and some
// thousand texts made of their parts and of words that mean something.
#include "app/engine/core/random.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/temp_folder.h"

namespace fathom {
namespace {

void run(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::sourcePath("tests/fuzz/corpus/deep_expression")))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(test::readText(path));
  return texts;
}

TEST(ExpressionCorpus, SurvivesMutations) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 4u);
  const std::vector<std::string> words{
      "R",         "Z",     "id",     "ZBack", "A",     "=",   "==",   ";",     "(",   ")",
      "((",        "))",    ",",      "?",     ":",     "+",   "-",    "*",     "/",   "^",
      "1e308",     "0",     "-1",     "1/0",   "0/0",   "sin", "max(", "sum()", "avg", "if",
      "\"a\"",     "_pi",   "!",      "&&",    "||",    "<",   " ",    "\n",    "x",   "n",
      "diffuse.R", "rint(", "ln(-1)", ".",     "1.2.3", "\xff"};
  Random random(11);
  for (int i = 0; i < 4000; ++i) {
    std::string text = random.below(2) ? texts[random.below(std::uint32_t(texts.size()))] : "R = ";
    for (std::uint32_t changes = 1 + random.below(8); changes > 0; --changes) {
      const std::size_t at = random.below(std::uint32_t(text.size()) + 1);
      const std::size_t length = std::min<std::size_t>(random.below(4), text.size() - at);
      text.replace(at, length, words[random.below(std::uint32_t(words.size()))]);
    }
    run(text);
  }
}

TEST(ExpressionCorpus, LongAndDeepTextsEnd) {
  run(std::string(4000, '('));
  run("R = " + std::string(4000, '-') + "1");
  run("R = " + std::string(2000, '(') + "R" + std::string(2000, ')'));
  std::string choices = "R = ";
  for (int i = 0; i < 900; ++i) choices += "R?1:";
  run(choices + "0");
  run(std::string(1 << 20, 'R'));
}

}  // namespace
}  // namespace fathom
