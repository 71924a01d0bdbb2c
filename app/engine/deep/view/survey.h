// SPDX-License-Identifier: BSD-3-Clause
// What there is in a deep image at a glance: how many fragments pixels have, which have the most,
// and how depths are spread; filled in from the lists beside the picture, only while a page shows
// it.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/stages.h"
#include "app/engine/deep/bands/band_store.h"
#include "app/engine/deep/view/points.h"

namespace fathom::deep {

struct Survey {
  struct Heavy {
    glm::ivec2 pixel;
    std::uint32_t count;
  };
  std::uint64_t pixels = 0, fragments = 0;
  std::uint32_t max = 0;                  // in one pixel
  std::vector<std::uint64_t> pixelsWith;  // [n]: pixels with n fragments
  std::vector<Heavy> heaviest;            // the most first; not two of one place

  std::uint64_t emptyPixels() const { return pixelsWith.empty() ? 0 : pixelsWith[0]; }
  double mean() const { return pixels ? double(fragments) / double(pixels) : 0; }
};

/// Adds fragments per pixel of a region of the picture: uint[height * width].
void addCounts(Survey& survey, const Rect& region, std::span<const std::uint32_t> counts);

/// Bars of a histogram: pixels whose number of fragments lies in first .. last.
struct Bar {
  std::uint32_t first, last;
  std::uint64_t pixels;
};
/// One bar per number while these are at most `maxBars`, else bars that widen evenly in proportion.
std::vector<Bar> barsOf(const Survey& survey, int maxBars);

/// Depths of an even sample of fragments, and their mean colors.
struct DepthSample {
  std::vector<float> depths;      // ascending, finite
  std::vector<glm::vec3> colors;  // linear, of equal shares of the depths from front to back

  /// The depth that this share of the fragments (0..1) lies in front of, and back.
  float depthAt(float share) const;
  float shareAt(float z) const;
};
/// `words` are points as in depth_view_shared.h.
DepthSample sampleOf(std::span<const std::uint32_t> words, int colorCount);

/// Surveys what is open: once per set of lists, a band at a time, and only while a page shows it.
class Surveyor {
 public:
  /// `isIdle`: the lists of all bands are there, and nobody works on them.
  Surveyor(BandStore& bands, const MergeSetup& setup, std::function<bool()> isIdle);

  /// A page shows the survey in this frame.
  void want() { wanted_ = true; }
  /// One slice of a survey that a page wants; true while more is waiting.
  bool step(gpu::Context& gpu);
  bool isComplete() const { return complete_; }
  /// The newest that is complete.
  const Survey& survey() const { return survey_; }
  const DepthSample& depths() const { return depths_; }

 private:
  bool countStep();
  bool depthStep();
  bool finish();

  BandStore& bands_;
  const MergeSetup& setup_;
  std::function<bool()> isIdle_;
  Stages stages_;
  bool wanted_ = false, complete_ = false;
  Survey survey_;
  DepthSample depths_;

  // In progress.
  std::size_t at_ = 0;  // the band
  Survey found_;
  std::uint64_t fragments_ = 0, sampled_ = 0;  // that depths are taken of
  PointCloud sample_;
};

}  // namespace fathom::deep
