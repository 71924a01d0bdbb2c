// SPDX-License-Identifier: BSD-3-Clause
// What happens at each call that hooks.cpp stands in for, and what the watch knows of OpenGL's
// objects: names, sizes, what is bound where, which pass wrote an object last, and up to which pass
// each kind of memory barrier has come.
#pragma once

#include "app/engine/gpu/shader_loader.h"
#include "tests/races/instrument.h"
#include "tests/races/watch.h"

#include <glad/gl.h>

namespace fathom::races {

/// An access, or a barrier that a group comes to: its number as `word`, noted by the first
/// invocation.
struct LoggedAccess {
  std::uint32_t invocation, place, word, phases;  // of shared memory << 16 | of buffers
};

/// The buffer into which a watched dispatch writes its accesses (record_accesses.glsl).
class AccessLog {
 public:
  static constexpr std::uint32_t kCapacity = 1u << 22, kNoBarrier = ~0u, kBarrierPlace = ~0u;

  /// Empty, for one dispatch that leaves out barrier `without`.
  void bind(GLuint logBinding, GLuint factsBinding, std::uint32_t without);
  /// What the dispatch wrote, in order. `lost`: how many had no room.
  const std::vector<LoggedAccess>& read(std::uint64_t& lost);

 private:
  GLuint buffer_ = 0, facts_ = 0;
  std::vector<LoggedAccess> accesses_;
};

/// A program, or a stage of one, in terms of our files.
struct WatchedProgram {
  std::string name;     // of the pass
  std::string shader;   // "shaders/common/scan_write.comp"
  std::string variant;  // its defines, in a row
  std::vector<std::string>
      lines;  // "shaders/common/scan_write.comp:12" for each of the flattened text
  std::vector<bool> meantToRace;  // lines of that text that end with `// race: why`
  Instrumented made;
  std::set<unsigned> written;  // objects that the last dispatch wrote; if that is known
  bool writesKnown = false;
  bool isCompute = false, isWatched = false;
  std::set<unsigned>
      pendingTrials;  // barriers of which it is not known whether leaving them out is noticed
  std::set<unsigned>
      usefulBarriers;  // that had accesses before and behind them, up to the next ones
  int trialsLeft = 0;
  unsigned groupSize = 1;

  std::string lineAt(unsigned line) const;
};

struct LastWrite {
  std::int64_t serial = -1;  // of the dispatch or draw; -1: none
  std::string pass;
  bool byDrawing = false;
};

struct BufferFacts {
  std::string label;
  std::int64_t bytes = 0;
  LastWrite write;
};

struct TextureFacts {
  std::string label;
  int width = 0, height = 0;
  GLuint buffer = 0;  // whose texels it shows; 0: none
  GLuint origin = 0;  // the texture that it is a view of; 0: none
  LastWrite write;
};

struct BufferBinding {
  GLuint id = 0;
  std::int64_t offset = 0;
};

struct GlObjects {
  std::map<GLuint, BufferFacts> buffers;
  std::map<GLuint, TextureFacts> textures;
  std::map<GLuint, BufferBinding> storage, uniforms;  // by binding
  std::map<GLuint, GLuint> images, units;             // by unit: textures
  GLuint indirect = 0;
  std::map<GLbitfield, std::int64_t> barriers;  // by bit: passes before this one are visible

  /// The texture behind views.
  GLuint originOf(GLuint texture) const;
  /// The first pass whose writes such a reader may not see yet.
  std::int64_t openFor(GLbitfield bit) const;
};

class Watcher {
 public:
  WatchOptions options;
  WatchResult result;
  GlObjects objects;
  std::recursive_mutex mutex;  // programs may be compiled by another thread

  void contextMade();
  void stageLoaded(GLuint shader, const gpu::ShaderText& text);
  /// True when the shader was given as SPIR-V.
  bool compile(GLuint shader);
  void attach(GLuint program, GLuint shader);
  void name(GLenum kind, GLuint id, const std::string& label);
  void use(GLuint program) { current_ = program; }
  void deleteProgram(GLuint program) {
    const std::lock_guard lock(mutex);
    programs_.erase(program);
  }
  void barrier(GLbitfield bits);
  /// `call` is the dispatch itself.
  void dispatch(const std::function<void()>& call, bool isIndirect);
  void draw();
  /// The processor or a copy reads or writes a buffer or a texture.
  void transfer(GLuint buffer, std::int64_t offset, std::int64_t bytes, bool writes);
  void transferTexture(GLuint texture, bool writes);
  void deleteBuffer(GLuint id);
  void deleteTexture(GLuint id);

 private:
  struct Saved;  // buffers as they were before a dispatch
  using ProgramPart = std::shared_ptr<WatchedProgram>;

  void nextSerial();
  void checkReaders(const WatchedProgram& program);
  void expect(GLbitfield bit, const char* reader, const LastWrite& write, const std::string& what,
              const std::string& readerPass, bool drawsToo = true);
  void noteWrites(const WatchedProgram& program, bool byDrawing);
  void runWatched(const ProgramPart& part, const std::function<void()>& call,
                  std::uint32_t without);
  void tryWithoutBarriers(const ProgramPart& part, const std::function<void()>& call,
                          const Saved& before);
  /// Looks for races among what the last dispatch did; returns how many. `quietly`: reports none.
  int findRaces(const ProgramPart& part, bool quietly);
  static void noteUsefulBarriers(WatchedProgram& program, const std::vector<LoggedAccess>& entries);
  MemoryHistory& historyOf(const WatchedObject& object, std::uint32_t group);
  std::uint64_t wordOf(const WatchedObject& object, const LoggedAccess& access) const;
  std::int64_t visibleTo(const WatchedObject& object) const;
  static bool isMeant(const WatchedProgram& program, const Access& now, const Access& before);
  void report(const WatchedProgram& program, const Access& now, const Access& before,
              std::uint64_t word);
  void find(const std::string& key, const std::string& text);

  std::map<GLuint, ProgramPart> stages_;                 // by shader
  std::map<GLuint, std::vector<ProgramPart>> programs_;  // by program
  std::map<std::int64_t, ProgramPart> passes_;           // by serial
  AccessLog log_;
  std::map<GLuint, MemoryHistory> bufferHistories_, textureHistories_;
  std::map<std::pair<unsigned, std::uint32_t>, MemoryHistory>
      sharedHistories_;  // by object and group
  GLuint current_ = 0;
  std::int64_t serial_ = 0;
};

Watcher& watcher();
/// Puts our functions in the place of OpenGL's; once per context.
void standIn();

}  // namespace fathom::races
