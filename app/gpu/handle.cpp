// SPDX-License-Identifier: BSD-3-Clause
// The glDelete* call behind each kind of Handle.
#include "app/gpu/handle.h"

#include "app/gpu/gl.h"

namespace fathom::gpu {

void deleteBuffer(GlId id) { glDeleteBuffers(1, &id); }
void deleteTexture(GlId id) { glDeleteTextures(1, &id); }
void deleteProgram(GlId id) { glDeleteProgram(id); }
void deleteShader(GlId id) { glDeleteShader(id); }
void deleteFramebuffer(GlId id) { glDeleteFramebuffers(1, &id); }
void deleteVertexArray(GlId id) { glDeleteVertexArrays(1, &id); }

}  // namespace fathom::gpu
