// SPDX-License-Identifier: BSD-3-Clause
// Numbers as C reads them in the "C" locale, whatever the locale of the program.
#include "app/engine/flame/genome/text.h"

#include "app/system/machine.h"

namespace fathom::flame {

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, longest)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out + (text.size() > longest ? "...\"" : "\"");
}

std::optional<double> realOf(const std::string& text) {
  char* end = nullptr;
  const double value = system::toDouble(text.c_str(), &end);
  if (*end != '\0') return std::nullopt;
  return value;
}

std::optional<int> integerOf(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (*end != '\0' || errno == ERANGE || value < INT_MIN || value > INT_MAX) return std::nullopt;
  return int(value);
}

double leadingReal(const std::string& text) { return system::toDouble(text.c_str(), nullptr); }

std::vector<std::string> wordsOf(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\r\n\f\v";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(kWhiteSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kWhiteSpace, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kWhiteSpace, end);
  }
  return words;
}

std::optional<std::vector<double>> realsOf(const std::string& text) {
  std::vector<double> values;
  for (const std::string& word : wordsOf(text)) {
    const std::optional<double> value = realOf(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::string textOf(double value) { return fmt::format("{}", value); }

}  // namespace fathom::flame
