// SPDX-License-Identifier: BSD-3-Clause
// A function for each of OpenGL's that the watch wants to know of: it tells the watcher, then calls
// the real one. glad calls through pointers, so ours are put there; OpenGL's stay in real().
#include "app/engine/gpu/compiler.h"
#include "tests/races/real_gl.h"
#include "tests/races/watcher.h"

#include <EGL/egl.h>

namespace fathom::races {
namespace {

Watcher& w() { return watcher(); }

void GLAD_API_PTR CompileShader(GLuint shader) {
  if (!w().compile(shader)) real().CompileShader(shader);
}
void GLAD_API_PTR AttachShader(GLuint program, GLuint shader) {
  w().attach(program, shader);
  real().AttachShader(program, shader);
}
void GLAD_API_PTR UseProgram(GLuint program) {
  w().use(program);
  real().UseProgram(program);
}
void GLAD_API_PTR DeleteProgram(GLuint program) {
  w().deleteProgram(program);
  real().DeleteProgram(program);
}
void GLAD_API_PTR ObjectLabel(GLenum kind, GLuint id, GLsizei length, const GLchar* label) {
  w().name(kind, id, length < 0 ? std::string(label) : std::string(label, std::size_t(length)));
  real().ObjectLabel(kind, id, length, label);
}
void bind(GLenum target, GLuint index, GLuint buffer, std::int64_t offset) {
  if (target == GL_SHADER_STORAGE_BUFFER) w().objects.storage[index] = {buffer, offset};
  if (target == GL_UNIFORM_BUFFER) w().objects.uniforms[index] = {buffer, offset};
}
void GLAD_API_PTR BindBufferBase(GLenum target, GLuint index, GLuint buffer) {
  bind(target, index, buffer, 0);
  real().BindBufferBase(target, index, buffer);
}
void GLAD_API_PTR BindBufferRange(GLenum target, GLuint index, GLuint buffer, GLintptr offset,
                                  GLsizeiptr size) {
  bind(target, index, buffer, offset);
  real().BindBufferRange(target, index, buffer, offset, size);
}
void GLAD_API_PTR BindBuffer(GLenum target, GLuint buffer) {
  if (target == GL_DISPATCH_INDIRECT_BUFFER) w().objects.indirect = buffer;
  real().BindBuffer(target, buffer);
}
void GLAD_API_PTR BindImageTexture(GLuint unit, GLuint texture, GLint level, GLboolean layered,
                                   GLint layer, GLenum access, GLenum format) {
  w().objects.images[unit] = texture;
  real().BindImageTexture(unit, texture, level, layered, layer, access, format);
}
void GLAD_API_PTR BindTextureUnit(GLuint unit, GLuint texture) {
  w().objects.units[unit] = texture;
  real().BindTextureUnit(unit, texture);
}
void GLAD_API_PTR TextureBuffer(GLuint texture, GLenum format, GLuint buffer) {
  w().objects.textures[texture].buffer = buffer;
  real().TextureBuffer(texture, format, buffer);
}
void GLAD_API_PTR TextureView(GLuint texture, GLenum target, GLuint origin, GLenum format,
                              GLuint firstLevel, GLuint levels, GLuint firstLayer, GLuint layers) {
  w().objects.textures[texture].origin = w().objects.originOf(origin);
  real().TextureView(texture, target, origin, format, firstLevel, levels, firstLayer, layers);
}
void GLAD_API_PTR TextureStorage2D(GLuint texture, GLsizei levels, GLenum format, GLsizei width,
                                   GLsizei height) {
  TextureFacts& facts = w().objects.textures[texture];
  facts.width = width;
  facts.height = height;
  real().TextureStorage2D(texture, levels, format, width, height);
}
void GLAD_API_PTR MemoryBarrier(GLbitfield bits) {
  w().barrier(bits);
  real().MemoryBarrier(bits);
}
void GLAD_API_PTR DispatchCompute(GLuint x, GLuint y, GLuint z) {
  w().dispatch([=] { real().DispatchCompute(x, y, z); }, false);
}
void GLAD_API_PTR DispatchComputeIndirect(GLintptr offset) {
  w().dispatch([=] { real().DispatchComputeIndirect(offset); }, true);
}
void GLAD_API_PTR DrawArrays(GLenum mode, GLint first, GLsizei count) {
  w().draw();
  real().DrawArrays(mode, first, count);
}
void GLAD_API_PTR DrawElements(GLenum mode, GLsizei count, GLenum type, const void* indices) {
  w().draw();
  real().DrawElements(mode, count, type, indices);
}
void GLAD_API_PTR NamedBufferStorage(GLuint buffer, GLsizeiptr size, const void* data,
                                     GLbitfield flags) {
  w().objects.buffers[buffer].bytes = size;
  real().NamedBufferStorage(buffer, size, data, flags);
}
void GLAD_API_PTR NamedBufferSubData(GLuint buffer, GLintptr offset, GLsizeiptr size,
                                     const void* data) {
  w().transfer(buffer, offset, size, true);
  real().NamedBufferSubData(buffer, offset, size, data);
}
void GLAD_API_PTR ClearNamedBufferSubData(GLuint buffer, GLenum internal, GLintptr offset,
                                          GLsizeiptr size, GLenum format, GLenum type,
                                          const void* data) {
  w().transfer(buffer, offset, size, true);
  real().ClearNamedBufferSubData(buffer, internal, offset, size, format, type, data);
}
void GLAD_API_PTR CopyNamedBufferSubData(GLuint from, GLuint to, GLintptr fromOffset,
                                         GLintptr toOffset, GLsizeiptr size) {
  w().transfer(from, fromOffset, size, false);
  w().transfer(to, toOffset, size, true);
  real().CopyNamedBufferSubData(from, to, fromOffset, toOffset, size);
}
void GLAD_API_PTR GetNamedBufferSubData(GLuint buffer, GLintptr offset, GLsizeiptr size,
                                        void* data) {
  w().transfer(buffer, offset, size, false);
  real().GetNamedBufferSubData(buffer, offset, size, data);
}
void* GLAD_API_PTR MapNamedBufferRange(GLuint buffer, GLintptr offset, GLsizeiptr size,
                                       GLbitfield access) {
  w().transfer(buffer, offset, size, (access & GL_MAP_WRITE_BIT) != 0);
  return real().MapNamedBufferRange(buffer, offset, size, access);
}
void GLAD_API_PTR DeleteBuffers(GLsizei count, const GLuint* ids) {
  for (GLsizei i = 0; i < count; ++i) w().deleteBuffer(ids[i]);
  real().DeleteBuffers(count, ids);
}
void GLAD_API_PTR DeleteTextures(GLsizei count, const GLuint* ids) {
  for (GLsizei i = 0; i < count; ++i) w().deleteTexture(ids[i]);
  real().DeleteTextures(count, ids);
}
void GLAD_API_PTR TextureSubImage2D(GLuint texture, GLint level, GLint x, GLint y, GLsizei width,
                                    GLsizei height, GLenum format, GLenum type, const void* data) {
  w().transferTexture(texture, true);
  real().TextureSubImage2D(texture, level, x, y, width, height, format, type, data);
}
void GLAD_API_PTR ClearTexImage(GLuint texture, GLint level, GLenum format, GLenum type,
                                const void* data) {
  w().transferTexture(texture, true);
  real().ClearTexImage(texture, level, format, type, data);
}
void GLAD_API_PTR GetTextureSubImage(GLuint texture, GLint level, GLint x, GLint y, GLint z,
                                     GLsizei width, GLsizei height, GLsizei depth, GLenum format,
                                     GLenum type, GLsizei size, void* data) {
  w().transferTexture(texture, false);
  real().GetTextureSubImage(texture, level, x, y, z, width, height, depth, format, type, size,
                            data);
}

}  // namespace

RealGl& real() {
  static RealGl functions;
  return functions;
}

void standIn() {
#define FATHOM_RACES_KEEP(name) real().name = glad_gl##name;
  FATHOM_RACES_STOOD_IN_FOR(FATHOM_RACES_KEEP)
  FATHOM_RACES_CALLED(FATHOM_RACES_KEEP)
#undef FATHOM_RACES_KEEP
  real().SpecializeShader = reinterpret_cast<decltype(RealGl::SpecializeShader)>(
      eglGetProcAddress("glSpecializeShaderARB"));
#define FATHOM_RACES_REPLACE(name) glad_gl##name = name;
  FATHOM_RACES_STOOD_IN_FOR(FATHOM_RACES_REPLACE)
#undef FATHOM_RACES_REPLACE
}

void startWatching(const WatchOptions& options) {
  watcher().options = options;
  gpu::observer().contextMade = [] { watcher().contextMade(); };
  gpu::observer().stageLoaded = [](gpu::GlId shader, const gpu::ShaderText& text) {
    watcher().stageLoaded(shader, text);
  };
}

const WatchResult& watched() { return watcher().result; }

}  // namespace fathom::races
