// SPDX-License-Identifier: BSD-3-Clause
// One more than what it refines.
value += 1u;
#include "@parent"
