// SPDX-License-Identifier: BSD-3-Clause
// A pixel leaves the chunk once it is opaque; it keeps loading and voting with the others.
#define EXIT_FIRST(n) (through > optics.epsilon ? 0u : (n))
#define EXIT_ELEMENT if (through <= optics.epsilon) break;
