// SPDX-License-Identifier: BSD-3-Clause
// The flags that every command understands, what they mean, and the report they ask for.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/io/run_record.h"

#include <CLI/CLI.hpp>
#include <glm/vec2.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fathom::commands {

struct CommonOptions {
  std::string output, size, json, backend = "auto", profile;
  std::uint64_t seed = 1;
  bool quiet = false, verbose = false, noProfile = false, passes = false, glDebug = false;

  std::optional<glm::ivec2> pictureSize() const;  // throws UsageError
  gpu::Backend contextBackend() const;            // throws UsageError
  gpu::ContextOptions contextOptions() const;     // throws UsageError
  /// The profile to use: --profile, else the user's own; none with --no-profile.
  std::optional<std::filesystem::path> profileFile() const;
  bool jsonToStandardOutput() const { return json == "-"; }
};

/// Declares the flags; `options` must live until the app has parsed.
void addCommonOptions(CLI::App& app, CommonOptions& options);

/// Throws before any work is done: UsageError when the ending is none of these (empty: any), Error
/// when the folder is missing or cannot be written, or the path is a folder. An empty path is fine.
void checkOutput(const std::string& path, const std::vector<std::string>& endings);
/// The same for a folder to be made; an empty one may be there already.
void checkOutputFolder(std::string path);

/// Times a command from its construction on and writes what --json and --passes ask for.
class Reporting {
 public:
  explicit Reporting(const CommonOptions& options) : options_(options) {}
  /// Fills in device, passes and wall time (`gpu` may be null: none was used) and writes.
  void finish(RunRecord& record, gpu::Context* gpu);

 private:
  const CommonOptions& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

DeviceFacts deviceFacts(const gpu::Context& gpu);

}  // namespace fathom::commands
