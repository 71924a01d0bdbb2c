// SPDX-License-Identifier: BSD-3-Clause
// Everything merged or composited once, band by band, for the commands. Three stages run beside
// each other: the files of band n + 1 are read while band n is merged on the device while band n -
// 1 is handed on (encoded and written). Inputs leave the memory as soon as they are on the device,
// and an output is not fetched before the one before it is gone; so what is held is the inputs of
// one band and the output of one band, and one band on the device.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/deep/bands/band_store.h"

#include <future>

namespace fathom::deep {

class BandMerger {
 public:
  /// `inputs` must outlive this.
  BandMerger(gpu::Context& gpu, const Inputs& inputs, MergeSetup setup)
      : inputs_(inputs), setup_(std::move(setup)), loader_(gpu) {}

  /// What the bands of one call may take together: the inputs of one and the output of another in
  /// memory, and one on the device.
  void setBudget(std::uint64_t bytes) { budget_ = bytes; }
  /// Bands end at multiples of this many rows where they can (a writer of tiles asks for that).
  void setRowStep(int rows) { rowStep_ = rows; }
  const MergeSetup& setup() const { return setup_; }

  /// Merges everything and hands the result over band by band, top first, each band full width.
  /// Inputs of one image come back as they are. `consume` gets the band in image coordinates; it
  /// runs on another thread, for one band at a time, while the next band is merged.
  void merge(Progress& progress, const std::function<void(DeepImage&& band)>& consume);
  /// Composites everything: rows of the picture (linear RGBA, premultiplied), top first.
  void flatten(Progress& progress, const std::function<void(Image&& rows)>& consume);

  /// What the last call did.
  struct Facts {
    int bands = 0;
    std::uint64_t fragmentsIn = 0;
    std::uint64_t maxFragments = 0;  // in one band
    double waitedMs = 0;             // for reading and for `consume`
    ThinReport thinned;
  };
  const Facts& facts() const { return facts_; }
  /// Wall time of copies to and from the device, and of reading bands of files beside the rest.
  double uploadMs() { return loader_.pipeline().uploadMs; }
  double downloadMs() { return loader_.pipeline().downloadMs; }
  double readMs() const { return inputs_.streamed() ? inputs_.streamed()->readMs() : 0; }

 private:
  /// How a band becomes a part of the output.
  template <class Output>
  struct Job {
    std::function<void(Band&)> work;                 // on the device; the inputs are there
    std::function<Output(Band&)> take;               // from the device
    std::function<Output(const Rect&)> onHost;       // of lists that its loops do not finish
    std::function<Output(Output&&, Output&&)> join;  // left and right of one strip
    std::function<void(Output&&)> consume;
    bool readsRows = false;  // take() does, of files
  };
  template <class Output>
  void run(Progress& progress, const Job<Output>& job);
  template <class Output>
  void runRows(const Rect& region, Progress& progress, const Job<Output>& job);
  template <class Output>
  Output runColumns(const Rect& region, const gpu::DoesNotFit& why, Progress& progress,
                    const Job<Output>& job);
  template <class Output>
  Output runOnce(const Rect& region, Progress& progress, const Job<Output>& job);

  std::vector<Rows> planRows();
  /// Begins to read the next band of files, unless that is going on.
  void readNext();
  /// Waits for a result that was begun before, and notes how long.
  template <class Future>
  auto waitFor(Future& future);
  std::span<const DeepImage> images() const {
    return inputs_.streamed() ? rows_ : inputs_.images();
  }
  DeepImage mergeOnHost(const Rect& region);
  DeepImage thinnedOnHost(DeepImage&& merged);
  Image flattenOnHost(const Rect& region) const;

  const Inputs& inputs_;
  MergeSetup setup_;
  InputLoader loader_;
  std::uint64_t budget_ = 128u << 20;
  int rowStep_ = 1;
  Facts facts_;

  Band band_;  // its buffers serve one region after the other
  std::vector<Rows> plan_;
  std::size_t next_ = 0;         // the band to read
  std::vector<DeepImage> rows_;  // of files: the band that is merged
  std::future<std::vector<DeepImage>> reading_;
  std::future<void> handing_;
};

/// Two regions of one merged image as one; they do not overlap.
DeepImage joinRegions(DeepImage first, DeepImage second);

}  // namespace fathom::deep
