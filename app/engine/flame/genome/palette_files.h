// SPDX-License-Identifier: BSD-3-Clause
// Palettes as other programs keep them: .map (Fractint), .gpl and .ggr (GIMP's palettes and
// gradients), .ugr and .gradient (UltraFractal, Apophysis). Written: .map and .gpl.
#pragma once

#include "app/engine/flame/genome/palettes.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace fathom::flame {

/// True for the endings above, whatever the capitals.
bool isPaletteFile(const std::filesystem::path& file);
/// Those of a file, at least one. Throws Error: `FILE: expected ..., found ...`.
std::vector<NamedPalette> readPaletteFile(const std::filesystem::path& file);
/// The same from text, by the ending of `name`.
std::vector<NamedPalette> parsePaletteFile(std::string_view text,
                                           const std::filesystem::path& name);

/// By the ending: .map or .gpl. Throws Error for others.
void writePaletteFile(const std::filesystem::path& file, const Palette& palette);

}  // namespace fathom::flame
