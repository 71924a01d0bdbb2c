// SPDX-License-Identifier: BSD-3-Clause
// Nodes come as texels of the same buffer: the read-only path through the texture caches.
layout(binding = DOF_TEXELS_NODES) uniform usamplerBuffer nodes;
uvec4 fetchNode(uint index) { return texelFetch(nodes, int(index)); }
