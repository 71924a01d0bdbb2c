// SPDX-License-Identifier: BSD-3-Clause
// Keyframes that move in every way, for the tests of curves on the CPU and on the GPU.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/random.h"

namespace fathom::flame::test {

/// Random flames at the times 0, 4, ...; the second lacks what the others have, the last has more.
inline std::vector<Genome> manyKeyframes(MatrixInterpolation matrices, Interpolation how) {
  std::vector<Genome> list;
  for (int i = 0; i < 5; ++i) {
    Genome g = randomGenome(40 + std::uint64_t(i), {48, 32});
    g.time = 4 * i + (i == 3);  // not evenly
    g.matrixInterpolation = matrices, g.interpolation = how;
    g.center = {0.1 * i, 1.0 - 0.3 * i * i}, g.rotate = 100.0 * i, g.zoom = 0.2 * i;
    g.filter = 0.5 + 0.1 * i;
    Xform& x = g.xforms[0];
    x.post = {0.9, -0.1 * i, 0.2, 1.1, 0.3 * i, -0.2};
    x.opacity = 1 - 0.2 * i;
    x.chaos = {1.0, 0.5 * i};
    if (i == 2) x.coefs.b = x.coefs.e = 0;  // a column without a direction
    if (i == 3) x.weight = 0, x.color = 0, x.colorSpeed = 1;
    if (i == 1) g.finalXform.reset();
    if (i == 4) g.finalXform = g.xforms[1], g.xforms.push_back(g.xforms[0]);
    list.push_back(std::move(g));
  }
  return list;
}

}  // namespace fathom::flame::test
