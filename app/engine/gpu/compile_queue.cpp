// SPDX-License-Identifier: BSD-3-Clause
// Jobs wait here until their programs are taken. The worker ends each with glFinish(): only then may
// another context use what it has made.
#include "app/engine/gpu/compile_queue.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/surface.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

namespace fathom::gpu {

namespace {

constexpr std::size_t kMaxWaiting = 32;

}  // namespace

/// One thread with a context of its own.
class CompileQueue::Worker {
 public:
  explicit Worker(std::unique_ptr<Surface> surface)
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

  std::unique_ptr<Surface> surface_;  // dies on the thread that made it
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
                           std::function<std::unique_ptr<Surface>()> makeShared)
    : cache_(cache), parallel_(parallel) {
  if (parallel) {
    constexpr GLuint kAsManyAsItLikes = 0xFFFFFFFF;
    glMaxShaderCompilerThreadsKHR(kAsManyAsItLikes);
    return;
  }
  if (std::unique_ptr<Surface> surface = makeShared())
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

CompileProgress CompileQueue::progress() {
  if (jobs_.empty()) return {};
  int ready = 0;
  for (const auto& [sources, job] : jobs_) ready += job->ready() ? 1 : 0;
  if (ready == int(jobs_.size())) return {};
  return {taken_ + ready, taken_ + int(jobs_.size())};
}

}  // namespace fathom::gpu
