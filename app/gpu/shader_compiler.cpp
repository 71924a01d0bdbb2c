// SPDX-License-Identifier: BSD-3-Clause
// Calls the driver's compiler and linker, maps their messages back to our files and shortens long
// logs.
#include "app/gpu/shader_compiler.h"

#include "app/core/error.h"
#include "app/gpu/gl.h"

#include <algorithm>
#include <sstream>

namespace fathom::gpu {
namespace {

GLenum stageOf(const std::string& name) {
  if (name.ends_with(".comp")) return GL_COMPUTE_SHADER;
  if (name.ends_with(".vert")) return GL_VERTEX_SHADER;
  if (name.ends_with(".frag")) return GL_FRAGMENT_SHADER;
  fail("{}: expected a shader that ends in .comp, .vert or .frag", name);
}

// Compilers go on complaining long after the cause is clear.
std::string firstLines(const std::string& text, int count) {
  std::size_t end = 0;
  while (count-- > 0 && end != std::string::npos) end = text.find('\n', end ? end + 1 : 0);
  return end == std::string::npos ? text : text.substr(0, end) + "\n...";
}

}  // namespace

Handle<deleteShader> compileStage(const ShaderText& shader, std::vector<std::string>& warnings) {
  Handle<deleteShader> handle(glCreateShader(stageOf(shader.name)));
  const char* text = shader.text.c_str();
  const auto length = GLint(shader.text.size());
  glShaderSource(handle.id(), 1, &text, &length);
  glCompileShader(handle.id());
  GLint ok = 0, logLength = 0;
  glGetShaderiv(handle.id(), GL_COMPILE_STATUS, &ok);
  glGetShaderiv(handle.id(), GL_INFO_LOG_LENGTH, &logLength);
  std::string log(std::size_t(std::max(0, logLength)), '\0');
  if (logLength > 0) glGetShaderInfoLog(handle.id(), logLength, nullptr, log.data());
  const std::string mapped = mapMessages(shader, log);
  if (!ok)
    throw Error(mapped.empty() ? shader.name + ": does not compile" : firstLines(mapped, 10));
  std::istringstream lines(mapped);
  for (std::string line; std::getline(lines, line);)
    if (isWarning(line)) warnings.push_back(line);
  return handle;
}

Handle<deleteProgram> linkProgram(const std::string& name,
                                  const std::vector<Handle<deleteShader>>& stages) {
  Handle<deleteProgram> handle(glCreateProgram());
  for (const auto& stage : stages) glAttachShader(handle.id(), stage.id());
  glLinkProgram(handle.id());
  GLint ok = 0, logLength = 0;
  glGetProgramiv(handle.id(), GL_LINK_STATUS, &ok);
  if (ok) {
    for (const auto& stage : stages) glDetachShader(handle.id(), stage.id());
    labelObject(GL_PROGRAM, handle.id(), name);
    return handle;
  }
  glGetProgramiv(handle.id(), GL_INFO_LOG_LENGTH, &logLength);
  std::string log(std::size_t(std::max(1, logLength)), '\0');
  glGetProgramInfoLog(handle.id(), GLsizei(log.size()), nullptr, log.data());
  fail("{}: does not link: {}", name, firstLines(log.c_str(), 10));
}

}  // namespace fathom::gpu
