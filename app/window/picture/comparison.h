// SPDX-License-Identifier: BSD-3-Clause
// A, which is being edited, beside a reference B: another set of settings for the same inputs,
// whose picture is rendered again when camera, size or inputs change; or a picture that stays as it
// is, from a file, or left by another technique or other inputs. Error measures follow on a worker.
#pragma once

#include "app/engine/core/compare.h"
#include "app/engine/core/jobs.h"
#include "app/window/document/document.h"

namespace fathom::viewer {

class Comparison {
 public:
  /// The current settings and picture become B.
  void store(gpu::Context& gpu, Document& document);
  /// A picture file becomes B, once a worker has read it; a failure comes out of update().
  void read(const std::string& file);
  /// B's settings from a session; its picture follows at the next update().
  void restore(std::vector<FieldValue> values, bool split);
  void clear();
  /// A takes B's settings and B takes A's.
  void swap(gpu::Context& gpu, Document& document);
  bool canSwap() const { return !values_.empty(); }
  /// Other inputs or another technique are about to be shown: B stays as a picture.
  void freeze();
  /// Takes in what was read, renders B's picture again when it is stale, and starts measuring.
  /// Throws Error.
  void update(gpu::Context& gpu, Document& document);
  /// True while B's picture has another camera, size or inputs than A's.
  bool stale(const Document& document) const;
  /// True while a worker reads or measures.
  bool working() const { return jobs_.pending() > 0; }

  bool has() const { return !values_.empty() || picture_; }
  const std::vector<FieldValue>& values() const { return values_; }
  /// "settings of Deep images", "photo.png".
  const std::string& name() const { return name_; }
  /// B is a picture that does not follow A.
  bool frozen() const { return values_.empty(); }
  double gpuMs() const { return gpuMs_; }  // of all passes of B's picture; 0: not known
  /// B's picture; null while there is none or it is stale.
  const gpu::Texture* picture(const Document& document) const;
  std::uint64_t generation() const { return generation_; }

  /// A against B, both as they are; none while that is unknown or sizes differ.
  struct Measures {
    PictureDifference difference;
    float largest = 0;  // of all channels' differences, not clipped
    double flip = 0;    // see flip.h
  };
  const std::optional<Measures>& measures() const { return measures_; }
  /// Both pictures as they were measured; null before.
  const Image* imageA() const { return a_.get(); }
  const Image* imageB() const { return b_.get(); }

  /// What of B is seen: nothing, right of the line, A - B, or B alone.
  enum class Show { A, Split, Difference, B };
  Show show = Show::Split;
  void toggle(Show which) { show = show == which ? Show::A : which; }
  float splitAt = 0.5f;  // share of the picture area
  bool held = false;     // the key that shows B is down
  float differenceGain = 4.0f;

 private:
  void measure(const Document& document);
  std::vector<FieldValue> values_;  // empty: B is a picture
  std::string name_, document_;     // document_: the inputs that B's picture is of
  gpu::Texture picture_;
  std::optional<PictureMaker::PictureB> made_;  // until update() takes it in
  double gpuMs_ = 0;
  std::uint64_t viewGeneration_ = 0, inputGeneration_ = 0, generation_ = 0;

  std::shared_ptr<const Image> a_, b_, read_;
  std::uint64_t measuredA_ = ~0ull, measuredB_ = ~0ull;  // generations
  std::optional<Measures> measures_;
  std::string error_;
  JobQueue jobs_;  // last: its jobs use the members above
};

}  // namespace fathom::viewer
