// SPDX-License-Identifier: BSD-3-Clause
// Nodes come from the storage buffer.
layout(std430, binding = DOF_BIND_NODES) readonly restrict buffer Nodes { uvec4 nodes[]; };
uvec4 fetchNode(uint index) { return nodes[index]; }
