// SPDX-License-Identifier: BSD-3-Clause
// Two sets of settings for the same inputs: A is being edited, B was stored. B's picture is
// rendered again when camera, size or inputs change, once A's is complete.
#pragma once

#include "app/viewer/document/document.h"

#include <cstdint>
#include <vector>

namespace fathom::viewer {

class Comparison {
 public:
  /// The current settings and picture become B.
  void store(gpu::Context& gpu, Document& document);
  /// B's settings from a session; its picture follows at the next update().
  void restore(std::vector<FieldValue> values, bool split);
  void clear();
  /// A takes B's settings and B takes A's.
  void swap(gpu::Context& gpu, Document& document);
  /// Renders B's picture again when it is stale. Throws Error.
  void update(Document& document);
  /// True while B's picture has another camera, size or inputs than A's.
  bool stale(const Document& document) const;

  bool has() const { return !values_.empty(); }
  const std::vector<FieldValue>& values() const { return values_; }
  double gpuMs() const { return gpuMs_; }  // of all passes of B's picture
  /// B's picture; null while there is none or it is stale.
  const gpu::Texture* picture(const Document& document) const;
  std::uint64_t generation() const { return generation_; }

  bool split = true;     // B right of the line, else only while its key is held
  float splitAt = 0.5f;  // share of the picture area
  bool held = false;     // the key that shows B is down

 private:
  std::vector<FieldValue> values_;
  gpu::Texture picture_;
  double gpuMs_ = 0;
  std::uint64_t viewGeneration_ = 0, inputGeneration_ = 0, generation_ = 0;
};

}  // namespace fathom::viewer
