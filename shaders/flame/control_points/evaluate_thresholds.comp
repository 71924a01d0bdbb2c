// SPDX-License-Identifier: BSD-3-Clause
// Which xform 14 random bits choose: a row of cumulative thresholds, as selectionThresholds() makes
// them (generator.h): entry i of flam3's table is the first xform whose cumulative weight exceeds
// i / 16384 of the total. A job per row; with xaos there is one for each last xform.
#include "shaders/flame/control_points/curves.glsl"
#include "shaders/flame/shared.h"

double weightAt(Work work, uint xform) {
  double weight = curveAt(work.firstCurve + work.job.x + xform, work.time);
  if (work.job.w != FLAME_NOWHERE)
    weight *= curveAt(work.firstCurve + work.job.w + xform, work.time);
  return weight;
}

/// Entries whose share of the total is below `sum`. Rounded as in a loop over them.
uint entriesBelow(double sum, double entry) {
  double count = ceil(sum / entry);
  count = count > 0.0LF && sum <= (count - 1.0LF) * entry ? count - 1.0LF : count;
  count = sum > count * entry ? count + 1.0LF : count;
  return uint(clamp(count, 0.0LF, double(FLAME_SELECTION)));
}

void main() {
  Work work;
  if (!findWork(work)) return;
  double total = 0.0LF;
  uint last = params.capacity;  // with a weight
  for (uint i = 0u; i < params.capacity; ++i) {
    double weight = weightAt(work, i);
    total += weight;
    last = weight > 0.0LF ? i : last;
  }
  double entry = total > 0.0LF ? total / double(FLAME_SELECTION) : 1.0LF, sum = 0.0LF;
  for (uint i = 0u; i < work.job.z; ++i) {
    sum += weightAt(work, min(i, params.capacity - 1u));
    uint threshold = entriesBelow(sum, entry);
    // Rounding may leave the last entries over.
    store(work, work.job.y + i, double(i >= last ? FLAME_SELECTION : threshold));
  }
}
