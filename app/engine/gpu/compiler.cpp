// SPDX-License-Identifier: BSD-3-Clause
// Calls the driver's compiler and linker without asking how far they are, until somebody wants to
// know; maps their messages back to our files, and shortens long logs.
#include "app/engine/gpu/compiler.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/pass.h"
#include "app/system/gl_surface.h"

#include <future>

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

std::int64_t changeTime(const fs::path& path) {
  std::error_code missing;
  const auto time = fs::last_write_time(path, missing);
  return missing ? INT64_MIN : std::int64_t(time.time_since_epoch().count());
}

PassKey keyIn(const std::string& folder, const std::string& name, std::vector<Define> defines) {
  std::string file = folder + name + ".comp";
  std::ranges::replace(file, ' ', '_');
  return {name, std::move(file), std::move(defines)};
}

ProgramSources sourcesOf(const PassKey& key) {
  return {key.name, {key.shader}, key.defines, key.generated, key.features};
}

ProgramSources sourcesOf(const RasterPassKey& key) {
  return {key.name, {key.vertexShader, key.fragmentShader}, key.defines};
}

ProgramBuild::ProgramBuild(const ProgramSources& sources) : name_(sources.name) {
  for (const std::string& shader : sources.shaders) {
    ShaderText text = loadShader(shader, sources.defines, sources.generated, sources.features);
    // The times are taken before compiling: a file saved meanwhile counts as changed.
    for (const fs::path& path : text.filePaths)
      result_.files.push_back({path.string(), changeTime(path)});
    result_.source += text.text;
    texts_.push_back(std::move(text));
  }
  result_.program = Handle<deleteProgram>(glCreateProgram());
  for (const ShaderText& text : texts_) {
    stages_.push_back(startStage(text));
    glAttachShader(result_.program.id(), stages_.back().id());
  }
  glLinkProgram(result_.program.id());
}

bool ProgramBuild::ready() const {
  if (!GLAD_GL_KHR_parallel_shader_compile) return true;
  GLint complete = 0;
  glGetProgramiv(result_.program.id(), GL_COMPLETION_STATUS_KHR, &complete);
  return complete != 0;
}

CompiledProgram ProgramBuild::finish() {
  const GlId program = result_.program.id();
  for (std::size_t i = 0; i < stages_.size(); ++i)
    checkStage(stages_[i].id(), texts_[i], result_.warnings);
  checkLinked(program, name_);
  for (const auto& stage : stages_) glDetachShader(program, stage.id());
  labelObject(GL_PROGRAM, program, name_);
  return std::move(result_);
}

// ---- Beside the picture

// Jobs wait here until their programs are taken. The worker ends each with glFinish(): only then
// may another context use what it has made.

/// A context of its own, in which another thread compiles one program after the other.
class CompileQueue::Worker {
 public:
  explicit Worker(std::unique_ptr<system::GlSurface> surface) : surface_(std::move(surface)) {}

  std::future<CompiledProgram> compile(ProgramSources sources) {
    auto task =
        std::make_shared<std::packaged_task<CompiledProgram()>>([sources = std::move(sources)] {
          CompiledProgram made = ProgramBuild(sources).finish();
          glFinish();
          return made;
        });
    std::future<CompiledProgram> result = task->get_future();
    jobs_.deliver();  // nothing: jobs that have ended go
    jobs_.submit(
        [this, task = std::move(task)]() mutable -> JobQueue::Delivery {
          surface_->makeCurrent();
          (*task)();
          task.reset();  // what nobody takes is deleted in this context
          surface_->release();
          return {};
        },
        nullptr);
    return result;
  }

 private:
  std::unique_ptr<system::GlSurface> surface_;  // dies on the thread that made it
  JobQueue jobs_;                               // last: it uses the surface
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

CompileQueue::CompileQueue(bool parallel,
                           std::function<std::unique_ptr<system::GlSurface>()> makeShared) {
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
    job->program = worker_->compile(sources);
  else
    job->build = std::make_unique<ProgramBuild>(sources);
  return job;
}

std::optional<CompiledProgram> CompileQueue::take(const ProgramSources& sources) {
  auto at = jobs_.find(sources);
  if (at == jobs_.end()) {
    // What is ready and was not asked for again is of no use any more.
    if (progress().total == 0) taken_ = 0;
    constexpr std::size_t kMaxWaiting = 32;
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
