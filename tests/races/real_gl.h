// SPDX-License-Identifier: BSD-3-Clause
// OpenGL's own functions, behind those that stand in for them. The list is of all that are stood in
// for or that the watch itself calls.
#pragma once

#include <glad/gl.h>

// clang-format off
namespace fathom::races {

#define FATHOM_RACES_STOOD_IN_FOR(X)                                                           \
  X(CompileShader)                                                                             \
  X(AttachShader) X(UseProgram) X(DeleteProgram) X(ObjectLabel) X(BindBufferBase)              \
      X(BindBufferRange) X(BindBuffer) X(BindImageTexture) X(BindTextureUnit) X(TextureBuffer) \
          X(TextureView) X(TextureStorage2D) X(MemoryBarrier) X(DispatchCompute)               \
              X(DispatchComputeIndirect) X(DrawArrays) X(DrawElements) X(NamedBufferStorage)   \
                  X(NamedBufferSubData) X(ClearNamedBufferSubData) X(CopyNamedBufferSubData)   \
                      X(GetNamedBufferSubData) X(MapNamedBufferRange) X(DeleteBuffers)         \
                          X(DeleteTextures) X(TextureSubImage2D) X(ClearTexImage)              \
                              X(GetTextureSubImage)
#define FATHOM_RACES_CALLED(X) X(CreateBuffers) X(ShaderBinary)

/// Member X of real() is OpenGL's glX.
struct RealGl {
#define FATHOM_RACES_MEMBER(name) decltype(glad_gl##name) name = nullptr;
  FATHOM_RACES_STOOD_IN_FOR(FATHOM_RACES_MEMBER)
  FATHOM_RACES_CALLED(FATHOM_RACES_MEMBER)
#undef FATHOM_RACES_MEMBER
  // Not in GL 4.5: GL_ARB_gl_spirv.
  void(GLAD_API_PTR* SpecializeShader)(GLuint, const GLchar*, GLuint, const GLuint*,
                                       const GLuint*) = nullptr;
};

/// Of the last context that was made.
RealGl& real();

}  // namespace fathom::races
// clang-format on
