// SPDX-License-Identifier: BSD-3-Clause
// Shared by the benches of active pixels: the paper's workloads and sizes, views of a turn, and the
// check against the reference.
#pragma once

#include "app/lab/active_pixel/bench_paper.h"
#include "app/engine/active_pixel/distribute/local_ranks.h"
#include "app/engine/active_pixel/settings.h"
#include "app/lab/workload.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::active_pixel {

/// Settings of the benches themselves, for --set and --sweep.
struct BenchSettings {
  std::string folder;  // a folder of OBJ files in place of the paper's neurons; empty: none
  Method method = Method::Fused;
};
void describe(BenchSettings& settings, FieldVisitor& field);

struct BenchWorkload {
  PaperWorkload paper;
  std::string name;
  std::shared_ptr<const ShareSource> source;
  int fewRanks, manyRanks;  // the paper's smallest and largest job
};
/// Opens station and points, at the scale's count, and the folder if there is one.
std::vector<BenchWorkload> workloadsOf(BenchRun& run, const std::string& folder);

/// HD at the normal scale; HD, 4K and 8K at the paper's; --size alone when it is given.
std::vector<glm::ivec2> sizesOf(const BenchRun& run);

/// The model's first view with its bounds in the middle, filling the picture, turned by
/// `frame` steps of 2 degrees.
Camera viewOf(const Whole& whole, glm::ivec2 size, int frame);

/// Whether this sparse image is byte for byte what the reference makes of what was drawn.
CheckResult sameAsReference(const ShareRenderer::Drawn& drawn, const Format& format,
                            glm::ivec2 size, std::span<const std::uint32_t> words);

void runEncode(BenchRun& run);  // bench_encode.cpp
void runRatio(BenchRun& run);   // bench_ratio.cpp
void runFrames(BenchRun& run);  // bench_frames.cpp

}  // namespace fathom::active_pixel
