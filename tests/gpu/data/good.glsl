// SPDX-License-Identifier: BSD-3-Clause
// Correct.
#extension GL_ARB_shader_ballot : enable
uint good() { return 1; }
