// SPDX-License-Identifier: BSD-3-Clause
// Writing the words of an image, whose buffer may be larger than a storage block: then the passes
// that write run once for each window of it, and leave out what lies elsewhere (AP_WINDOWED 1).
#ifndef AP_WINDOWED
#define AP_WINDOWED 0
#endif
layout(std430, binding = AP_BIND_WORDS) restrict writeonly buffer Words { uint words[]; };

void put(uint at, uint value) {
#if AP_WINDOWED
  at -= target.windowFirst;
  if (at < target.windowWords) words[at] = value;
#else
  words[at] = value;
#endif
}
