// SPDX-License-Identifier: BSD-3-Clause
// One OpenGL 4.5 core context, without a display or of a window, with its limits, memory account,
// timings and compiled passes. All gpu:: objects live on the thread that made the
// context.
#pragma once

#include "app/engine/gpu/memory_account.h"
#include "app/engine/gpu/timings.h"

namespace fathom::system {
class GlSurface;
}

namespace fathom::gpu {

class Pass;
class RasterPass;
class StagedRead;
class UniformRing;
struct PassKey;
struct RasterPassKey;
class Program;
struct CompiledProgram;
struct CompileProgress;
struct ProgramSources;

enum class Backend { Auto, Window, Egl };

struct Device {
  std::string vendor, renderer, version;
  bool software = false;  // llvmpipe and its like
};

/// Read from the driver at start; never assumed.
struct Limits {
  std::int64_t storageBlockBytes = 0;
  std::int64_t storageOffsetAlignment = 0;
  std::int64_t sharedBytes = 0;
  std::int64_t workGroupInvocations = 0;
  std::int64_t workGroupCount[3] = {};
  std::int64_t storageBlocksPerStage = 0;
  std::int64_t textureSize = 0;
  std::int64_t textureBufferTexels = 0;
};

/// What goes beyond GL 4.5. Each has a plain GL 4.5 path beside it.
struct Capabilities {
  bool shaderBallot = false;     // GL_ARB_shader_ballot
  bool groupVote = false;        // GL_ARB_shader_group_vote
  bool subgroups = false;        // GL_KHR_shader_subgroup
  bool subgroupVote = false;     // votes of subgroups in compute shaders
  int subgroupSize = 0;          // 0: unknown
  bool subgroupShuffle = false;  // ballots and shuffles of subgroups in compute shaders
  bool int64 = false;            // GL_ARB_gpu_shader_int64
  bool int64Atomics = false;     // GL_NV_shader_atomic_int64
  bool parallelCompile = false;  // GL_KHR_parallel_shader_compile
};

struct ContextOptions {
  Backend backend = Backend::Auto;  // Auto: EGL, else a hidden window where the program has those
  int device = 0;                   // which hardware device, modulo their number; EGL only
  /// The driver checks every call and reports in words, which costs time. FATHOM_GL_DEBUG in the
  /// environment asks for it too.
  bool debug = false;
  /// Programs that are compiled beside are compiled by a thread of ours even where the driver has
  /// threads: for tests.
  bool ownCompileThread = false;
  /// How many programs are kept at most; those that were not used for longest are compiled again
  /// when they are.
  std::size_t maxPrograms = 512;
};

/// Backend::Window: how this program makes a hidden window. Null when it cannot; then a line has
/// been added to `tried`. Programs without windows offer none.
using HiddenWindowMaker = std::unique_ptr<system::GlSurface> (*)(bool debug,
                                                                 std::vector<std::string>& tried);
void offerHiddenWindows(HiddenWindowMaker make);

class Context {
 public:
  /// Makes the context current on the calling thread. Throws NoDeviceError (one line that says what
  /// was tried).
  explicit Context(const ContextOptions& options = {});
  /// Takes a surface over that is current on the calling thread: of a window, or shared with a
  /// host. Of the options those of debugging and compiling count.
  explicit Context(std::unique_ptr<system::GlSurface> surface, const ContextOptions& options = {});
  ~Context();

  /// Needed only where there are several contexts: all gpu:: calls go to the current one.
  void makeCurrent();

  const Device& device() const;
  const Limits& limits() const;
  const Capabilities& capabilities() const;
  MemoryAccount& memory();
  Timings& timings();

  /// The compiled pass of this key; compiled at the first call (about 10-300 ms), then kept. The
  /// reference stays valid as long as the context. Throws Error with the compiler's message in
  /// terms of our files.
  Pass& pass(const PassKey& key);
  /// The one of this name.
  Pass& pass(const std::vector<PassKey>& programs, const std::string& name);
  RasterPass& rasterPass(const RasterPassKey& key);
  /// Asks for all programs of a piece of work before it begins, so that they are compiled side by
  /// side and nothing is left half done. Throws Compiling while one is missing, where the caller
  /// can wait; else waits.
  void request(const std::vector<PassKey>& keys);
  /// While one lives, a program that is not there yet is compiled beside, and asking for its pass
  /// throws Compiling (compiler.h): for whoever has something to show meanwhile, and asks again.
  struct CompilesBeside : Counted {
    explicit CompilesBeside(Context& context);
  };
  CompileProgress compileProgress();

  /// Compiles again every pass whose files changed on disk; a pass that fails keeps its old
  /// program. Returns the messages of those that failed (empty: all well).
  std::vector<std::string> reloadShaders();
  /// Counts up with each successful reload; techniques rebuild when it changes.
  std::uint64_t shaderGeneration() const;

  /// Parameters of dispatches and blocking reads of buffers go through these, made at first use.
  UniformRing& uniformRing();
  /// Called by a program that is about to run: it is compiled again if it was dropped.
  void use(Program& program);
  StagedRead& stagedRead();

  system::GlSurface& surface();
  /// Waits until the device has finished everything. Throws DeviceLost.
  void finish();
  /// Ends a slice of work: the device may be two slices behind, no more (see Pacer). What a clock
  /// says afterwards is the device's work but for those. Throws DeviceLost.
  void pace();

  /// GL debug messages since the last call, as "severity: text" (notifications left out). Tests
  /// demand none; errors are also logged. A context without ContextOptions::debug has none.
  std::vector<std::string> takeDebugMessages();
  /// Adds a message of our own to them: the shader loader's warnings.
  void addDebugMessage(std::string message);

 private:
  struct State;
  CompiledProgram compiled(const ProgramSources& sources);
  template <class Key, class Made>
  Made& find(std::map<Key, std::unique_ptr<Made>>& all, const Key& key);
  void dropOldPrograms();

  std::unique_ptr<State> state_;
};

}  // namespace fathom::gpu
