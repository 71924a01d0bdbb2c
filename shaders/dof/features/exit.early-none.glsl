// SPDX-License-Identifier: BSD-3-Clause
// A pixel reads every node of a chunk.
#define EXIT_FIRST(n) 0u
#define EXIT_LIVE true
#define EXIT_ELEMENT
