// SPDX-License-Identifier: BSD-3-Clause
// Two settings of the same inputs: A is what is being edited, B was kept. B's picture is made again
// when camera, size or inputs change, once the picture rests.
#pragma once

#include "app/viewer/document.h"

#include <string>
#include <vector>

namespace fathom::viewer {

class CompareView {
 public:
  /// What is shown now becomes B.
  void keep(gpu::Context& gpu, Document& document);
  /// B's settings as a session kept them; the picture follows.
  void restore(std::vector<FieldValue> values, bool split);
  void drop();
  /// A takes B's settings and B takes A's.
  void swap(gpu::Context& gpu, Document& document);
  /// Makes B's picture again when it shows something else than A. Throws Error.
  void update(Document& document);
  /// True while update() would do something, now or when the document is complete.
  bool stale(const Document& document) const;

  bool has() const { return !values_.empty(); }
  const std::vector<FieldValue>& values() const { return values_; }
  /// B's picture when it may be shown beside A's, else null.
  const gpu::Texture* picture(const Document& document) const;
  std::uint64_t generation() const { return generation_; }

  bool split = true;     // B right of the line, else only while its key is held
  float splitAt = 0.5f;  // share of the picture area
  bool held = false;     // the key that shows B is down

  /// The page in the strip: what differs, and the buttons.
  enum class Action { None, Keep, Swap, Drop };
  Action draw(Document& document, double gpuMsNow);

 private:
  std::vector<FieldValue> values_;
  gpu::Texture picture_;
  double gpuMs_ = 0;  // of all passes when B was kept
  std::uint64_t viewGeneration_ = 0, inputGeneration_ = 0, generation_ = 0;
};

}  // namespace fathom::viewer
