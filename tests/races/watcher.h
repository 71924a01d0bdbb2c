// SPDX-License-Identifier: BSD-3-Clause
// What happens at each call that hooks.cpp stands in for.
#pragma once

#include "app/engine/gpu/shader_loader.h"
#include "tests/races/access_log.h"
#include "tests/races/gl_objects.h"
#include "tests/races/watch.h"

namespace fathom::races {

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
