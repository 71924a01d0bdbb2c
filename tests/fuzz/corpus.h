// SPDX-License-Identifier: BSD-3-Clause
// The corpora of the fuzz targets as ordinary tests feed them: as they are, cut off anywhere, and
// mutated the same in every run.
#pragma once

#include "app/engine/core/random.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/temp_folder.h"

namespace fathom::fuzz {

/// The files of tests/fuzz/corpus/<name>.
inline std::vector<std::filesystem::path> corpusFiles(std::string_view name) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::sourcePath("tests/fuzz/corpus") / name))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::vector<std::string> corpus(std::string_view name) {
  std::vector<std::string> files;
  for (const auto& path : corpusFiles(name)) files.push_back(test::readText(path));
  return files;
}

inline void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

/// Words that are these numbers.
inline std::vector<std::string> wordsOf(std::initializer_list<std::uint32_t> numbers) {
  std::vector<std::string> words;
  for (const std::uint32_t& number : numbers)
    words.emplace_back(reinterpret_cast<const char*>(&number), sizeof number);
  return words;
}

inline const std::string& oneOf(Random& random, const std::vector<std::string>& list) {
  return list[random.below(std::uint32_t(list.size()))];
}

/// One change: a bit, a word that means something, bytes gone, doubled or from another file. Half
/// of them keep to words of four bytes.
inline void mutate(Random& random, std::string& file, const std::vector<std::string>& files,
                   const std::vector<std::string>& words) {
  const std::string &other = oneOf(random, files), &word = oneOf(random, words);
  if (file.size() < 8) file = files.front();
  const std::size_t unit = random.below(2) ? 4 : 1;
  const std::size_t at = random.below(std::uint32_t(file.size())) / unit * unit;
  const std::size_t length = unit * (1 + random.below(std::uint32_t(16 / unit)));
  switch (random.below(7)) {
    case 0:
      file[at] = char(file[at] ^ (1 << random.below(8)));
      break;
    case 1:
    case 2:
      file.replace(at, word.size(), word);
      break;
    case 3:
      file.insert(at, word);
      break;
    case 4:
      file.erase(at, length);
      break;
    case 5:
      file.insert(at, file.substr(at, length));
      break;
    default:
      file.replace(at, std::string::npos, other.substr(std::min(at, other.size())));
  }
}

/// Feeds `count` files of one to four changes each.
template <typename Feed>
void feedMutations(const std::vector<std::string>& files, const std::vector<std::string>& words,
                   int count, const Feed& feed) {
  Random random(5);
  for (int i = 0; i < count; ++i) {
    std::string file = oneOf(random, files);
    for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes)
      mutate(random, file, files, words);
    feed(file);
  }
}

/// Feeds the beginnings of every `step` bytes.
template <typename Feed>
void feedTruncations(const std::string& file, std::size_t step, const Feed& feed) {
  for (std::size_t length = 0; length < file.size(); length += step) feed(file.substr(0, length));
}

}  // namespace fathom::fuzz
