// SPDX-License-Identifier: BSD-3-Clause
// Names without regard to their case, numbers, and text of strangers on a terminal.
#pragma once

#include <ranges>

namespace fathom {

/// The text with A to Z as a to z; other bytes stay.
inline std::string lowered(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Of a file's name, with its dot, in lower case: ".exr"; empty without one.
inline std::string endingOf(const fs::path& file) { return lowered(file.extension().string()); }

/// The number that the whole text is, as std::from_chars() reads it; none for anything else.
template <class T>
std::optional<T> numberIn(std::string_view text, auto... base) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, base...);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

/// Without the blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

/// The parts between separators, at least one.
std::vector<std::string> splitAt(std::string_view text, char separator);

/// What `of` (a function or a member) makes of each of `all`, with a separator between two.
template <class All, class Of>
std::string joined(const All& all, std::string_view separator, Of of) {
  return fmt::format("{}", fmt::join(std::views::transform(all, of), separator));
}

/// Which of these words a text is. Throws UsageError: "WHAT: expected one, another or a third,
/// found "TEXT"".
std::size_t wordIndex(const std::string& what, std::string_view text,
                      std::initializer_list<std::string_view> words);

/// 3895721 as "3,895,721".
std::string grouped(std::uint64_t number);

/// Fit for a terminal and for one line: control characters and bytes that are not UTF-8 are shown
/// as \x1b, a line feed as \n. `lines`: line feeds and tabs stay.
std::string printable(std::string_view text, bool lines = false);

}  // namespace fathom
