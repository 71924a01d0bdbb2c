// SPDX-License-Identifier: BSD-3-Clause
// How faithful a decoded picture is to the float64 reference, in bits: the paper's test and a
// strict one. The paper asks for a mean squared error per pixel below 2^-b, which lets 1/16 pass
// for 8 bits; the strict test asks for half a step of b bits in every channel.
#pragma once

#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/reference.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace fathom::smoe {

constexpr std::array<int, 5> kFidelityBits{8, 10, 12, 14, 16};

struct Fidelity {
  std::size_t pixels = 0;
  double mse = 0, maxError = 0;             // over the three channels, clamped to 0..1
  std::array<std::size_t, 5> paperFails{};  // pixels, per kFidelityBits
  std::array<std::size_t, 5> strictFails{};
};

/// Both in the model's color space, not clamped: vec4 and dvec3 [pixels].
Fidelity fidelityOf(std::span<const glm::vec4> decoded, std::span<const glm::dvec3> exact);

/// Squares of 8 x 8 pixels, spread evenly over a picture, to check instead of all of it.
struct Sampled {
  std::vector<reference::Grid> grids;  // where the reference is taken
  std::vector<glm::vec4> decoded;      // the picture's values there, grid by grid
};
/// `decoded`: vec4[height][width] of the grid.
Sampled sampleSquares(std::span<const glm::vec4> decoded, const reference::Grid& grid, int squares);
/// Takes the reference over all components there; seconds, on any thread.
Fidelity fidelityOf(const Sampled& sampled, std::span<const Record> records);

}  // namespace fathom::smoe
