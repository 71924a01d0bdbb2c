// SPDX-License-Identifier: BSD-3-Clause
// One set of counters per thread: GL objects live on one.
#include "app/gpu/work_counts.h"

#include "app/gpu/gl.h"

namespace fathom::gpu {

WorkCounts& countedWork() {
  thread_local WorkCounts counts;
  return counts;
}

WorkCounts workCounts() { return countedWork(); }

}  // namespace fathom::gpu
