// SPDX-License-Identifier: BSD-3-Clause
// All benches of the program by name, those of the GPU primitives and of the techniques; and
// `fathom tune`, which finds the fastest variant of a technique on this device by successive
// halving, and makes the entry that the profile keeps.
#pragma once

#include "app/engine/core/variants.h"
#include "app/engine/io/profile.h"
#include "app/engine/tuning.h"

namespace fathom {
struct Bench;
namespace dof {
const std::vector<Bench>& benches();
const std::vector<Tunable>& tunables();
}  // namespace dof
namespace flame {
const std::vector<Bench>& benches();
}
namespace active_pixel {
const std::vector<Bench>& benches();
}
}  // namespace fathom

namespace fathom::bench {

/// The benches of the technique of this name ("deep"), and what can be tuned in it; empty: none.
const std::vector<Bench>& benchesOf(const std::string& technique);
const std::vector<Tunable>& tunablesOf(const std::string& technique);

/// gpu.copy, gpu.scan, gpu.sort, gpu.reduce-by-key: benches of the shared GPU primitives.
const std::vector<Bench>& gpuBenches();

std::vector<const Bench*> allBenches();

/// Those whose name is one of `names` or begins with it: "deep", "deep.composite"; no names: all
/// but those that take files. Each once, in the catalog's order. Throws UsageError for a name that
/// matches nothing.
std::vector<const Bench*> benchesNamed(const std::vector<std::string>& names);
/// What these techniques offer to tuning; no names: all. Throws UsageError naming the nearest one.
std::vector<const Tunable*> tunablesNamed(const std::vector<std::string>& names);

struct TuneResult {
  TunedVariant tuned;  // best: empty when no variant passed; the default unless one is 3 % faster
  VariantSweep sweep;
  bool complete = true;  // false: stopped early, with the best so far
};

/// Runs until done or until `progress` is cancelled, which keeps the best so far.
TuneResult tune(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request,
                Progress& progress);
/// A profile entry without its result: device, workload, size, shaders, date.
TunedVariant tuneKeyOf(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request);

}  // namespace fathom::bench
