// SPDX-License-Identifier: BSD-3-Clause
// The list of benchmarks, in the order in which it is printed.
#include "app/lab/smoe/bench.h"

namespace fathom::smoe {

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list{precisionBench(), blockBench(), wholeBench(), listsBench(),
                                       frameBench(),     fitBench(),   rateBench()};
  return list;
}

}  // namespace fathom::smoe
