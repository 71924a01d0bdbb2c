// SPDX-License-Identifier: BSD-3-Clause
// Names without regard to their case.
#pragma once

namespace fathom {

/// The text with A to Z as a to z; other bytes stay.
inline std::string lowered(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Of a file's name, with its dot, in lower case: ".exr"; empty without one.
inline std::string endingOf(const std::filesystem::path& file) {
  return lowered(file.extension().string());
}

}  // namespace fathom
