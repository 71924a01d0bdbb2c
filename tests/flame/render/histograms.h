// SPDX-License-Identifier: BSD-3-Clause
// Histograms for tests of the image stage: hits of a small attractor, dense and thin side by side,
// as words, in parts of any height.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/flame/render/settings.h"

namespace fathom::test {

/// A genome of this size whose numbers are those of an ordinary sheep.
flame::Genome pictureGenome(glm::ivec2 size, int supersample);

/// Words of all buckets (histogram.h) after `samplesPerPixel` points of an attractor that lies in
/// the middle of the picture; with alpha where the genome's shape has it.
std::vector<std::uint32_t> attractorWords(const flame::HistogramShape& shape,
                                          double samplesPerPixel, std::uint64_t seed = 1);

/// On the GPU, in parts of this many rows (0: one part).
flame::Histogram uploaded(gpu::Context& gpu, const flame::HistogramShape& shape,
                          const std::vector<std::uint32_t>& words, double samples,
                          int rowsPerPart = 0);

}  // namespace fathom::test
