// SPDX-License-Identifier: BSD-3-Clause
// Lanes are read from one another, so they leave the chunk together; opaque ones are masked.
#define EXIT_FIRST(n) 0u
#define EXIT_LIVE (through > optics.epsilon)
#define EXIT_ELEMENT if (!anyInvocationARB(through > optics.epsilon)) break;
