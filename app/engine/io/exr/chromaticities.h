// SPDX-License-Identifier: BSD-3-Clause
// Primaries and white point of an EXR, as the matrix that shows its colors on a display.
#pragma once

#include <filesystem>
#include <optional>

#include <glm/mat3x3.hpp>

namespace fathom {

/// From linear RGB of the file's "chromaticities" to linear RGB of Rec. 709 with its white; none
/// when the file has none, or those of Rec. 709. Chromatic adaptation after Bradford (Lam 1985).
/// Throws Error when the file cannot be read.
std::optional<glm::mat3> matrixToRec709(const std::filesystem::path& file);

}  // namespace fathom
