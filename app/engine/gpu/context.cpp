// SPDX-License-Identifier: BSD-3-Clause
// What belongs to one device: driver strings, limits, capabilities, the memory budget, debug
// messages, and the cache of compiled passes.
#include "app/engine/gpu/context.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/gpu/stress.h"
#include "app/system/gl_surface.h"
#include "app/system/machine.h"

namespace fathom::gpu {

/// Debug messages of the driver until takeDebugMessages() is called.
struct DebugMessages {
  std::vector<std::string> texts;
  int logged = 0;
};

namespace {

constexpr std::size_t kMessageCount = 1000;  // kept at most, until taken
constexpr int kLoggedCount = 20;             // a driver that complains every frame is not repeated

int allocationWatches = 0;

const char* severityText(GLenum severity) {
  return severity == GL_DEBUG_SEVERITY_HIGH     ? "high"
         : severity == GL_DEBUG_SEVERITY_MEDIUM ? "medium"
                                                : "low";
}

// What NVIDIA's driver reports at medium severity about things done on purpose: pixels read back at
// once (131154), and a program compiled for the state it is drawn with (131218).
constexpr GLuint kExpectedIds[] = {131154, 131218};

void GLAPIENTRY onMessage(GLenum source, GLenum type, GLuint, GLenum severity, GLsizei length,
                          const GLchar* text, const void* user) {
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
  // Compiler messages reach the user through the shader loader, in terms of our files.
  if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) return;
  auto& messages = *static_cast<DebugMessages*>(const_cast<void*>(user));
  const std::string message(text, length < 0 ? std::string_view(text).size() : std::size_t(length));
  if (allocationWatches > 0 && message.find("OUT_OF_MEMORY") != std::string::npos) return;
  if (messages.texts.size() < kMessageCount)
    messages.texts.push_back(std::string(severityText(severity)) + ": " + message);
  if (type == GL_DEBUG_TYPE_ERROR && messages.logged++ < kLoggedCount)
    log::warn("OpenGL: {}", message);
  else if (type != GL_DEBUG_TYPE_ERROR)
    log::info("OpenGL: {}", message);
}

std::string text(GLenum name) {
  const auto* value = reinterpret_cast<const char*>(glGetString(name));
  return value ? value : "";
}

/// Messages come while the call that caused them runs, so that a debugger shows it.
void listen(DebugMessages& messages) {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, nullptr,
                        GL_FALSE);
  if (text(GL_VENDOR).find("NVIDIA") != std::string::npos)
    glDebugMessageControl(GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_PERFORMANCE, GL_DONT_CARE,
                          GLsizei(std::size(kExpectedIds)), kExpectedIds, GL_FALSE);
  glDebugMessageCallback(onMessage, &messages);
}

bool hasExtension(std::string_view name) {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i) {
    const auto* extension = reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, GLuint(i)));
    if (extension && name == extension) return true;
  }
  return false;
}

std::int64_t integer64(GLenum name) {
  GLint64 value = 0;
  glGetInteger64v(name, &value);
  return value;
}

Device readDevice() {
  Device device{text(GL_VENDOR), text(GL_RENDERER), text(GL_VERSION)};
  for (const char* word : {"llvmpipe", "softpipe", "swrast", "SWR", "SwiftShader"})
    if (device.renderer.find(word) != std::string::npos) device.software = true;
  return device;
}

Limits readLimits() {
  Limits limits;
  limits.storageBlockBytes = integer64(GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
  limits.storageOffsetAlignment = integer64(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
  limits.sharedBytes = integer64(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
  limits.workGroupInvocations = integer64(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
  for (GLuint axis = 0; axis < 3; ++axis) {
    GLint64 value = 0;
    glGetInteger64i_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, axis, &value);
    limits.workGroupCount[axis] = value;
  }
  limits.storageBlocksPerStage = integer64(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
  limits.textureSize = integer64(GL_MAX_TEXTURE_SIZE);
  limits.textureBufferTexels = integer64(GL_MAX_TEXTURE_BUFFER_SIZE);
  return limits;
}

Capabilities readCapabilities() {
  Capabilities can;
  can.shaderBallot = GLAD_GL_ARB_shader_ballot;
  can.groupVote = hasExtension("GL_ARB_shader_group_vote");
  can.subgroups = GLAD_GL_KHR_shader_subgroup;
  can.int64 = GLAD_GL_ARB_gpu_shader_int64;
  can.int64Atomics = GLAD_GL_NV_shader_atomic_int64;
  can.parallelCompile = GLAD_GL_KHR_parallel_shader_compile;
  if (can.subgroups) {
    GLint size = 0;
    glGetIntegerv(GL_SUBGROUP_SIZE_KHR, &size);
    can.subgroupSize = size;
    GLint stages = 0, features = 0;
    glGetIntegerv(GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stages);
    glGetIntegerv(GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
    can.subgroupVote =
        (stages & GL_COMPUTE_SHADER_BIT) && (features & GL_SUBGROUP_FEATURE_VOTE_BIT_KHR);
    constexpr GLint kShuffles =
        GL_SUBGROUP_FEATURE_BALLOT_BIT_KHR | GL_SUBGROUP_FEATURE_SHUFFLE_BIT_KHR;
    can.subgroupShuffle = (stages & GL_COMPUTE_SHADER_BIT) && (features & kShuffles) == kShuffles;
  }
  return can;
}

// What all buffers together may take: free video memory where the driver tells it, else half of the
// system's memory, which software and integrated devices share with the program.
std::int64_t readBudget() {
  constexpr GLenum kTextureFreeMemoryAti = 0x87FC;
  GLint kib[4] = {};
  if (GLAD_GL_NVX_gpu_memory_info)
    glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, kib);
  else if (hasExtension("GL_ATI_meminfo"))
    glGetIntegerv(kTextureFreeMemoryAti, kib);
  if (kib[0] > 0) return std::int64_t(kib[0]) * 1024 / 100 * 95;
  return std::int64_t(system::memoryLimitBytes() / 2);
}

bool wantsDebug(const ContextOptions& options) {
  return options.debug || std::getenv("FATHOM_GL_DEBUG") != nullptr;
}

HiddenWindowMaker makeHiddenWindow = [](bool, std::vector<std::string>& tried) {
  tried.push_back("window: this program has none");
  return std::unique_ptr<system::GlSurface>();
};

std::unique_ptr<system::GlSurface> makeSurface(const ContextOptions& options) {
  // A renderer in software that is refused memory while it compiles ends the process.
  constexpr std::uint64_t kLeast = 256 << 20;
  if (const std::uint64_t most = system::memoryBytes(); most < kLeast)
    fail("--max-memory: expected at least {} MiB, which a renderer needs by itself, found {}",
         kLeast >> 20, most >> 20);
  const bool debug = wantsDebug(options);
  std::vector<std::string> tried;
  std::unique_ptr<system::GlSurface> surface;
  const char* const number = std::getenv("FATHOM_DEVICE");
  const int device = options.device + (number ? std::max(0, std::atoi(number)) : 0);
  if (options.backend != Backend::Window)
    surface = system::makeHeadlessSurface(device, debug, tried);
  if (!surface && options.backend != Backend::Egl) surface = makeHiddenWindow(debug, tried);
  if (surface) return surface;
  throw NoDeviceError(fmt::format("no OpenGL 4.5 core context; tried {}", fmt::join(tried, "; ")));
}

thread_local int requests = 0;  // going on

}  // namespace

void offerHiddenWindows(HiddenWindowMaker make) { makeHiddenWindow = make; }

void deleteBuffer(GlId id) { glDeleteBuffers(1, &id); }
void deleteTexture(GlId id) { glDeleteTextures(1, &id); }
void deleteProgram(GlId id) { glDeleteProgram(id); }
void deleteShader(GlId id) { glDeleteShader(id); }
void deleteFramebuffer(GlId id) { glDeleteFramebuffers(1, &id); }
void deleteVertexArray(GlId id) { glDeleteVertexArrays(1, &id); }

AllocationWatch::AllocationWatch() : Counted(allocationWatches) {
  for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
  }
}
bool AllocationWatch::failed() { return glGetError() != GL_NO_ERROR; }

void labelObject(GLenum kind, GlId id, const std::string& name) {
  static constexpr std::size_t kMaxLabel = 255;  // GL_MAX_LABEL_LENGTH is at least 256
  glObjectLabel(kind, id, GLsizei(std::min(name.size(), kMaxLabel)), name.c_str());
}

// Members die in reverse order: the passes first, the surface with its context last.
struct Context::State {
  std::unique_ptr<system::GlSurface> surface;
  Device device;
  Limits limits;
  Capabilities capabilities;
  DebugMessages messages;
  MemoryAccount memory;
  Timings timings;
  Pacer pacer;
  std::unique_ptr<UniformRing> uniformRing;
  std::unique_ptr<StagedRead> stagedRead;
  std::unique_ptr<CompileQueue> compileQueue;  // made when it is first of use
  bool driverThreads = false;                  // compile for us
  int compilesBeside = 0;                      // CompilesBeside alive
  std::map<PassKey, std::unique_ptr<Pass>> passes;
  std::map<RasterPassKey, std::unique_ptr<RasterPass>> rasterPasses;
  std::size_t maxPrograms = 0;
  std::uint64_t uses = 0;
  std::uint64_t shaderGeneration = 0;
};

Context::Context(const ContextOptions& options) : Context(makeSurface(options), options) {}

Context::Context(std::unique_ptr<system::GlSurface> surface, const ContextOptions& options)
    : state_(std::make_unique<State>()) {
  const Stopwatch watch;
  State& s = *state_;
  s.surface = std::move(surface);
  forgetDeviceLoss();
  if (!gladLoadGL(s.surface->loader()) || !GLAD_GL_VERSION_4_5)
    throw NoDeviceError("no OpenGL 4.5 core context; " + s.surface->about() + " offers only " +
                        text(GL_VERSION));
  if (observer().contextMade) observer().contextMade();
  if (wantsDebug(options)) listen(s.messages);
  s.device = readDevice();
  s.timings.setSoftware(s.device.software);
  s.limits = readLimits();
  s.capabilities = readCapabilities();
  s.maxPrograms = options.maxPrograms;
  s.driverThreads = s.capabilities.parallelCompile && !options.ownCompileThread;
  s.memory.setBlockLimit(s.limits.storageBlockBytes);
  s.memory.setBudget(readBudget());
  log::info("OpenGL {} on {} ({}), in {:.0f} ms", s.device.version, s.device.renderer,
            s.surface->about(), watch.ms());
}

Context::~Context() {
  makeCurrent();
  glDebugMessageCallback(nullptr, nullptr);
  state_->compileQueue.reset();
  makeCurrent();
}

void Context::makeCurrent() {
  state_->surface->makeCurrent();
  forgetDeviceLoss();
}

const Device& Context::device() const { return state_->device; }
const Limits& Context::limits() const { return state_->limits; }
const Capabilities& Context::capabilities() const { return state_->capabilities; }
MemoryAccount& Context::memory() { return state_->memory; }
Timings& Context::timings() { return state_->timings; }

// ---- Programs

/// From the queue while somebody can wait, else waited for. Throws Compiling, Error.
CompiledProgram Context::compiled(const ProgramSources& sources) {
  State& s = *state_;
  if (stress().watches && requests == 0) stress().unrequested.insert(sources.name);
  if (s.compilesBeside == 0) {
    std::optional<CompiledProgram> sent;
    if (s.compileQueue) sent = s.compileQueue->finish(sources);
    return sent ? std::move(*sent) : ProgramBuild(sources).finish();
  }
  if (stress().late && stress().asked.insert(sources).second) throw Compiling();
  if (!s.compileQueue)
    s.compileQueue =
        std::make_unique<CompileQueue>(s.driverThreads, [&s] { return s.surface->shared(); });
  std::optional<CompiledProgram> made = s.compileQueue->take(sources);
  if (!made) throw Compiling();
  return std::move(*made);
}

template <class Key, class Made>
Made& Context::find(std::map<Key, std::unique_ptr<Made>>& all, const Key& key) {
  auto at = all.find(key);
  if (at == all.end() || !at->second || at->second->id() == 0) {
    const Stopwatch watch;
    CompiledProgram made = compiled(sourcesOf(key));
    timings().compileMs += watch.ms();
    ++countedWork().compiles;
    if (at == all.end()) at = all.emplace(key, nullptr).first;
    if (at->second)
      at->second->adopt(std::move(made));
    else
      at->second = std::make_unique<Made>(*this, at->first, std::move(made));
    at->second->lastUse_ = ++state_->uses;
    dropOldPrograms();
  }
  at->second->lastUse_ = ++state_->uses;
  return *at->second;
}

Pass& Context::pass(const PassKey& key) {
  Pass& pass = find(state_->passes, key);
  if (pass.storageBlocks() > limits().storageBlocksPerStage)
    fail("{}: needs {} storage blocks, this GPU allows {}", key.name, pass.storageBlocks(),
         limits().storageBlocksPerStage);
  return pass;
}

Pass& Context::pass(const std::vector<PassKey>& programs, const std::string& name) {
  const auto key = std::ranges::find(programs, name, &PassKey::name);
  FATHOM_CHECK(key != programs.end());
  return pass(*key);
}

RasterPass& Context::rasterPass(const RasterPassKey& key) {
  return find(state_->rasterPasses, key);
}

void Context::request(const std::vector<PassKey>& keys) {
  const Counted requesting(requests);
  const auto isThere = [&](const PassKey& key) {
    try {
      pass(key);
      return true;
    } catch (const Compiling&) {
      return false;
    }
  };
  const bool waits = state_->compilesBeside == 0;
  std::optional<CompilesBeside> sends;
  if (waits && state_->driverThreads) sends.emplace(*this);
  const auto there = std::ranges::count_if(keys, isThere);
  sends.reset();
  if (there == std::ssize(keys)) return;
  if (!waits) throw Compiling();
  for (const PassKey& key : keys) pass(key);
}

void request(Context& gpu, const std::vector<PassKey>& keys,
             const std::vector<RasterPassKey>& drawn) {
  const Counted requesting(requests);
  std::optional<Context::CompilesBeside> sends;
  if (gpu.capabilities().parallelCompile) sends.emplace(gpu);
  for (const RasterPassKey& key : drawn) {
    try {
      gpu.rasterPass(key);
    } catch (const Compiling&) {  // on its way
    }
  }
  sends.reset();
  gpu.request(keys);
  for (const RasterPassKey& key : drawn) gpu.rasterPass(key);
}

void Context::use(Program& program) {
  program.lastUse_ = ++state_->uses;
  if (program.id() != 0) return;
  const auto again = [&](auto& all) {
    for (auto& [key, made] : all)
      if (made.get() == &program) made->adopt(ProgramBuild(sourcesOf(key)).finish());
  };
  again(state_->passes);
  again(state_->rasterPasses);
  ++countedWork().compiles;
  dropOldPrograms();
}

void Context::dropOldPrograms() {
  State& s = *state_;
  std::vector<Program*> kept;
  for (const auto& [key, pass] : s.passes)
    if (pass && pass->id() != 0) kept.push_back(pass.get());
  for (const auto& [key, pass] : s.rasterPasses)
    if (pass && pass->id() != 0) kept.push_back(pass.get());
  if (kept.size() <= s.maxPrograms) return;
  std::ranges::sort(kept, {}, &Program::lastUse_);
  kept.resize(kept.size() - s.maxPrograms);
  for (Program* program : kept) program->drop();
}

Context::CompilesBeside::CompilesBeside(Context& context)
    : Counted(context.state_->compilesBeside) {}

CompileProgress Context::compileProgress() {
  return state_->compileQueue ? state_->compileQueue->progress() : CompileProgress{};
}

std::vector<std::string> Context::reloadShaders() {
  std::vector<std::string> failures;
  bool reloaded = false;
  const auto reload = [&](auto& passes) {
    for (auto& [key, pass] : passes) {
      if (!pass || !pass->sourceChanged()) continue;
      try {
        pass->adopt(ProgramBuild(sourcesOf(key)).finish());
        reloaded = true;
      } catch (const Error& error) {
        failures.push_back(error.what());
      }
    }
  };
  reload(state_->passes);
  reload(state_->rasterPasses);
  if (reloaded) ++state_->shaderGeneration;
  return failures;
}

std::uint64_t Context::shaderGeneration() const { return state_->shaderGeneration; }

UniformRing& Context::uniformRing() {
  if (!state_->uniformRing) state_->uniformRing = std::make_unique<UniformRing>(*this);
  return *state_->uniformRing;
}

StagedRead& Context::stagedRead() {
  if (!state_->stagedRead) state_->stagedRead = std::make_unique<StagedRead>(*this);
  return *state_->stagedRead;
}

system::GlSurface& Context::surface() { return *state_->surface; }

void Context::finish() {
  ++countedWork().finishes;
  glFinish();
  state_->pacer.clear();
  throwIfLost();
}

void Context::pace() { state_->pacer.pace(); }

std::vector<std::string> Context::takeDebugMessages() {
  return std::exchange(state_->messages.texts, {});
}

void Context::addDebugMessage(std::string message) {
  if (state_->messages.texts.size() < kMessageCount)
    state_->messages.texts.push_back(std::move(message));
}

}  // namespace fathom::gpu
