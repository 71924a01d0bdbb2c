// SPDX-License-Identifier: BSD-3-Clause
// The settings of flames that are not part of the genome: how much is drawn and how. Those of films
// are in timeline.h.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom::flame {

// The values are those of shaders/flame/shared.h.
enum class Accumulate { Auto, Direct, Atomic, Deferred };  // Auto: the fastest exact one here
const char* nameOf(Accumulate mode);                       // "auto", ...
enum class Antialias { Filter, Jitter };
enum class Estimator { Fast, Exact, Off };

struct Settings {
  int quality = 0;      // samples per pixel; 0: the genome's
  int supersample = 0;  // 0: the genome's
  Accumulate accumulate = Accumulate::Auto;
  int sortBits = 8;  // of the deferred log: 7..10
  Antialias antialias = Antialias::Filter;
  Estimator estimator = Estimator::Fast;
  bool edgeClamp = false;
  bool transparent = false;
  int restart = 0;  // plotted iterations of a trajectory; 0: it never begins anew
  bool operator==(const Settings&) const = default;
};

void describe(Settings& settings, FieldVisitor& field);

}  // namespace fathom::flame
