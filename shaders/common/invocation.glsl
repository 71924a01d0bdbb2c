// SPDX-License-Identifier: BSD-3-Clause
// The index of the item that an invocation works on. Dispatches of more than 65,535 groups are folded into the second dimension, so
// a pass over items takes its index from here, for work groups that extend along x only. The last
// row may hold more groups than asked for: return when the index is out of range.
#ifndef SHADERS_COMMON_INVOCATION
#define SHADERS_COMMON_INVOCATION

// Where a dispatch in pieces (app/engine/gpu/slices.h) goes on; 0 of one in full. What `./dev races`
// watches comes as SPIR-V, whose uniforms Mesa 22.3 leaves as they are found, and is never cut.
#ifdef GL_SPIRV
const uint firstGroup = 0u;
#else
layout(location = 0) uniform uint firstGroup;
#endif

/// Of a dispatch over a grid, which is cut into rows of groups where it takes long
/// (app/engine/gpu/pass.h).
uvec2 gridGroup() { return gl_WorkGroupID.xy + uvec2(0u, firstGroup); }

uint groupIndex() { return firstGroup + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

// Macros, because GLSL knows gl_WorkGroupSize only after the layout line of the including file.
#define invocationIndex() (groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationID.x)
#define gridInvocation() (gridGroup() * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy)

#endif
