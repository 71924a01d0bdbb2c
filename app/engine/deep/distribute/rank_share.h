// SPDX-License-Identifier: BSD-3-Clause
// What one rank brings to a deep picture of many, region by region: thinned if wanted, and packed
// for the others; and how it merges the rows that it was dealt from what has arrived for them.
// Images in memory, on the processor here; what a device does of both in device_ranks.h.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/distribute/row_stream.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

/// How long a phase of compositing took. Phases run beside each other and are given in wall time;
/// with FATHOM_RANKS_IN_TURN=1 in the environment they follow each other and are given in the
/// processor time of the whole process, which other work on the machine hardly disturbs.
class PhaseWatch {
 public:
  double ms() const { return nowMs() - start_; }

  static bool inTurn() {
    static const bool wanted = std::getenv("FATHOM_RANKS_IN_TURN") != nullptr;
    return wanted;
  }

 private:
  static double nowMs() { return inTurn() ? processorMs() : steadyMs(); }
  double start_ = nowMs();
};

/// What a rank has of an input in a region: an image of the smallest window that holds it.
struct InputRows {
  std::uint32_t input = 0;
  DeepImage rows;
};

class RankShare {
 public:
  /// `thinError` above 0: as few fragments of each input are sent as keep alpha and light in front
  /// of any depth this near (MergeEdit::thinError). Not of fragments in bytes.
  RankShare(std::size_t inputs, double thinError) : thinError_(thinError), errors_(inputs) {}
  virtual ~RankShare() = default;

  /// A region of the picture, of each input of this rank that has fragments there. Throws
  /// gpu::DoesNotFit.
  std::vector<InputRows> pack(const Rect& region);
  /// What was packed last is not sent: it will be packed again, in pieces.
  void forget();

  /// Milliseconds of capturing or reading, and of packing; how far thinning moved alpha and light
  /// of one input, and the sum over inputs of the largest of each; fragments, and the bytes of one
  /// image of all of them before packing: a count per pixel, and fragments as they lie in memory.
  struct Figures {
    double capture = 0, pack = 0;
    double largestError = 0, errorSum = 0;
    double fragments = 0, sentFragments = 0, rawBytes = 0;
  };
  const Figures& figures() const { return figures_; }

 protected:
  virtual std::vector<InputRows> packRegion(const Rect& region) = 0;
  /// What an image has within the window (image coordinates), thinned. `firstIndex`: what the index
  /// words of an Indexed image start at.
  void packImage(std::size_t input, const DeepImage& image, const Rect& window,
                 std::uint32_t firstIndex, std::vector<InputRows>& out);
  /// Within the bound; how far that moves light is noted.
  DeepImage thinned(std::size_t input, const DeepImage& image, const Rect& window,
                    std::uint32_t firstIndex);
  void note(std::uint64_t fragments, InputRows&& packed, std::vector<InputRows>& out);

  double thinError_;
  Figures figures_;

 private:
  std::vector<double> errors_;  // by input: the largest of thinning within a bound
  Figures before_;              // the last region
};

/// Images in memory, each of the input of its number; their pixels are the picture's.
class ImageShare : public RankShare {
 public:
  struct Input {
    std::uint32_t number;
    DeepImage image;
  };
  /// `inputs`: how many all ranks have.
  ImageShare(std::size_t inputs, double thinError, std::vector<Input>&& own)
      : RankShare(inputs, thinError), own_(std::move(own)) {}

 private:
  std::vector<InputRows> packRegion(const Rect& region) override;
  std::vector<Input> own_;
};

// ---- Merging

class RowMerge {
 public:
  virtual ~RowMerge() = default;

  struct Facts {
    std::uint64_t fragments = 0;  // that were merged
    ThinReport thinned;           // of the result
  };
  /// `images`: of each input the fragments within `rows` (image coordinates), one image each; not
  /// sorted where several ranks had some. Hands the result over in one or several images or strips
  /// of full width, top first.
  virtual Facts merge(std::vector<DeepImage>&& images, const Rect& rows,
                      const std::function<void(DeepImage&&)>& consume) = 0;
  virtual Facts flatten(std::vector<DeepImage>&& images, const Rect& rows,
                        const std::function<void(Image&&)>& consume) = 0;
};

/// In double, of any format. What shares a depth within one input comes in the order of its bytes:
/// the result does not tell how many ranks brought it.
class HostMerge : public RowMerge {
 public:
  explicit HostMerge(const MergeEdit& edit) : edit_(edit) {}
  Facts merge(std::vector<DeepImage>&& images, const Rect& rows,
              const std::function<void(DeepImage&&)>& consume) override;
  Facts flatten(std::vector<DeepImage>&& images, const Rect& rows,
                const std::function<void(Image&&)>& consume) override;

 private:
  MergeEdit edit_;
};

/// Sorts each list by (Z, ZBack), then by all that a fragment holds.
void sortByContent(DeepImage& image);

}  // namespace fathom::deep
