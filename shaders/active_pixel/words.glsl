// SPDX-License-Identifier: BSD-3-Clause
// Writing the words of an image, whose buffer may be larger than a storage block: then the passes
// that write run once for each window of it, and leave out what lies elsewhere (AP_WINDOWED 1).
#ifndef AP_WINDOWED
#define AP_WINDOWED 0
#endif
layout(std430, binding = AP_BIND_WORDS) restrict writeonly buffer Words { uint words[]; };

#if AP_WINDOWED
// Not from the uniform each time: software renderers fetch those lane by lane within loops.
uint windowFirst = target.windowFirst, windowWords = target.windowWords;

void put(uint at, uint value) {
  at -= windowFirst;
  if (at < windowWords) words[at] = value;
}
/// Whether some of the words first .. end - 1 lie in the window.
bool isShown(uint first, uint end) {
  return end > windowFirst && first < windowFirst + windowWords;
}
#else
void put(uint at, uint value) { words[at] = value; }
bool isShown(uint first, uint end) { return true; }
#endif
