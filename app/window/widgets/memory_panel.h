// SPDX-License-Identifier: BSD-3-Clause
// Every buffer and texture of the program with its bytes.
#pragma once

#include "app/engine/gpu/memory_account.h"

namespace fathom::viewer {

void drawMemoryPanel(const gpu::MemoryAccount& memory);

}  // namespace fathom::viewer
