// SPDX-License-Identifier: BSD-3-Clause
// Reads inputs on a worker thread, one set at a time: asking for another set cancels the one that
// is being read. The result waits here until the main thread takes it.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/core/progress.h"
#include "app/engine/engine.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

class Loader {
 public:
  struct Loaded {
    const TechniqueEntry* entry = nullptr;  // whose read() returned the values
    std::vector<std::string> names;         // as requested
    std::unique_ptr<LoadedInputs> inputs;
  };

  ~Loader() { cancel(); }

  /// Starts entry.read(inputs); cancels what is being read.
  void start(const TechniqueEntry& entry, const std::vector<std::string>& inputs);
  void cancel();

  bool loading() const { return progress_ != nullptr; }
  /// Phase, fraction and questions; null when nothing is being read.
  Progress* progress() { return progress_.get(); }
  /// What is being read, or was read last.
  const std::vector<std::string>& inputs() const { return inputs_; }

  /// Returns finished inputs, once. A failure is added to `errors` instead; cancelled reading
  /// leaves nothing.
  std::optional<Loaded> take(std::vector<std::string>& errors);

 private:
  std::shared_ptr<Progress> progress_;
  std::vector<std::string> inputs_;
  std::optional<Loaded> done_;
  std::vector<std::string> failures_;
  JobQueue jobs_;  // last: its destructor waits for jobs that use the members above
};

}  // namespace fathom::viewer
