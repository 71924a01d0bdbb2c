// SPDX-License-Identifier: BSD-3-Clause
// The picture of what is open: each band filled and composited, or painted as a heat map, in slices
// of a time budget; the last complete picture stays until the next one is.
#pragma once

#include "app/engine/core/stages.h"
#include "app/engine/deep/bands/band_store.h"

namespace fathom::deep {

class BandPicture {
 public:
  /// Both must outlive this.
  BandPicture(const Inputs& inputs, BandStore& bands);

  /// The picture is to be one of these; the bands hold the lists of `key`, or will.
  void request(const ListsKey& key, const MergeSetup& setup) { key_ = key, setup_ = setup; }
  /// Works on what was requested; true when it is complete.
  bool proceed(double budgetMs);
  bool isComplete() const { return stages_.complete(); }
  /// Everything is made again, whatever was requested.
  void invalidate() { stages_.invalidateAll(); }
  /// Invalidates, and gives textures back: the device is another one.
  void drop() { invalidate(), shown_ = {}, next_ = {}; }
  const gpu::Texture& texture() const { return shown_; }

 private:
  bool bandStep();
  void show(Band& band);
  bool present();

  const Inputs& inputs_;
  BandStore& bands_;
  ListsKey key_;
  MergeSetup setup_;
  Stages stages_;
  std::size_t at_ = 0;    // the band that is filled or shown
  bool tooLong_ = false;  // ListTooLong: the host composites
  gpu::Texture shown_, next_;
  Image onHost_;             // the picture when only the CPU can composite it ...
  Settings onHostSettings_;  // ... with these, of these inputs
  std::uint64_t onHostInputs_ = 0;
};

/// The picture by the reference, on the CPU. Rasterizing a scene is the device's; merging and
/// compositing what it captured is done again.
Image referencePicture(const Inputs& inputs, BandStore& bands, const MergeSetup& setup);

}  // namespace fathom::deep
