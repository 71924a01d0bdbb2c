// SPDX-License-Identifier: BSD-3-Clause
// Follows a dispatch from what is bound to what is reported. Order between passes is told in serial
// numbers: a write of pass n is visible to a reader once a memory barrier for it came after pass n.
#include "tests/races/watcher.h"

#include "tests/races/real_gl.h"
#include "tests/races/word_history.h"

namespace fathom::races {

void AccessLog::bind(GLuint logBinding, GLuint factsBinding, std::uint32_t without) {
  const std::array<std::uint32_t, 4> facts = {kCapacity, without, 0, 0};
  if (!buffer_) {
    real().CreateBuffers(1, &buffer_);
    real().NamedBufferStorage(buffer_, (std::int64_t(kCapacity) + 1) * 16, nullptr,
                              GL_DYNAMIC_STORAGE_BIT);
    real().CreateBuffers(1, &facts_);
    real().NamedBufferStorage(facts_, sizeof facts, nullptr, GL_DYNAMIC_STORAGE_BIT);
  }
  const std::uint32_t none = 0;
  real().NamedBufferSubData(buffer_, 0, 4, &none);
  real().NamedBufferSubData(facts_, 0, sizeof facts, facts.data());
  real().BindBufferBase(GL_SHADER_STORAGE_BUFFER, logBinding, buffer_);
  real().BindBufferBase(GL_UNIFORM_BUFFER, factsBinding, facts_);
}

const std::vector<LoggedAccess>& AccessLog::read(std::uint64_t& lost) {
  real().MemoryBarrier(GL_ALL_BARRIER_BITS);
  std::uint32_t count = 0;
  real().GetNamedBufferSubData(buffer_, 0, 4, &count);
  accesses_.resize(std::min(count, kCapacity));
  lost = count - accesses_.size();
  if (!accesses_.empty())
    real().GetNamedBufferSubData(buffer_, 16, GLsizeiptr(accesses_.size() * 16), accesses_.data());
  return accesses_;
}

std::string WatchedProgram::lineAt(unsigned line) const {
  return line == 0 || line > lines.size() ? shader : lines[line - 1];
}

GLuint GlObjects::originOf(GLuint texture) const {
  const auto found = textures.find(texture);
  return found == textures.end() || found->second.origin == 0 ? texture : found->second.origin;
}

std::int64_t GlObjects::openFor(GLbitfield bit) const {
  const auto found = barriers.find(bit);
  return found == barriers.end() ? 0 : found->second;
}

namespace {

/// At the end of a line whose accesses are meant to race.
constexpr const char* kMeant = "// race: ";
/// Beside a barrier at which invocations wait for one another, and nothing else.
constexpr const char* kOnlyWaits = "barrier();  // orders no memory: ";
constexpr const char* kVerbs[] = {"reads", "writes", "changes (atomic)"};

std::vector<std::string> linesOf(const gpu::ShaderText& text) {
  std::vector<std::string> lines;
  for (const gpu::ShaderText::Origin& origin : text.origins)
    lines.push_back(origin.file < 0
                        ? text.name
                        : fmt::format("{}:{}", text.files[std::size_t(origin.file)], origin.line));
  return lines;
}

std::vector<bool> linesMarked(const gpu::ShaderText& text, const char* mark) {
  std::vector<bool> marked;
  std::istringstream in(text.text);
  for (std::string line; std::getline(in, line);)
    marked.push_back(line.find(mark) != std::string::npos);
  return marked;
}

std::string definesOf(const gpu::ShaderText& text) {
  std::string all;
  std::istringstream in(text.text);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line) && number < text.origins.size(); ++number)
    if (text.origins[number].file < 0 && line.starts_with("#define "))
      all += (all.empty() ? "" : ", ") + line.substr(8);
  return all;
}

}  // namespace

struct Watcher::Saved {
  struct Copy {
    GLuint of, copy;
    std::int64_t bytes;
  };
  std::vector<Copy> copies;

  Saved(const WatchedProgram& program, const GlObjects& objects) {
    for (const WatchedObject& object : program.made.objects) {
      const auto bound = objects.storage.find(object.binding);
      if (object.kind != WatchedObject::Kind::Buffer || !object.written ||
          bound == objects.storage.end())
        continue;
      const auto facts = objects.buffers.find(bound->second.id);
      if (facts == objects.buffers.end()) continue;
      Copy copy{bound->second.id, 0, facts->second.bytes};
      real().CreateBuffers(1, &copy.copy);
      real().NamedBufferStorage(copy.copy, copy.bytes, nullptr, 0);
      real().CopyNamedBufferSubData(copy.of, copy.copy, 0, 0, copy.bytes);
      copies.push_back(copy);
    }
  }
  ~Saved() {
    for (const Copy& copy : copies) real().DeleteBuffers(1, &copy.copy);
  }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  void restore() const {
    for (const Copy& copy : copies)
      real().CopyNamedBufferSubData(copy.copy, copy.of, 0, 0, copy.bytes);
  }
};

Watcher& watcher() {
  static auto* const one = new Watcher;  // outlives the context
  return *one;
}

void Watcher::contextMade() {
  standIn();
  objects = {};
  log_ = {};
  stages_.clear();
  programs_.clear();
  passes_.clear();
  bufferHistories_.clear();
  textureHistories_.clear();
  serial_ = 0;
}

// ---- Programs

void Watcher::stageLoaded(GLuint shader, const gpu::ShaderText& text) {
  const std::lock_guard lock(mutex);
  auto program = std::make_shared<WatchedProgram>();
  program->shader = text.name;
  program->variant = definesOf(text);
  program->lines = linesOf(text);
  program->meantToRace = linesMarked(text, kMeant);
  program->isCompute = text.name.ends_with(".comp");
  try {
    program->made =
        program->isCompute ? instrument(text.name, text.text) : survey(text.name, text.text);
    program->isWatched = program->isCompute;
    program->groupSize = std::max(1u, program->made.groupSize);
  } catch (const std::exception& problem) {
    result.unwatched.push_back(text.name + ": " + gpu::mapMessages(text, problem.what()));
  }
  program->trialsLeft = options.trials;
  const std::vector<bool> onlyWaits = linesMarked(text, kOnlyWaits);
  for (unsigned i = 0; i < program->made.barriers.size(); ++i) {
    const unsigned line = program->made.barriers[i];
    if (line == 0 || line > onlyWaits.size() || !onlyWaits[line - 1])
      program->pendingTrials.insert(i);
  }
  stages_[shader] = std::move(program);
}

bool Watcher::compile(GLuint shader) {
  const std::lock_guard lock(mutex);
  const auto stage = stages_.find(shader);
  if (stage == stages_.end() || !stage->second->isWatched) return false;
  const std::vector<std::uint32_t>& words = stage->second->made.spirv;
  constexpr GLenum kSpirv = 0x9551;  // GL_SHADER_BINARY_FORMAT_SPIR_V_ARB
  real().ShaderBinary(1, &shader, kSpirv, words.data(), GLsizei(words.size() * 4));
  real().SpecializeShader(shader, "main", 0, nullptr, nullptr);
  return true;
}

void Watcher::attach(GLuint program, GLuint shader) {
  const std::lock_guard lock(mutex);
  if (const auto stage = stages_.find(shader); stage != stages_.end())
    programs_[program].push_back(stage->second);
}

void Watcher::name(GLenum kind, GLuint id, const std::string& label) {
  const std::lock_guard lock(mutex);
  if (kind == GL_BUFFER) objects.buffers[id].label = label;
  if (kind == GL_TEXTURE) objects.textures[id].label = label;
  if (kind != GL_PROGRAM) return;
  for (const ProgramPart& part : programs_[id]) part->name = label;
}

// ---- Order between passes

void Watcher::barrier(GLbitfield bits) {
  for (GLbitfield bit = 1; bit != 0; bit <<= 1)
    if (bits & bit) objects.barriers[bit] = serial_ + 1;
}

void Watcher::find(const std::string& key, const std::string& text) {
  Finding& finding = result.findings[key];
  if (finding.count++ == 0) finding.text = text;
}

void Watcher::expect(GLbitfield bit, const char* reader, const LastWrite& write,
                     const std::string& what, const std::string& readerPass, bool drawsToo) {
  if (write.serial < 0 || write.serial < objects.openFor(bit) || (write.byDrawing && !drawsToo))
    return;
  find(fmt::format("{}|{}|{}|{}", write.pass, readerPass, what, reader),
       fmt::format("pass \"{}\" writes \"{}\", {} reads it: expected barrier(Access::{}) between, "
                   "found none",
                   write.pass, what, readerPass, reader));
}

void Watcher::checkReaders(const WatchedProgram& program) {
  const std::string pass = fmt::format("pass \"{}\"", program.name);
  for (const WatchedObject& object : program.made.objects) {
    if (object.kind != WatchedObject::Kind::Buffer) continue;
    const BufferFacts& buffer = objects.buffers[objects.storage[object.binding].id];
    // What compute passes do to one another is seen word by word.
    const bool isSeenElsewhere =
        program.isWatched ? !buffer.write.byDrawing : buffer.write.byDrawing;
    if (!isSeenElsewhere)
      expect(GL_SHADER_STORAGE_BARRIER_BIT, "Storage", buffer.write, buffer.label, pass);
  }
  for (const unsigned unit : program.made.textures) {
    const TextureFacts& texture = objects.textures[objects.originOf(objects.units[unit])];
    const LastWrite& write = texture.buffer ? objects.buffers[texture.buffer].write : texture.write;
    expect(GL_TEXTURE_FETCH_BARRIER_BIT, "Texture", write,
           texture.buffer ? objects.buffers[texture.buffer].label : texture.label, pass);
  }
  for (const unsigned binding : program.made.uniforms) {
    const BufferFacts& buffer = objects.buffers[objects.uniforms[binding].id];
    expect(GL_UNIFORM_BARRIER_BIT, "Uniform", buffer.write, buffer.label, pass);
  }
}

void Watcher::noteWrites(const WatchedProgram& program, bool byDrawing) {
  for (unsigned i = 0; i < program.made.objects.size(); ++i) {
    const WatchedObject& object = program.made.objects[i];
    const bool isWritten = program.writesKnown ? program.written.contains(i) : object.written;
    if (!isWritten || object.kind == WatchedObject::Kind::Shared) continue;
    const LastWrite write{serial_, program.name, byDrawing};
    if (object.kind == WatchedObject::Kind::Buffer)
      objects.buffers[objects.storage[object.binding].id].write = write;
    else
      objects.textures[objects.originOf(objects.images[object.binding])].write = write;
  }
}

void Watcher::transfer(GLuint id, std::int64_t offset, std::int64_t bytes, bool writes) {
  const BufferFacts& buffer = objects.buffers[id];
  expect(GL_BUFFER_UPDATE_BARRIER_BIT, "Transfer", buffer.write, buffer.label,
         writes ? "a write by the processor or a copy" : "a read-back or a copy");
  if (writes)
    bufferHistories_[id].forget(std::uint64_t(offset) / 4, std::uint64_t(offset + bytes + 3) / 4);
}

void Watcher::transferTexture(GLuint id, bool writes) {
  TextureFacts& texture = objects.textures[objects.originOf(id)];
  expect(GL_TEXTURE_UPDATE_BARRIER_BIT, "Transfer", texture.write, texture.label,
         "a copy or a read-back");
  if (writes) texture.write = {};
  if (writes) textureHistories_.erase(objects.originOf(id));
}

void Watcher::deleteBuffer(GLuint id) {
  objects.buffers.erase(id);
  bufferHistories_.erase(id);
}

void Watcher::deleteTexture(GLuint id) {
  objects.textures.erase(id);
  textureHistories_.erase(id);
}

void Watcher::draw() {
  const std::lock_guard lock(mutex);
  ++serial_;
  for (const ProgramPart& part : programs_[current_]) {
    checkReaders(*part);
    noteWrites(*part, true);
  }
}

// ---- A dispatch

void Watcher::runWatched(const ProgramPart& part, const std::function<void()>& call,
                         std::uint32_t without) {
  const WatchedProgram& program = *part;
  passes_[serial_] = part;
  real().MemoryBarrier(GL_ALL_BARRIER_BITS);
  log_.bind(program.made.logBinding, program.made.factsBinding, without);
  call();
}

void Watcher::dispatch(const std::function<void()>& call, bool isIndirect) {
  const std::lock_guard lock(mutex);
  ++serial_;
  ++result.dispatches;
  const auto parts = programs_.find(current_);
  if (parts == programs_.end() || parts->second.empty()) return call();
  const ProgramPart part = parts->second.front();
  WatchedProgram& program = *part;
  result.shaders.insert(program.shader);
  if (isIndirect) {
    const BufferFacts& buffer = objects.buffers[objects.indirect];
    expect(GL_COMMAND_BARRIER_BIT, "Indirect", buffer.write, buffer.label,
           fmt::format("the dispatch of pass \"{}\"", program.name));
  }
  checkReaders(program);
  if (program.isWatched) {
    const bool tries = program.trialsLeft > 0 && !program.pendingTrials.empty();
    std::unique_ptr<Saved> before;
    if (tries) before = std::make_unique<Saved>(program, objects);
    runWatched(part, call, AccessLog::kNoBarrier);
    findRaces(part, false);
    if (tries) tryWithoutBarriers(part, call, *before);
  } else {
    call();
  }
  noteWrites(program, false);
}

void Watcher::tryWithoutBarriers(const ProgramPart& part, const std::function<void()>& call,
                                 const Saved& before) {
  WatchedProgram& program = *part;
  --program.trialsLeft;
  const Saved after(program, objects);
  const std::set<unsigned> pending = program.pendingTrials;
  for (const unsigned index : pending) {
    const std::string place = program.lineAt(program.made.barriers[index]);
    BarrierTrial& trial = result.trials[program.shader + "|" + place];
    if (trial.noticed) {  // with other defines
      program.pendingTrials.erase(index);
      continue;
    }
    ++serial_;
    before.restore();
    runWatched(part, call, index);
    const bool noticed = findRaces(part, true) > 0;
    if (trial.shader.empty()) trial = {program.shader, place, program.variant, false, true};
    trial.noticed |= noticed;
    trial.doubled &= !program.usefulBarriers.contains(index);
    if (noticed) program.pendingTrials.erase(index);
  }
  after.restore();
}

// ---- What a dispatch did

MemoryHistory& Watcher::historyOf(const WatchedObject& object, std::uint32_t group) {
  switch (object.kind) {
    case WatchedObject::Kind::Buffer:
      return bufferHistories_[objects.storage[object.binding].id];
    case WatchedObject::Kind::Image:
      return textureHistories_[objects.originOf(objects.images[object.binding])];
    default:
      return sharedHistories_[{object.binding, group}];
  }
}

std::uint64_t Watcher::wordOf(const WatchedObject& object, const LoggedAccess& access) const {
  if (object.kind == WatchedObject::Kind::Buffer)
    return access.word + std::uint64_t(objects.storage.at(object.binding).offset) / 4;
  if (object.kind == WatchedObject::Kind::Shared) return access.word;
  const TextureFacts& texture =
      objects.textures.at(objects.originOf(objects.images.at(object.binding)));
  const std::uint64_t x = access.word & 0xffffu, y = access.word >> 16;
  // A store beside the image does nothing.
  if (x >= std::uint64_t(texture.width) || y >= std::uint64_t(texture.height))
    return MemoryHistory::kMaxWords;
  return y * std::uint64_t(texture.width) + x;
}

std::int64_t Watcher::visibleTo(const WatchedObject& object) const {
  return object.kind == WatchedObject::Kind::Buffer ? objects.openFor(GL_SHADER_STORAGE_BARRIER_BIT)
         : object.kind == WatchedObject::Kind::Image
             ? objects.openFor(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT)
             : serial_;
}

void Watcher::noteUsefulBarriers(WatchedProgram& program,
                                 const std::vector<LoggedAccess>& entries) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> busy;  // group, phase
  for (const LoggedAccess& entry : entries)
    if (entry.place != AccessLog::kBarrierPlace)
      busy.insert({entry.invocation / program.groupSize, entry.phases >> 16});
  for (const LoggedAccess& entry : entries) {
    const std::uint32_t group = entry.invocation / program.groupSize, phase = entry.phases >> 16;
    if (entry.place == AccessLog::kBarrierPlace && busy.contains({group, phase}) &&
        busy.contains({group, phase + 1}))
      program.usefulBarriers.insert(entry.word);
  }
}

int Watcher::findRaces(const ProgramPart& part, bool quietly) {
  const WatchedProgram& program = *part;
  sharedHistories_.clear();
  GroupOrder order;
  std::uint64_t lost = 0;
  int races = 0;
  const std::vector<LoggedAccess>& entries = log_.read(lost);
  if (!quietly) part->written.clear();
  part->writesKnown = lost == 0;
  if (!quietly && !part->pendingTrials.empty()) noteUsefulBarriers(*part, entries);
  for (const LoggedAccess& entry : entries) {
    if (entry.place >= program.made.places.size()) continue;
    const Place& place = program.made.places[entry.place];
    const WatchedObject& object = program.made.objects[place.object];
    const bool isShared = object.kind == WatchedObject::Kind::Shared;
    const Access now{serial_,
                     entry.invocation,
                     entry.invocation / program.groupSize,
                     isShared ? entry.phases >> 16 : entry.phases & 0xffffu,
                     entry.place,
                     place.kind,
                     place.constant};
    if (!quietly && place.kind != AccessKind::Read) part->written.insert(place.object);
    const std::int64_t visible = quietly ? serial_ : visibleTo(object);
    const std::uint64_t first = wordOf(object, entry);
    MemoryHistory& history = historyOf(object, now.group);
    if (place.kind == AccessKind::Atomic && object.kind == WatchedObject::Kind::Buffer)
      order.atomic(object.binding, first, now);
    for (unsigned i = 0; i < place.words; ++i) {
      const auto before = history.add(first + i, now, visible, isShared ? nullptr : &order);
      if (!before || isMeant(program, now, *before)) continue;
      ++races;
      if (!quietly) report(program, now, *before, first + i);
    }
  }
  if (!quietly) result.lost += static_cast<long long>(lost);
  return races;
}

/// Within a pass, and the shader says so beside one of them.
bool Watcher::isMeant(const WatchedProgram& program, const Access& now, const Access& before) {
  if (now.pass != before.pass) return false;
  for (const Access& access : {now, before}) {
    const unsigned line = program.made.places[access.place].line;
    if (line > 0 && line <= program.meantToRace.size() && program.meantToRace[line - 1])
      return true;
  }
  return false;
}

void Watcher::report(const WatchedProgram& program, const Access& now, const Access& before,
                     std::uint64_t word) {
  const WatchedProgram& other = *passes_.at(before.pass);
  const Place& place = program.made.places[now.place];
  const Place& otherPlace = other.made.places[before.place];
  const std::string here = program.lineAt(place.line), there = other.lineAt(otherPlace.line);
  const WatchedObject& object = program.made.objects[place.object];
  std::string what = fmt::format("word {} of {}", word, object.name);
  if (object.kind == WatchedObject::Kind::Buffer)
    what += fmt::format(" (\"{}\")", objects.buffers[objects.storage[object.binding].id].label);
  if (object.kind == WatchedObject::Kind::Shared) what += " (shared)";
  const auto verb = [](const Place& of) { return kVerbs[std::size_t(of.kind)]; };
  const std::string key = fmt::format("{}|{}|{}|{}|{}", here, there, object.name,
                                      before.pass != now.pass, program.name);
  if (before.pass != now.pass)
    return find(key, fmt::format("{}: pass \"{}\" {} {}, which pass \"{}\" {} at {}: expected "
                                 "barrier(Access::Storage) between, found none",
                                 here, program.name, verb(place), what, other.name,
                                 verb(otherPlace), there));
  const std::string expected =
      before.group == now.group
          ? "expected a barrier between, found none"
          : "expected atomics or two passes, since nothing orders the groups of one";
  find(key, fmt::format(
                "{}: {} {}, which another invocation {} at {}: {} (pass \"{}\", invocations {} and "
                "{} of groups {} and {})",
                here, verb(place), what, verb(otherPlace), there, expected, program.name,
                now.invocation % program.groupSize, before.invocation % program.groupSize,
                now.group, before.group));
}

}  // namespace fathom::races
