// SPDX-License-Identifier: BSD-3-Clause
// What a command did and measured: filled in while it works, printed as one JSON object by --json.
// Scripts rely on the shape of that object (docs/reference/json.md). And what the window's recorder
// measures of the shown picture, which the laboratory writes to a bench file.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/stopwatch.h"

namespace fathom {

/// The device as run records and bench files name it.
struct DeviceFacts {
  std::string vendor, renderer, version;
  bool software = false;
};

/// The value of a key in a list of pairs; a new one at its end where there is none.
template <class Value>
Value& entryOf(std::vector<std::pair<std::string, Value>>& list, const std::string& key) {
  for (auto& [known, value] : list)
    if (known == key) return value;
  return list.emplace_back(key, Value{}).second;
}

class RunRecord {
 public:
  using Value = std::variant<bool, std::int64_t, double, std::string>;
  struct Pass {
    std::string name;
    double gpuMs = 0, cpuMs = 0;
    int count = 0;
  };

  std::string command;                      // "deep merge"
  std::optional<DeviceFacts> device;        // absent when no GPU was needed
  std::optional<std::pair<int, int>> size;  // of the picture, in pixels
  std::vector<FieldValue> settings;         // of the technique
  std::vector<Pass> passes;                 // in order of first use
  double wallMs = 0;                        // from start to end of the command
  double compileMs = 0;                     // of it, for programs of the device
  std::vector<std::pair<std::string, double>> phasesMs;
  std::vector<std::pair<std::string, Value>> result;
  using Row = std::vector<std::pair<std::string, Value>>;
  /// Lists within `result`, an object per row; empty ones are written, too.
  std::vector<std::pair<std::string, std::vector<Row>>> lists;

  /// Adds to the time of a phase: "read", "upload", "gpu", "download", "write".
  void addPhase(const std::string& name, double ms) { entryOf(phasesMs, name) += ms; }
  /// Sets one value of the command's own `result`: a boolean, a number or a text.
  template <class T>
  void set(const std::string& key, const T& value) {
    Value& entry = entryOf(result, key);
    if constexpr (std::is_same_v<T, Value> || std::is_same_v<T, bool>)
      entry = value;
    else if constexpr (std::is_integral_v<T>)
      entry = std::int64_t(value);
    else if constexpr (std::is_floating_point_v<T>)
      entry = double(value);
    else
      entry = std::string(value);
  }

  /// The whole as JSON text, indented, with a final line feed.
  std::string json() const;
};

/// {"layout": "bia", "block-size": 4}: the settings as a JSON object.
std::string settingsJson(const std::vector<FieldValue>& settings);

/// Times a phase as a scope.
class PhaseTimer {
 public:
  PhaseTimer(RunRecord& record, std::string phase) : record_(record), phase_(std::move(phase)) {}
  ~PhaseTimer() { record_.addPhase(phase_, watch_.ms()); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  RunRecord& record_;
  std::string phase_;
  Stopwatch watch_;
};

struct Recording {
  std::string technique;  // "deep"
  std::string inputs;     // their names
  glm::ivec2 size{0};     // pixels
  std::vector<FieldValue> settings;
  std::vector<double> gpuMs, wallMs;                                // by picture
  std::vector<std::pair<std::string, std::vector<double>>> passMs;  // in the order of first use
  std::int64_t memoryBytes = 0;
  std::string checked;  // CheckResult::how of the last picture
  DeviceFacts device;
};

/// Writes a recording to a file and returns a line about it. Throws Error.
using RecordingWriter = std::function<std::string(const Recording&, const std::string& file)>;

}  // namespace fathom
