// SPDX-License-Identifier: BSD-3-Clause
// Calls the driver's compiler and linker without asking how far they are, until somebody wants to
// know; maps their messages back to our files and shortens long logs.
#include "app/engine/gpu/shader_compiler.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/observer.h"
#include "app/engine/gpu/program_cache.h"

#include <algorithm>
#include <sstream>
#include <system_error>
#include <utility>

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

Handle<deleteShader> startStage(const ShaderText& shader) {
  Handle<deleteShader> handle(glCreateShader(stageOf(shader.name)));
  const char* text = shader.text.c_str();
  const auto length = GLint(shader.text.size());
  if (observer().stageLoaded) observer().stageLoaded(handle.id(), shader);
  glShaderSource(handle.id(), 1, &text, &length);
  glCompileShader(handle.id());
  return handle;
}

/// Waits. Throws Error with the compiler's messages.
void checkStage(GlId stage, const ShaderText& shader, std::vector<std::string>& warnings) {
  GLint ok = 0, logLength = 0;
  glGetShaderiv(stage, GL_COMPILE_STATUS, &ok);
  glGetShaderiv(stage, GL_INFO_LOG_LENGTH, &logLength);
  std::string log(std::size_t(std::max(0, logLength)), '\0');
  if (logLength > 0) glGetShaderInfoLog(stage, logLength, nullptr, log.data());
  const std::string mapped = mapMessages(shader, log);
  if (!ok)
    throw Error(mapped.empty() ? shader.name + ": does not compile" : firstLines(mapped, 10));
  std::istringstream lines(mapped);
  for (std::string line; std::getline(lines, line);)
    if (isWarning(line)) warnings.push_back(line);
}

/// Waits. Throws Error with the linker's messages.
void checkLinked(GlId program, const std::string& name) {
  GLint ok = 0, logLength = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (ok) return;
  glGetProgramiv(program, GL_INFO_LOG_LENGTH, &logLength);
  std::string log(std::size_t(std::max(1, logLength)), '\0');
  glGetProgramInfoLog(program, GLsizei(log.size()), nullptr, log.data());
  fail("{}: does not link: {}", name, firstLines(log.c_str(), 10));
}

}  // namespace

Observer& observer() {
  static Observer one;
  return one;
}

std::int64_t changeTime(const std::filesystem::path& path) {
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(path, missing);
  return missing ? INT64_MIN : std::int64_t(time.time_since_epoch().count());
}

ProgramSources sourcesOf(const PassKey& key) {
  return {key.name, {key.shader}, key.defines, key.generated, key.features};
}

ProgramSources sourcesOf(const RasterPassKey& key) {
  return {key.name, {key.vertexShader, key.fragmentShader}, key.defines};
}

Handle<deleteShader> compileStage(const ShaderText& shader, std::vector<std::string>& warnings) {
  Handle<deleteShader> handle = startStage(shader);
  checkStage(handle.id(), shader, warnings);
  return handle;
}

ProgramBuild::ProgramBuild(const ProgramSources& sources, ProgramCache* cache)
    : name_(sources.name), cache_(cache) {
  std::vector<std::string> texts;
  for (const std::string& shader : sources.shaders) {
    ShaderText text = loadShader(shader, sources.defines, sources.generated, sources.features);
    // The times are taken before compiling: a file saved meanwhile counts as changed.
    for (const std::filesystem::path& path : text.filePaths)
      result_.files.push_back({path.string(), changeTime(path)});
    result_.source += text.text;
    texts.push_back(text.text);
    texts_.push_back(std::move(text));
  }
  if (cache_) key_ = cache_->keyOf(texts);
  result_.program = Handle<deleteProgram>(glCreateProgram());
  linked_ = cache_ && cache_->load(result_.program.id(), key_);
  if (linked_) return;
  result_.program = Handle<deleteProgram>(glCreateProgram());
  if (cache_) cache_->expectSave(result_.program.id());
  for (const ShaderText& text : texts_) {
    stages_.push_back(startStage(text));
    glAttachShader(result_.program.id(), stages_.back().id());
  }
  glLinkProgram(result_.program.id());
}

bool ProgramBuild::ready() const {
  if (linked_ || !GLAD_GL_KHR_parallel_shader_compile) return true;
  GLint complete = 0;
  glGetProgramiv(result_.program.id(), GL_COMPLETION_STATUS_KHR, &complete);
  return complete != 0;
}

CompiledProgram ProgramBuild::finish() {
  const GlId program = result_.program.id();
  if (!linked_) {
    for (std::size_t i = 0; i < stages_.size(); ++i)
      checkStage(stages_[i].id(), texts_[i], result_.warnings);
    checkLinked(program, name_);
    for (const auto& stage : stages_) glDetachShader(program, stage.id());
    if (cache_) cache_->save(program, key_);
  }
  labelObject(GL_PROGRAM, program, name_);
  return std::move(result_);
}

}  // namespace fathom::gpu
