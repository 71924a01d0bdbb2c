// SPDX-License-Identifier: BSD-3-Clause
// Palettes by number: Fathom's own library (assets/flame/palettes.xml) and flam3's, where it is
// installed. Both are files of flam3's form: <palette number name data>, 256 groups 00RRGGBB.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

struct NamedPalette {
  int number = 1;
  std::string name;
  Palette colors{};  // opaque
};

/// Reads a library; throws Error.
std::vector<NamedPalette> readPalettes(const fs::path& file);

/// Fathom's own, read once. Throws Error when the file of the installation is missing or broken.
const std::vector<NamedPalette>& ownPalettes();
/// The library that palette numbers of genomes mean: $flam3_palettes, else
/// /usr/share/flam3/flam3-palettes.xml; empty when there is none. Read once; throws Error when it
/// is there but broken.
const std::vector<NamedPalette>& flam3Palettes();
/// None of this number: null.
const NamedPalette* paletteNumbered(const std::vector<NamedPalette>& library, int number);

/// Each color to hue, saturation, value; hue turned by `turns` of the circle; and back.
Palette rotatedHue(const Palette& palette, double turns);

/// The old form: two palettes mixed in hue, saturation and value, hue the short way round.
Palette blended(const Palette& first, const Palette& second, double share);

/// Where set[i] is false, the linear mix of the nearest set entries around the circle. At least one
/// must be set.
void fillGaps(Palette& palette, const std::array<bool, 256>& set);

/// Reads `count` groups of `digits` hex digits (white space between groups is skipped) into red,
/// green, blue, and alpha when `digits` is 8 and `alphaLast`; 00RRGGBB when not. Returns what is
/// wrong, or nothing.
std::string readHexColors(std::string_view text, int count, int digits, bool alphaLast,
                          std::span<glm::vec4> palette);

/// 256 colors of any number of them, at equal distances, mixed linearly.
Palette resampled(std::span<const glm::vec4> colors);

glm::dvec3 hsvFromRgb(glm::dvec3 rgb);  // hue in [0, 6); of greys 0
glm::dvec3 rgbFromHsv(glm::dvec3 hsv);

/// By the ending; .xml: flam3's library. "FILE" or "FILE#PART".
bool isPaletteFile(const std::string& input);
/// "FILE": its first palette; "FILE#PART": the one of this number or name. Throws Error.
Palette readPalette(const std::string& input);
/// Palettes from text, at least one, in the format that the ending of `name` says. Throws Error.
std::vector<NamedPalette> parsePaletteFile(std::string_view text, const fs::path& name);

/// By the ending: .map or .gpl. Throws Error for others.
void writePaletteFile(const fs::path& file, const Palette& palette);

}  // namespace fathom::flame
