// SPDX-License-Identifier: BSD-3-Clause
// What a technique offers to tuning, and how it uses what `fathom tune` found: the variants of one
// space on a workload, each of which can be checked and timed; and the choice of the best one for
// this device out of the profile in use. Command, benches and window run the same code.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/core/variants.h"
#include "app/engine/gpu/context.h"

namespace fathom {

/// The result of a check against the reference.
struct CheckResult {
  bool passed = false;
  std::string how;     // "exact", "rounding 1e-5", "noise"; kept in the bench file
  std::string detail;  // when it failed: what was expected, what was found
  /// Numbers that it measured, for tables: {"PSNR dB", 35.2}.
  std::vector<std::pair<std::string, double>> values = {};
};

// Tuning

/// A workload on the device, for all variants of a space.
class TuneWorkload {
 public:
  virtual ~TuneWorkload() = default;
  const VariantSpace& space() const { return space_; }
  /// Runs the variant once, which is also its warm-up, and compares with the reference. A variant
  /// that the device cannot run has failed.
  CheckResult check(const Variant& variant);
  /// Runs the variant once, waiting for its end: GPU time, or on software renderers the processor
  /// time of all threads, which other programs disturb least.
  virtual double timeMs(const Variant& variant);

 protected:
  /// Both must outlive this.
  TuneWorkload(gpu::Context& gpu, const VariantSpace& space) : gpu_(gpu), space_(space) {}
  virtual void run(const Variant& variant) = 0;
  /// Runs the variant once and compares; may throw Error. `detail` says what differs, without the
  /// variant's id.
  virtual CheckResult runAndCompare(const Variant& variant) = 0;

  gpu::Context& gpu_;

 private:
  const VariantSpace& space_;
};

/// What a tuned result is valid for, besides the device.
struct TuneKey {
  std::string workload;      // "r16": TuneClass::name
  glm::ivec2 size{0};        // pixels
  std::string templateHash;  // changes with the shaders
  std::string backEnd;       // "arb"; empty: there is only one
};

/// A class of work that is tuned separately.
struct TuneClass {
  std::string name;           // "r16-coverage"
  Variant onSoftware, onGpu;  // the defaults, without tuning
  bool byDefault = true;      // tuned by `fathom tune` without --workload
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
  glm::ivec2 sizeOnSoftware{0}, sizeOnGpu{0};  // of the picture to tune with, without --size
  std::string shaders;  // "shaders/dof": a change of a file in this folder makes results stale
  std::unique_ptr<TuneWorkload> (*make)(gpu::Context&, const TuneRequest&, Progress&) = nullptr;
  /// Which variants compete for a class; null: all of the space.
  std::vector<int> (*variants)(const std::string& workload) = nullptr;
  /// For results that depend on more than the shaders' folder; null: they do not.
  TuneKey (*ownKey)(gpu::Context&, const TuneRequest&) = nullptr;

  /// Throws UsageError naming the classes that there are.
  const TuneClass& classNamed(const std::string& workload) const;
  Variant standard(const gpu::Context& gpu, const std::string& workload) const;
  glm::ivec2 size(const gpu::Context& gpu) const;
  std::vector<int> competitors(const std::string& workload) const;
  TuneKey key(gpu::Context& gpu, const TuneRequest& request) const;
};

/// For Tunable::make, of workloads whose constructor takes these.
template <class Workload>
std::unique_ptr<TuneWorkload> makeTuneWorkload(gpu::Context& gpu, const TuneRequest& request,
                                               Progress& progress) {
  return std::make_unique<Workload>(gpu, request, progress);
}

/// Id, state, median and trials of every variant as CSV, fastest first.
std::string sweepCsv(const VariantSpace& space, const VariantSweep& sweep);

/// Identifies shaders in a profile: a hash of these files of the shader root, and of all files
/// below such folders, as they were at the first call. On the GL thread.
std::string hashOfShaders(const std::vector<std::string>& filesOrFolders);

// Using what was found

/// Looks the best variant up in the profile in use, for this device and workload, with a line about
/// it for the user.
class TunedChoice {
 public:
  /// The space must outlive this.
  TunedChoice(std::string technique, const VariantSpace& space)
      : technique_(std::move(technique)), space_(&space) {}

  /// The tuned variant; none when nothing was tuned for this, or with another driver or other
  /// shaders. `key` may run passes on the device: it is called only when the profile has an entry
  /// of the technique. What is used, or why not, is logged when it changes.
  std::optional<Variant> choose(const gpu::Context& gpu, const std::function<TuneKey()>& key);
  /// For when settings leave nothing to choose.
  void forget() { note_.clear(); }
  /// For facts(); empty when the profile does not matter.
  const std::string& note() const { return note_; }

 private:
  std::string technique_, note_;
  const VariantSpace* space_;
};

}  // namespace fathom
