// SPDX-License-Identifier: BSD-3-Clause
// A queue of one thread, and waiting for it as Python does: Ctrl+C and callbacks every few
// hundredths of a second.
#include "app/python/worker.h"

#include "app/engine/core/error.h"
#include "app/system/process.h"

namespace py = pybind11;

namespace fathom::python {
namespace {

constexpr auto kLook = std::chrono::milliseconds(40);  // how often who waits looks for Ctrl+C

thread_local bool inCallback = false;

}  // namespace

Worker& Worker::instance() {
  // Never destroyed: threads of Python may outlive static objects.
  static Worker& worker = *new Worker;
  return worker;
}

void Worker::begin() {
  if (thread_.joinable()) {
    if (process_ == system::processId()) return;
    throw Error(
        "fathom: expected to be used by one process, found a fork of it; let multiprocessing "
        "start processes by \"spawn\"");
  }
  process_ = system::processId();
  log::setSink([](const std::string& warning) {
    const std::lock_guard lock(instance().mutex_);
    instance().warnings_.push_back(warning);
  });
  thread_ = std::thread([this] { loop(); });
}

void Worker::run(Job job, const py::object& progress) {
  if (inCallback)
    throw UsageError("fathom: expected a progress callback to return, found a call inside it");
  const auto task = std::make_shared<Task>();
  task->job = std::move(job);
  {
    const py::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    if (stopping_) throw Error("fathom: expected a running interpreter, found one that ends");
    begin();
    waiting_.push_back(task);
  }
  asked_.notify_one();
  wait(*task, progress);
  raiseWarnings();
  if (task->error) std::rethrow_exception(task->error);
}

void Worker::raiseWarnings() {
  std::vector<std::string> warnings;
  {
    const std::lock_guard lock(mutex_);
    warnings.swap(warnings_);
  }
  for (const std::string& warning : warnings)
    py::module_::import("fathom._calls").attr("warn")(warning);
}

void Worker::wait(Task& task, const py::object& progress) {
  while (!waitSome(task)) {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) show(progress);
    } catch (py::error_already_set&) {
      const py::gil_scoped_release released;
      cancel(task);
      throw;
    }
  }
}

bool Worker::waitSome(Task& task) {
  const py::gil_scoped_release released;
  std::unique_lock lock(mutex_);
  return done_.wait_for(lock, kLook, [&] { return task.done; });
}

void Worker::show(const py::object& progress) {
  std::string phase;
  double fraction = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!running_) return;
    const Progress& of = watched_ ? *watched_ : running_->progress;
    phase = of.phase(), fraction = of.fraction();
  }
  struct Inside {
    Inside() { inCallback = true; }
    ~Inside() { inCallback = false; }
  } inside;
  progress(phase, fraction);
}

void Worker::cancel(Task& task) {
  std::unique_lock lock(mutex_);
  if (!task.started) {
    std::erase_if(waiting_, [&](const auto& one) { return one.get() == &task; });
    return;
  }
  if (!task.done && !task.cancelled) {
    task.cancelled = true;
    task.progress.cancel();
    Progress::interrupt();  // also what a command began on threads of its own
  }
  done_.wait(lock, [&] { return task.done; });
}

void Worker::loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    asked_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_) break;
    running_ = waiting_.front();
    waiting_.pop_front();
    running_->started = true;
    lock.unlock();
    serve(*running_);
    lock.lock();
    if (running_->cancelled) Progress::resume();
    running_->done = true;
    running_.reset(), watched_ = nullptr;
    done_.notify_all();
  }
  context_.reset();
}

void Worker::serve(Task& task) {
  log::setLevel(log::Level::Normal);
  try {
    if (context_) context_->makeCurrent();
    task.job(task.progress);
  } catch (...) {
    task.error = std::current_exception();
  }
  task.job = nullptr;  // here, since letting go of arrays may wait for the interpreter's lock
}

std::shared_ptr<gpu::Context> Worker::context() {
  if (!context_) context_ = std::make_shared<gpu::Context>(options_);
  context_->timings().clear();
  return context_;
}

void Worker::choose(const gpu::ContextOptions& options) {
  auto chosen = std::make_shared<gpu::Context>(options);
  context_ = std::move(chosen), options_ = options;
  context_->makeCurrent();
}

void Worker::watch(const Progress* progress) {
  const std::lock_guard lock(mutex_);
  watched_ = progress;
}

void Worker::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable() || process_ != system::processId()) return;
    stopping_ = true;
    if (running_) Progress::interrupt();
  }
  asked_.notify_one();
  thread_.join();
}

}  // namespace fathom::python
