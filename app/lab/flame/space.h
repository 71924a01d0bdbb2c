// SPDX-License-Identifier: BSD-3-Clause
// The implementation space of the chaos game, as far as pictures do not depend on it: how hits are
// added up, how invocations share the choice of xforms, who replays the log.
#pragma once

#include "app/engine/core/variants.h"

namespace fathom::flame {

enum Dimension { kAccumulate, kSelection, kReplay };

inline constexpr VariantSpace kSpace{
    {{"accumulate",
      "How hits are added up.",
      {{"atomic", "", "at once, by integer atomics"},
       {"deferred", "", "logged, sorted, added up tile by tile"}}},
     {"selection",
      "Who chooses xforms.",
      {{"own", "", "each invocation for itself"},
       {"shared", "", "32 invocations together, which pass their points on"}}},
     {"replay",
      "Who adds up the log.",
      {{"groups", "", "work groups, in shared memory"},
       {"invocations", "", "one invocation per window"},
       {"host", "", "the processor's threads"}}}},
    {{"F1", "only deferred accumulation has a log",
      [](const Variant& v) { return v[kAccumulate] == 1 || v[kReplay] == 0; }}}};
static_assert(kSpace.count() == 8);

/// What runs without tuning.
constexpr Variant defaultVariant(bool software) {
  return software ? Variant{1, 0, 2} : Variant{0, 1, 0};
}

}  // namespace fathom::flame
