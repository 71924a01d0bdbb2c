// SPDX-License-Identifier: BSD-3-Clause
// `fathom tune`: finds the fastest variant of a technique on this device by successive halving, and
// makes the entry that the profile keeps.
#pragma once

#include "app/engine/core/variants.h"
#include "app/engine/io/profile.h"
#include "app/engine/tuning.h"

namespace fathom::bench {

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

}  // namespace fathom::bench
