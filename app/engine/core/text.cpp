// SPDX-License-Identifier: BSD-3-Clause
// UTF-8 as RFC 3629 has it: what a terminal would obey or cannot show is spelled out.
#include "app/engine/core/text.h"

#include "app/engine/core/error.h"

namespace fathom {
namespace {

/// Bytes of the character that `text` begins with; 0: it is none, a control character, or one that
/// separates lines or turns the direction of text.
std::size_t shownBytes(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = at(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F;
  const std::size_t count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < count; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  if (first == 0xC2 && at(1) < 0xA0) return 0;  // control characters too
  if (first == 0xE2 && at(1) == 0x80 &&
      (at(2) >> 1 == 0x8E >> 1 || (at(2) >= 0xA8 && at(2) <= 0xAE)))
    return 0;
  if (first == 0xE2 && at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9) return 0;
  const bool overlong = (first == 0xE0 && at(1) < 0xA0) || (first == 0xF0 && at(1) < 0x90);
  const bool surrogate = first == 0xED && at(1) > 0x9F, beyond = first == 0xF4 && at(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : count;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::vector<std::string> splitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::size_t wordIndex(const std::string& what, std::string_view text,
                      std::initializer_list<std::string_view> words) {
  const auto at = std::find(words.begin(), words.end(), text);
  if (at == words.end())
    failUsage("{}: expected {} or {}, found \"{}\"", what,
              fmt::join(words.begin(), words.end() - 1, ", "), *(words.end() - 1), text);
  return std::size_t(at - words.begin());
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3;) text.insert(end -= 3, ",");
  return text;
}

std::string printable(std::string_view text, bool lines) {
  std::string shown;
  while (!text.empty()) {
    const bool stays = lines && (text[0] == '\n' || text[0] == '\t');
    const std::size_t count = stays ? 1 : shownBytes(text);
    if (count > 0)
      shown += text.substr(0, count);
    else if (text[0] == '\n')
      shown += "\\n";
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(std::max<std::size_t>(count, 1));
  }
  return shown;
}

}  // namespace fathom
