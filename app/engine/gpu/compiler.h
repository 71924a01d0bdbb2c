// SPDX-License-Identifier: BSD-3-Clause
// Compiles and links programs, at once or beside the picture; failures come back in terms of our
// files. Drivers keep what they have compiled between runs themselves.
#pragma once

#include "app/engine/gpu/handle.h"
#include "app/engine/gpu/shader_loader.h"

namespace fathom::system {
class GlSurface;
}

namespace fathom::gpu {

class Context;
struct PassKey;
struct RasterPassKey;

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
std::int64_t changeTime(const fs::path& path);

struct CompiledProgram {
  Handle<deleteProgram> program;
  std::string source;  // of all stages, in order, as the compiler saw it
  std::vector<SourceFile> files;
  std::vector<std::string> warnings;
};

/// A program on its way: handed to the driver, which may work on while the caller does something
/// else.
class ProgramBuild {
 public:
  /// Throws Error when a file is missing.
  explicit ProgramBuild(const ProgramSources& sources);
  /// finish() would not wait, as far as the driver tells (GL_KHR_parallel_shader_compile).
  bool ready() const;
  /// Waits for the driver. Throws Error with the messages of compiler or linker, a line each. Once.
  CompiledProgram finish();

 private:
  std::vector<ShaderText> texts_;
  std::vector<Handle<deleteShader>> stages_;
  std::string name_;
  CompiledProgram result_;
};

/// Told of the use of OpenGL (tests/races): when there is a context, and what each shader was
/// flattened from. Nobody is told unless a tool asks.
struct Observer {
  /// The context is current and its functions are loaded; nothing was made in it yet.
  std::function<void()> contextMade;
  /// Called right before this shader object is given its source.
  std::function<void(GlId, const ShaderText&)> stageLoaded;
};

/// The process's one observer; both functions are empty at first.
Observer& observer();

// ---- Beside the picture

// Programs that are compiled while the picture goes on: by the driver's own threads where it has
// them (GL_KHR_parallel_shader_compile), else by a thread of ours with a context that shares
// objects.

/// A program is not there yet; whoever asked for it tries again a little later. No failure, and so
/// no Error.
class Compiling : public std::exception {
 public:
  const char* what() const noexcept override { return "programs are being compiled"; }
};

/// Context::request() for work that draws, too.
void request(Context& gpu, const std::vector<PassKey>& keys,
             const std::vector<RasterPassKey>& drawn);
/// The program of every Scanner (sort/scan.h).
PassKey scanKey(const Context& gpu);

struct CompileProgress {
  int ready = 0, total = 0;  // of those asked for since none was on its way; both 0: none is
};

class CompileQueue {
 public:
  /// `parallel`: the driver has threads. Else `makeShared` is called once, on this thread; the
  /// surface that it returns is used by another. Null from it: programs are compiled when asked
  /// for.
  CompileQueue(bool parallel, std::function<std::unique_ptr<system::GlSurface>()> makeShared);
  ~CompileQueue();

  /// The program, once; none while it is on its way, where the first call sends it. Throws the
  /// Error of a program that does not compile.
  std::optional<CompiledProgram> take(const ProgramSources& sources);
  /// The program, waited for; none where it was not sent.
  std::optional<CompiledProgram> finish(const ProgramSources& sources);
  CompileProgress progress();

 private:
  class Worker;
  struct Job;
  std::unique_ptr<Job> start(const ProgramSources& sources);

  std::unique_ptr<Worker> worker_;
  std::map<ProgramSources, std::unique_ptr<Job>> jobs_;
  int taken_ = 0;  // since none was on its way
};

}  // namespace fathom::gpu
