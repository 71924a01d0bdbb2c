// SPDX-License-Identifier: BSD-3-Clause
// Compiles and links flattened shader files; failures come back in terms of our files.
#pragma once

#include "app/engine/gpu/shader_loader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::gpu {

class ProgramCache;

/// All that a program is made of.
struct ProgramSources {
  std::string name;
  std::vector<std::string> shaders;  // a stage each; the ending says which: .comp .vert .frag
  std::vector<Define> defines;
  std::vector<GeneratedText> generated = {};
  Features features = {};
  auto operator<=>(const ProgramSources&) const = default;
};
ProgramSources sourcesOf(const PassKey& key);
ProgramSources sourcesOf(const RasterPassKey& key);

/// When a file was changed last; the earliest time of all when there is no such file.
std::int64_t changeTime(const std::filesystem::path& path);

struct CompiledProgram {
  Handle<deleteProgram> program;
  std::string source;  // of all stages, in order, as the compiler saw it
  std::vector<SourceFile> files;
  std::vector<std::string> warnings;
};

/// A program on its way: made at once from the cache, or handed to the driver, which may work on
/// while the caller does something else.
class ProgramBuild {
 public:
  /// Throws Error when a file is missing. `cache` may be null.
  ProgramBuild(const ProgramSources& sources, ProgramCache* cache);
  /// finish() would not wait, as far as the driver tells (GL_KHR_parallel_shader_compile).
  bool ready() const;
  bool fromCache() const { return linked_; }
  /// Waits for the driver. Throws Error with the messages of compiler or linker, a line each. Once.
  CompiledProgram finish();

 private:
  std::vector<ShaderText> texts_;
  std::vector<Handle<deleteShader>> stages_;
  std::string name_, key_;
  CompiledProgram result_;
  ProgramCache* cache_;
  bool linked_ = false;  // from the cache
};

/// One stage; the ending of the file's name says which: .comp .vert .frag. Throws Error with the
/// compiler's messages, a line each. Warnings go to `warnings`.
Handle<deleteShader> compileStage(const ShaderText& shader, std::vector<std::string>& warnings);

}  // namespace fathom::gpu
