// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/gpu_test.h"

namespace fathom::test {

void offerContexts() {}  // EGL has them

}  // namespace fathom::test
