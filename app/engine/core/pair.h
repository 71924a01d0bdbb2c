// SPDX-License-Identifier: BSD-3-Clause
// Two whole numbers as people write them for sizes, places and tiles.
#pragma once

namespace fathom {

/// "1920x1080" or "12,34"; none when it is not two whole numbers.
inline std::optional<glm::ivec2> parsePair(std::string_view text) {
  const std::size_t cut = text.find_first_of(",x");
  if (cut == std::string_view::npos) return std::nullopt;
  glm::ivec2 pair{0};
  for (const auto& [part, value] :
       {std::pair(text.substr(0, cut), &pair.x), std::pair(text.substr(cut + 1), &pair.y)}) {
    const char* const end = part.data() + part.size();
    const auto [at, error] = std::from_chars(part.data(), end, *value);
    if (error != std::errc() || at != end) return std::nullopt;
  }
  return pair;
}

}  // namespace fathom
