// SPDX-License-Identifier: BSD-3-Clause
// What a technique offers to tuning: variants of one space on one workload, each of which can be
// checked and timed. The tuner (bench/), the benches and the window run the same.
#pragma once

#include "app/core/progress.h"
#include "app/gpu/context.h"
#include "app/core/variant_sweep.h"
#include "app/core/variants.h"
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
  virtual const VariantSpace& space() const = 0;
  /// Runs the variant once and compares with the reference; this is also the warm-up. A device that
  /// cannot run it is a failed check.
  virtual CheckResult check(const Variant& variant) = 0;
  /// Runs the variant once. Device time; on software renderers, the processor time of all threads.
  virtual double timeMs(const Variant& variant) = 0;
};

/// One whose variants are run alike, whether they are checked or timed.
class RunWorkload : public TuneWorkload {
 public:
  const VariantSpace& space() const final { return space_; }
  CheckResult check(const Variant& variant) final;
  double timeMs(const Variant& variant) override;

 protected:
  /// Both must outlive this.
  RunWorkload(gpu::Context& gpu, const VariantSpace& space) : gpu_(gpu), space_(space) {}
  virtual void run(const Variant& variant) = 0;
  /// Runs the variant once and compares; may throw Error. `detail` says what differs, without the
  /// variant's id.
  virtual CheckResult runAndCompare(const Variant& variant) = 0;

  gpu::Context& gpu_;

 private:
  const VariantSpace& space_;
};

/// What a tuned result is valid for, beside the device.
struct TuneKey {
  std::string workload;      // "r16": the class of what was measured
  glm::ivec2 size{0};        // pixels
  std::string templateHash;  // changes with the shaders
  std::string backEnd;       // "arb"; empty: there is only one
};

/// A class of work, each tuned for itself.
struct TuneClass {
  std::string name;                // "r16-coverage"
  Variant onSoftware, onGpu;  // what runs without tuning
  bool unasked = true;             // tuned unless another one is asked for
};

struct TuneRequest {
  glm::ivec2 size{0};
  std::string workload;  // the name of one of Tunable::classes
  std::uint64_t seed = 1;
};

struct Tunable {
  std::string technique;  // "dof"
  std::string about;      // what is tuned, one line
  const VariantSpace* space = nullptr;
  std::vector<TuneClass> classes;
  glm::ivec2 sizeOnSoftware{0},
      sizeOnGpu{0};     // of the picture to tune with, where none is asked for
  std::string shaders;  // "shaders/dof": results are stale when a file of this folder changes
  std::unique_ptr<TuneWorkload> (*make)(gpu::Context&, const TuneRequest&, Progress&) = nullptr;
  /// Which variants compete for a class; null: all of the space.
  std::vector<int> (*variants)(const std::string& workload) = nullptr;
  /// Where more than the shaders' folder decides; null: nothing else does.
  TuneKey (*ownKey)(gpu::Context&, const TuneRequest&) = nullptr;

  /// Throws UsageError naming the classes that there are.
  const TuneClass& classNamed(const std::string& workload) const;
  Variant standard(const gpu::Context& gpu, const std::string& workload) const;
  glm::ivec2 size(const gpu::Context& gpu) const;
  std::vector<int> competitors(const std::string& workload) const;
  TuneKey key(gpu::Context& gpu, const TuneRequest& request) const;
  TuneKey keyByShaders(const std::string& workload, glm::ivec2 size) const;
};

/// For Tunable::make, of workloads made from context, request and progress.
template <class Workload>
std::unique_ptr<TuneWorkload> makeTuneWorkload(gpu::Context& gpu, const TuneRequest& request,
                                               Progress& progress) {
  return std::make_unique<Workload>(gpu, request, progress);
}

/// One run, waited for, in milliseconds: GPU time; where that is the processor, its time over all
/// threads, which other programs disturb least.
double timedMs(gpu::Context& gpu, const std::function<void()>& run);

/// Id, state, median and trials of every variant as a table, fastest first.
std::string sweepCsv(const VariantSpace& space, const VariantSweep& sweep);

}  // namespace fathom
