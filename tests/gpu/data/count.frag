// SPDX-License-Identifier: BSD-3-Clause
// Counts pixels into a buffer, for targets without attachments.
layout(std430, binding = 1) buffer Count { uint count; };

void main() { atomicAdd(count, 1); }
