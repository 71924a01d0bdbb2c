// SPDX-License-Identifier: BSD-3-Clause
// Programs that are compiled while the picture goes on: by the driver's own threads where it has
// them (GL_KHR_parallel_shader_compile), else by a thread of ours with a context that shares objects.
#pragma once

#include "app/engine/gpu/shader_compiler.h"

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace fathom::gpu {

class Surface;

/// A program is not there yet; whoever asked for it tries again a little later. No failure, and so
/// no Error.
class Compiling : public std::exception {
 public:
  const char* what() const noexcept override { return "programs are being compiled"; }
};

struct CompileProgress {
  int ready = 0, total = 0;  // of those asked for since none was on its way; both 0: none is
};

class CompileQueue {
 public:
  /// `parallel`: the driver has threads. Else `makeShared` is called once, on this thread; the
  /// surface that it returns is used by another. Null from it: programs are compiled when asked for.
  CompileQueue(ProgramCache* cache, bool parallel,
               std::function<std::unique_ptr<Surface>()> makeShared);
  ~CompileQueue();
  CompileQueue(const CompileQueue&) = delete;
  CompileQueue& operator=(const CompileQueue&) = delete;

  /// The program, once; none while it is on its way, where the first call sends it. Throws the Error
  /// of a program that does not compile.
  std::optional<CompiledProgram> take(const ProgramSources& sources);
  CompileProgress progress();

 private:
  class Worker;
  struct Job;
  std::unique_ptr<Job> start(const ProgramSources& sources);

  ProgramCache* cache_;
  bool parallel_;
  std::unique_ptr<Worker> worker_;
  std::map<ProgramSources, std::unique_ptr<Job>> jobs_;
  int taken_ = 0;  // since none was on its way
};

}  // namespace fathom::gpu
