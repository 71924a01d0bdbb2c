// SPDX-License-Identifier: BSD-3-Clause
// The thread that does the work of the Python module. GL objects belong to one thread, and Python
// has many: their calls are served here in turn. Whoever waits has released the interpreter's lock,
// shows progress and looks for Ctrl+C; what is interrupted ends within a slice of its work.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/gpu/context.h"

#include <pybind11/pybind11.h>

namespace fathom::python {

class Worker {
 public:
  /// Work that touches no Python object; its Progress ends it with Cancelled.
  using Job = std::function<void(Progress&)>;

  static Worker& instance();

  /// Does the job and returns when it is done, throwing what it threw. Called with the
  /// interpreter's lock. `progress` is called as progress(phase, fraction) now and then, unless it
  /// is None; an exception out of it, or Ctrl+C on the main thread, cancels the job and is thrown
  /// when that has ended. Throws UsageError when called out of such a callback, Error in a fork of
  /// the process.
  void run(Job job, const pybind11::object& progress = pybind11::none());

  // For jobs, on the thread itself.
  /// The device, made at the first call. Throws NoDeviceError.
  std::shared_ptr<gpu::Context> context();
  /// Another device from now on, made at once.
  void choose(const gpu::ContextOptions& options);
  /// Whose progress is shown; null: the job's own.
  void watch(const Progress* progress);

  /// Ends the thread, with the device; calls after that are refused. Called without the lock.
  void stop();

 private:
  struct Task {
    Job job;
    Progress progress;
    bool started = false, done = false, cancelled = false;
    std::exception_ptr error;
  };

  void begin();
  void loop();
  void serve(Task& task);
  void cancel(Task& task);
  void wait(Task& task, const pybind11::object& progress);
  void raiseWarnings();
  bool waitSome(Task& task);
  void show(const pybind11::object& progress);

  std::mutex mutex_;
  std::condition_variable asked_, done_;
  std::deque<std::shared_ptr<Task>> waiting_;
  std::shared_ptr<Task> running_;
  const Progress* watched_ = nullptr;
  std::vector<std::string> warnings_;  // of jobs, not yet raised
  std::thread thread_;
  int process_ = 0;
  bool stopping_ = false;

  gpu::ContextOptions options_;
  std::shared_ptr<gpu::Context> context_;
};

}  // namespace fathom::python
