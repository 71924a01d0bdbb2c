// SPDX-License-Identifier: BSD-3-Clause
// Calls the driver's compiler and linker without asking how far they are, until somebody wants to
// know; maps their messages back to our files, shortens long logs, and writes linked programs to
// files.
#include "app/engine/gpu/compiler.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/pass.h"
#include "app/system/gl_surface.h"
#include "app/system/machine.h"
#include "app/system/process.h"

#include <future>

namespace fathom::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgramMagic = "fathom program 1 ";
constexpr std::uintmax_t kMaxProgramBytes = std::uintmax_t(64) << 20;
constexpr int kSavesPerPrune = 32;

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
std::uint64_t hashOf(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

constexpr std::uint64_t kHashStart = 0xCBF29CE484222325u, kOtherStart = 0x9AE16A3B2F90404Fu;

std::string bothHashes(std::string_view text) {
  return fmt::format("{:016x}{:016x}", hashOf(text, kHashStart), hashOf(text, kOtherStart));
}

std::string readAll(const fs::path& path) {
  std::error_code missing;
  const std::uintmax_t bytes = fs::file_size(path, missing);
  if (missing || bytes > kMaxProgramBytes) return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

ProgramCache::ProgramCache(fs::path folder, std::string driver) : driver_(std::move(driver)) {
  GLint formats = 0;
  glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
  if (formats > 0) folder_ = std::move(folder);
}

fs::path ProgramCache::defaultFolder() {
  if (const char* own = std::getenv("FATHOM_PROGRAM_CACHE"); own && *own) return own;
  const fs::path cache = system::cacheFolder();
  return cache.empty() ? cache : cache / "programs";
}

std::string ProgramCache::keyOf(const std::vector<std::string>& texts) const {
  std::string all = driver_;
  for (const std::string& text : texts) all += fmt::format("\n{}\n", text.size()) + text;
  return bothHashes(all);
}

fs::path ProgramCache::fileOf(const std::string& key) const { return folder_ / (key + ".program"); }

bool ProgramCache::load(GlId program, const std::string& key) const {
  if (folder_.empty()) return false;
  const std::string file = readAll(fileOf(key));
  constexpr std::size_t kHashes = 32, kStart = kProgramMagic.size() + kHashes + 1;
  if (file.size() <= kStart + sizeof(GLenum) || !file.starts_with(kProgramMagic)) return false;
  const std::string_view body = std::string_view(file).substr(kStart);
  if (file.compare(kProgramMagic.size(), kHashes, bothHashes(body)) != 0) return false;
  GLenum format = 0;
  std::memcpy(&format, body.data(), sizeof format);
  GLint count = 0;
  glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &count);
  std::vector<GLint> formats(std::size_t(std::max(0, count)));
  if (count > 0) glGetIntegerv(GL_PROGRAM_BINARY_FORMATS, formats.data());
  if (std::find(formats.begin(), formats.end(), GLint(format)) == formats.end()) return false;
  glProgramBinary(program, format, body.data() + sizeof format,
                  GLsizei(body.size() - sizeof format));
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  return linked != 0;
}

void ProgramCache::expectSave(GlId program) const {
  if (!folder_.empty()) glProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
}

void ProgramCache::save(GlId program, const std::string& key) {
  if (folder_.empty()) return;
  GLint bytes = 0;
  glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &bytes);
  if (bytes <= 0) return;
  std::string body(sizeof(GLenum) + std::size_t(bytes), '\0');
  GLenum format = 0;
  GLsizei written = 0;
  glGetProgramBinary(program, bytes, &written, &format, body.data() + sizeof format);
  std::memcpy(body.data(), &format, sizeof format);
  body.resize(sizeof format + std::size_t(written));
  std::error_code failed;
  fs::create_directories(folder_, failed);
  const fs::path beside = folder_ / fmt::format("{}.{}.new", key, system::processId());
  {
    std::ofstream out(beside, std::ios::binary);
    out << kProgramMagic << bothHashes(body) << '\n' << body;
    if (!out.flush()) failed = std::make_error_code(std::errc::io_error);
  }
  if (!failed) fs::rename(beside, fileOf(key), failed);
  if (failed) fs::remove(beside, failed);
  if (saves_++ % kSavesPerPrune == 0) prune();
}

void ProgramCache::prune() const {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator at(folder_, ignored), end; !ignored && at != end;
       at.increment(ignored))
    files.emplace_back(at->last_write_time(ignored), at->path());
  if (files.size() <= kMaxFiles) return;
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + kMaxFiles < files.size(); ++i) fs::remove(files[i].second, ignored);
}

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

// Beside the picture
// -------------------------------------------------------------------------------------------------

// Jobs wait here until their programs are taken. The worker ends each with glFinish(): only then
// may another context use what it has made.

namespace {

constexpr std::size_t kMaxWaiting = 32;

}  // namespace

/// One thread with a context of its own.
class CompileQueue::Worker {
 public:
  explicit Worker(std::unique_ptr<system::GlSurface> surface)
      : surface_(std::move(surface)), thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  std::future<CompiledProgram> compile(ProgramSources sources, ProgramCache* cache) {
    std::packaged_task<CompiledProgram()> task([sources = std::move(sources), cache] {
      CompiledProgram made = ProgramBuild(sources, cache).finish();
      glFinish();
      return made;
    });
    std::future<CompiledProgram> result = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
    return result;
  }

 private:
  void run() {
    surface_->makeCurrent();
    for (;;) {
      std::packaged_task<CompiledProgram()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
        if (ending_) break;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
    surface_->release();
  }

  std::unique_ptr<system::GlSurface> surface_;  // dies on the thread that made it
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<CompiledProgram()>> tasks_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

struct CompileQueue::Job {
  std::unique_ptr<ProgramBuild> build;   // by the driver's threads
  std::future<CompiledProgram> program;  // by ours

  bool ready() const {
    return build ? build->ready()
                 : program.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  CompiledProgram finish() { return build ? build->finish() : program.get(); }
};

CompileQueue::CompileQueue(ProgramCache* cache, bool parallel,
                           std::function<std::unique_ptr<system::GlSurface>()> makeShared)
    : cache_(cache), parallel_(parallel) {
  if (parallel) {
    constexpr GLuint kAsManyAsItLikes = 0xFFFFFFFF;
    glMaxShaderCompilerThreadsKHR(kAsManyAsItLikes);
    return;
  }
  if (std::unique_ptr<system::GlSurface> surface = makeShared())
    worker_ = std::make_unique<Worker>(std::move(surface));
}

CompileQueue::~CompileQueue() = default;

std::unique_ptr<CompileQueue::Job> CompileQueue::start(const ProgramSources& sources) {
  auto job = std::make_unique<Job>();
  if (worker_)
    job->program = worker_->compile(sources, cache_);
  else
    job->build = std::make_unique<ProgramBuild>(sources, cache_);
  return job;
}

std::optional<CompiledProgram> CompileQueue::take(const ProgramSources& sources) {
  auto at = jobs_.find(sources);
  if (at == jobs_.end()) {
    // What is ready and was not asked for again is of no use any more.
    if (progress().total == 0) taken_ = 0;
    if (jobs_.size() >= kMaxWaiting)
      std::erase_if(jobs_, [](const auto& job) { return job.second->ready(); });
    at = jobs_.emplace(sources, start(sources)).first;
  }
  if (!at->second->ready()) return std::nullopt;
  const std::unique_ptr<Job> job = std::move(at->second);
  jobs_.erase(at);
  ++taken_;
  return job->finish();
}

void request(Context& gpu, std::span<const PassKey> keys) {
  if (gpu.capabilities().parallelCompile) {
    const Context::CompilesBeside beside(gpu);
    for (const PassKey& key : keys) {
      try {
        gpu.pass(key);
      } catch (const Compiling&) {  // on its way
      }
    }
  }
  for (const PassKey& key : keys) gpu.pass(key);
}

std::optional<CompiledProgram> CompileQueue::finish(const ProgramSources& sources) {
  auto job = jobs_.extract(sources);
  if (job.empty()) return std::nullopt;
  ++taken_;
  return job.mapped()->finish();
}

CompileProgress CompileQueue::progress() {
  if (jobs_.empty()) return {};
  int ready = 0;
  for (const auto& [sources, job] : jobs_) ready += job->ready() ? 1 : 0;
  if (ready == int(jobs_.size())) return {};
  return {taken_ + ready, taken_ + int(jobs_.size())};
}

}  // namespace fathom::gpu
