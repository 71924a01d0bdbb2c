// SPDX-License-Identifier: BSD-3-Clause
// Writes how many words are bound.
layout(local_size_x = 1) in;

layout(std430, binding = 0) readonly buffer Words { uint words[]; };
layout(std430, binding = 1) writeonly buffer Length { uint count; };

void main() { count = uint(words.length()); }
