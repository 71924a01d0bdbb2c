// SPDX-License-Identifier: BSD-3-Clause
// Sorting, scanning and summing small inputs in all their ways: what commands of the program do only to
// large ones.
#pragma once

namespace fathom::races {

/// In a context of its own.
void runPrimitives();

}  // namespace fathom::races
