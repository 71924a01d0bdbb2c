// SPDX-License-Identifier: BSD-3-Clause
// Once per chunk: a subgroup continues while one of its pixels is not opaque.
#define VOTE_BEFORE_LOAD(i) if (!anyInvocationARB(through > optics.epsilon)) break;
#define VOTE_AFTER_LOAD(i)
#define VOTE_AFTER_CHUNK(i)
