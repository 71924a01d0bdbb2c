// SPDX-License-Identifier: BSD-3-Clause
// Finds the fastest variant of a technique on this device by successive halving, and says what the
// profile keeps of it.
#pragma once

#include "app/core/variant_sweep.h"
#include "app/io/profile.h"
#include "app/techniques/tuning.h"

#include <string>
#include <vector>

namespace fathom::bench {

/// All that techniques offer; `names` narrows it. Throws UsageError naming the nearest one.
std::vector<const Tunable*> tunablesNamed(const std::vector<std::string>& names);

struct TuneResult {
  TunedVariant tuned;  // best: empty when no variant passed; the default unless one is 3 % faster
  VariantSweep sweep;
  bool complete = true;  // false: stopped early; what stands is the best so far
};

/// Goes on until done or until `progress` is cancelled, which keeps the best so far.
TuneResult tune(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request,
                Progress& progress);
/// The part of a profile entry that says what it is for.
TunedVariant tuneKeyOf(gpu::Context& gpu, const Tunable& tunable, const TuneRequest& request);

}  // namespace fathom::bench
