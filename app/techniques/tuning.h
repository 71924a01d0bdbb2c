// SPDX-License-Identifier: BSD-3-Clause
// What a technique offers to tuning: variants of one space on one workload, each of which can be
// checked and timed. The tuner (bench/), the benches and the window run the same.
#pragma once

#include "app/core/progress.h"
#include "app/gpu/context.h"
#include "app/gpu/variant_sweep.h"
#include "app/gpu/variants.h"
#include "app/techniques/workload.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <glm/vec2.hpp>

namespace fathom {

/// A workload on the device, for all variants of a space.
class TuneWorkload {
 public:
  virtual ~TuneWorkload() = default;
  virtual const gpu::Space& space() const = 0;
  /// Runs the variant once and compares with the reference; this is also the warm-up. A device that
  /// cannot run it is a failed check.
  virtual Checked check(const gpu::Variant& variant) = 0;
  /// Runs the variant once. Device time; on software renderers, the processor time of all threads.
  virtual double timeMs(const gpu::Variant& variant) = 0;
};

/// What a tuned result is valid for, beside the device.
struct TuneKey {
  std::string workload;      // "r16": the class of what was measured
  glm::ivec2 size{0};        // pixels
  std::string templateHash;  // changes with the shaders
  std::string backEnd;       // "arb"; empty: there is only one
};

struct TuneRequest {
  glm::ivec2 size{0};
  std::string workload;  // one of Tunable::workloads
  std::uint64_t seed = 1;
};

struct Tunable {
  std::string technique;  // "dof"
  std::string about;      // what is tuned, one line
  const gpu::Space* space = nullptr;
  /// What runs without tuning.
  std::string (*defaultId)(const gpu::Context& gpu, const std::string& workload) = nullptr;
  std::vector<std::string> workloads;  // classes: "r8", "r16-coverage"
  std::vector<std::string> defaultWorkloads;
  /// Which variants compete for a workload; null: the counted ones.
  std::vector<int> (*variants)(const std::string& workload) = nullptr;
  /// A size for this device.
  glm::ivec2 (*size)(const gpu::Context&) = nullptr;
  std::unique_ptr<TuneWorkload> (*make)(gpu::Context&, const TuneRequest&, Progress&) = nullptr;
  TuneKey (*key)(gpu::Context&, const TuneRequest&) = nullptr;
};

/// One run, waited for, in milliseconds: GPU time; where that is the processor, its time over all
/// threads, which other programs disturb least.
double timedMs(gpu::Context& gpu, const std::function<void()>& run);

/// Id, state, median and trials of every variant as a table, fastest first.
std::string sweepCsv(const gpu::Space& space, const gpu::VariantSweep& sweep);

}  // namespace fathom
