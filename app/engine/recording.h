// SPDX-License-Identifier: BSD-3-Clause
// What making the shown picture costs, as the window's recorder measures it. The window makes such
// a value, the laboratory writes it to a bench file; neither knows the other.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/io/run_record.h"

namespace fathom {

struct Recording {
  std::string technique;   // "deep"
  std::string inputs;      // their names
  bool alongPath = false;  // of the camera; else the same picture again and again
  glm::ivec2 size{0};      // pixels
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
