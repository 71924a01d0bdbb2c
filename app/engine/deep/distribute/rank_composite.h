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

#include "app/engine/core/progress.h"
#include "app/engine/deep/distribute/rank_share.h"
#include "app/engine/ranks/job.h"

#include <future>

namespace fathom::deep {

/// What all ranks know of what they make.
struct RankPicture {
  DeepImage header;        // of the inputs and of what is merged of them: windows, format, channels
  std::size_t inputs = 0;  // of all ranks
  glm::ivec2 size() const { return {header.dataWindow.width, header.dataWindow.height}; }
  Rect windowOf(const Rect& region) const {
    return {header.dataWindow.x + region.x, header.dataWindow.y + region.y, region.width,
            region.height};
  }
};

struct RankOptions {
  int level = 1;                  // of deflate
  int bands = 4;                  // regions to begin with; more where memory asks for it
  bool gathers = true;            // rank 0 gets all; else each rank keeps the rows that it merged
  std::uint64_t memoryBytes = 0;  // what a rank may hold of regions on the host
  std::uint64_t maxSend = ranks::Exchange::kMaxSend;
};

/// One rank in numbers: milliseconds of its phases, which run beside each other, and bytes.
struct RankFigures : RankShare::Figures {
  double encode = 0, exchange = 0, decode = 0, merge = 0, write = 0, wall = 0;
  double sentBytes = 0, gatheredBytes = 0;  // on the way, to rank 0
  double messages = 0, regions = 0;
  double mergedFragments = 0, mergedError = 0, mergedFlatError = 0;  // of thinning the result
  double phases() const { return capture + pack + encode + exchange + decode + merge + write; }
};

/// Pieces of work beside the caller, one after the other in the order in which they were given; or
/// each at once, where there may be no other thread. The first exception is kept, and what comes
/// after it is still called: ranks wait for each other in there.
class SerialWorker {
 public:
  explicit SerialWorker(bool beside) : how_(beside ? std::launch::async : std::launch::deferred) {}
  ~SerialWorker() { drain(); }

  std::shared_future<void> submit(std::function<void()> work);
  void drain() const {
    if (last_.valid()) last_.wait();
  }
  /// Keeps an exception of the calling thread as if work had thrown it, unless there is one.
  void note(std::exception_ptr failure);
  bool failed() const;
  void rethrow() const;

 private:
  std::launch how_;
  std::shared_future<void> last_;
  mutable std::mutex mutex_;
  std::exception_ptr failure_;
};

class RankComposite {
 public:
  /// All must outlive this; all ranks make theirs together, of the same picture.
  RankComposite(ranks::Team& team, const RankPicture& picture, RankShare& share, RowMerge& merge,
                const RankOptions& options);
  ~RankComposite();

  /// Rows as a file stores them: packed by the rank that has merged them, where they fit, stored by
  /// rank 0.
  struct RowFile {
    std::function<bool(const Rect& rows)> fits;
    std::function<std::vector<std::byte>(const DeepImage& rows)> pack;
    std::function<void(std::span<const std::byte> packed)> store;
  };
  /// The merged image (with the channels of `merged`), on rank 0 handed over in bands of full
  /// width, top first, on another thread; with a file, those that fit it go there. All ranks call
  /// it. Throws as Team::collective() does.
  void merge(Progress& progress, DeepImage merged, const std::function<void(DeepImage&&)>& consume,
             const RowFile* file = nullptr);
  /// The composited picture, handed over in rows as merge() does, with where they are (image
  /// coordinates).
  void flatten(Progress& progress, const std::function<void(const Rect&, Image&&)>& consume);

  const RankFigures& figures() const { return figures_; }

 private:
  struct Region;  // a region on its way
  struct Output;  // what is done with merged rows, deep or flat
  void run(Progress& progress, Output& output);
  std::shared_ptr<Region> pack(const Rect& area, std::vector<Rect>& parts);
  bool cutTogether(const Rect& area, std::uint64_t pieces, const std::string& why,
                   std::vector<Rect>& parts);
  std::uint64_t dealRows(Region& region) const;
  Rect rowsOf(const Region& region, int rank) const;
  void send(const std::shared_ptr<Region>& region);
  void travel(Region& region);
  void receive(Region& region, const std::vector<ranks::Message>& messages);
  void finish(const std::shared_ptr<Region>& region, Output& output);
  /// Of deflate, of what is merged: what stays on its rank is not compressed.
  int resultLevel() const { return options_.gathers ? options_.level : 0; }

  ranks::Team& team_;
  const RankPicture& picture_;
  RankShare& share_;
  RowMerge& merge_;
  RankOptions options_;
  RankFigures figures_;
  ranks::Exchange exchange_{team_, options_.maxSend};
  bool beside_ = team_.overlaps() && !PhaseWatch::inTurn();
  SerialWorker writer_{beside_};   // on rank 0
  SerialWorker carrier_{beside_};  // ends first: it hands to the writer
};

/// Where the rows begin that each rank merges, and the end, so that each merges about as many
/// fragments. `fragments`: of each row.
std::vector<int> dealRows(std::span<const std::uint64_t> fragments, int width, int ranks);

}  // namespace fathom::deep
