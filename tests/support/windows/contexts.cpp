// SPDX-License-Identifier: BSD-3-Clause
#include "app/window/platform/window.h"
#include "tests/support/gpu_test.h"

namespace fathom::test {

void offerContexts() { viewer::offerHiddenWindows(); }

}  // namespace fathom::test
