// SPDX-License-Identifier: BSD-3-Clause
// Once per chunk: the group continues while some pixel is not opaque. A flag per parity of the round:
// set before the barrier of the load, read after it, cleared for the next round while nobody reads
// it. In round 0 all pixels of the picture set it, so it needs no clearing before.
shared uint liveFlag[2];
#define VOTE_BEFORE_LOAD(i) if (through > optics.epsilon) liveFlag[(i) & 1u] = 1u;
#define VOTE_AFTER_LOAD(i) if (liveFlag[(i) & 1u] == 0u) break;
#define VOTE_AFTER_CHUNK(i) if (gl_LocalInvocationIndex == 0u) liveFlag[((i) + 1u) & 1u] = 0u;
