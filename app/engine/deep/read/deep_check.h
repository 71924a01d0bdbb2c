// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a deep EXR, and what it costs: every fragment is looked at as the file has it.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/io/exr/deep_exr.h"

namespace fathom::deep {

/// Error: programs show it wrongly or refuse it. Warning: it costs more than it shows, or some
/// programs stumble. Note: worth knowing.
enum class Severity { Error, Warning, Note };
const char* nameOf(Severity severity);

struct Finding {
  Severity severity = Severity::Note;
  std::string code;         // "unsorted", "nan-color", ...: for scripts
  std::uint64_t count = 0;  // of fragments or pixels; 0: of the whole part
  std::string text;         // what it means
  int x = 0, y = 0;         // where first, when count > 0
};

struct CheckedPart {
  std::string name;               // of the part, else its number
  std::vector<Finding> findings;  // errors first
  std::uint64_t fragments = 0, pixels = 0, emptyPixels = 0;
  std::uint64_t hidden = 0;  // behind opaque ones: what --drop-hidden 1 saves
  /// What --thin-error 1/512 leaves of the fragments; of every 16th row.
  double thinned = 1;
  struct Channel {
    std::string name;
    std::uint64_t bytes = 0;  // of all its values, unpacked
  };
  std::vector<Channel> channels;
  struct Pixel {
    int x = 0, y = 0;
    std::uint32_t count = 0;
  };
  std::vector<Pixel> costliest;  // at most five, most fragments first
  bool has(Severity severity) const;
};

struct CheckOptions {
  double nearest = 0;  // depths below this are in front of the camera's near plane
  Progress* progress = nullptr;
};

/// Every deep part of the file. Throws Error when it cannot be read.
std::vector<CheckedPart> checkDeepExr(const fs::path& file, const CheckOptions& options = {});

}  // namespace fathom::deep
