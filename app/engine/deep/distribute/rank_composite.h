// SPDX-License-Identifier: BSD-3-Clause
// One deep picture of what many ranks bring. Region by region, top first: each rank packs its
// share; the rows of the region are dealt out so that every rank gets about as many fragments;
// packed rows travel to the rank that merges them, input by input in the order in which one process
// would; what comes of them goes to rank 0. While a region travels, the next is captured and the
// one before it merged and written.
//
// Since a merge keeps every fragment, merging on the way would save no bytes: streams travel as
// they are and each list is merged once, from all its inputs. Hence the result is that of one
// process bit for bit, whatever the number of ranks and the dealing.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/deep/distribute/rank_share.h"
#include "app/engine/deep/distribute/rank_worker.h"
#include "app/engine/ranks/exchange.h"
#include "app/engine/ranks/job.h"

namespace fathom::deep {

struct RankOptions {
  Deal deal = Deal::Parts;
  int level = 1;                  // of deflate
  int thin = 0;                   // ShareOptions::thin ...
  double thinError = 0;           // ... and thinError
  int bands = 4;                  // regions to begin with; more where memory asks for it
  std::uint64_t memoryBytes = 0;  // what a rank may hold of regions on the host
  std::uint64_t maxSend = ranks::Exchange::kMaxSend;
};

/// One rank in numbers: milliseconds of its phases, which run beside each other, and bytes.
struct RankFigures {
  double capture = 0, pack = 0, encode = 0, exchange = 0, decode = 0, merge = 0, write = 0,
         wall = 0;
  double rawBytes = 0, sentBytes = 0, gatheredBytes = 0;  // of its share, on the way, to rank 0
  double messages = 0;
  double fragments = 0, sentFragments = 0, mergedFragments = 0;
  double regions = 0, largestMove = 0;
  double largestError = 0, errorSum = 0;        // of thinning within a bound: RankShare::Figures
  double mergedError = 0, mergedFlatError = 0;  // of thinning the result
  double phases() const { return capture + pack + encode + exchange + decode + merge + write; }
};

class RankComposite {
 public:
  /// `setup` is resolved. All must outlive this; all ranks make theirs together.
  RankComposite(ranks::Job& job, gpu::Context& gpu, const Inputs& inputs, const MergeSetup& setup,
                const RankOptions& options);
  ~RankComposite();

  /// Rows as a file stores them: packed by the rank that has merged them, where they fit, stored by
  /// rank 0.
  struct RowFile {
    std::function<bool(const Rect& rows)> fits;
    std::function<std::vector<std::byte>(const DeepImage& rows)> pack;
    std::function<void(std::span<const std::byte> packed)> store;
  };
  /// The merged image, on rank 0 handed over in bands of full width, top first, on another thread;
  /// with a file, those that fit it go there. All ranks call it. Throws as Job::collective() does.
  void merge(Progress& progress, const std::function<void(DeepImage&&)>& consume,
             const RowFile* file = nullptr);
  /// The composited picture, handed over in rows as merge() does.
  void flatten(Progress& progress, const std::function<void(Image&&)>& consume);

  const RankFigures& figures() const { return figures_; }

 private:
  struct Region;  // a region on its way
  struct Output;  // what is done with merged rows, deep or flat
  void run(Progress& progress, Output& output);
  std::shared_ptr<Region> pack(const Rect& area, std::vector<Rect>& parts);
  bool cutTogether(const Rect& area, std::uint64_t pieces, const std::string& why,
                   std::vector<Rect>& parts);
  std::uint64_t dealRows(Region& region) const;
  void send(const std::shared_ptr<Region>& region);
  void travel(Region& region);
  void receive(Region& region, const std::vector<ranks::Message>& messages);
  void finish(const std::shared_ptr<Region>& region, Output& output);

  ranks::Job& job_;
  gpu::Context& gpu_;
  const Inputs& inputs_;
  const MergeSetup& setup_;
  RankOptions options_;
  RankShare share_;
  RankFigures figures_;
  ranks::Exchange exchange_;
  SerialWorker writer_;   // on rank 0
  SerialWorker carrier_;  // ends first: it hands to the writer
};

/// The fragments of several images of one input and window, pixel by pixel; the lists are not
/// sorted.
DeepImage together(std::vector<DeepImage>&& images);

}  // namespace fathom::deep
