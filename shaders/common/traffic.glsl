// SPDX-License-Identifier: BSD-3-Clause
// SORT_TRAFFIC 1: counts the words that a pass of the radix sort moves between invocations and buffers,
// for the comparison with its model; apart those that a tile that is late costs: looks at it that find
// nothing, and counting in its place. 0: nothing. Each invocation counts, and adds up at its end.
#ifndef SHADERS_COMMON_TRAFFIC
#define SHADERS_COMMON_TRAFFIC

#if SORT_TRAFFIC
layout(std430, binding = SORT_BIND_TRAFFIC) restrict buffer Traffic { uint trafficWords, trafficInStead; };
uint movedWords = 0, wordsInStead = 0;
#define moved(words) movedWords += (words)
#define movedInStead(words) wordsInStead += (words)
#define reportTraffic() (atomicAdd(trafficWords, movedWords), atomicAdd(trafficInStead, wordsInStead))
#else
#define moved(words)
#define movedInStead(words)
#define reportTraffic()
#endif

#endif
