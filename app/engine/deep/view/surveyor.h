// SPDX-License-Identifier: BSD-3-Clause
// Surveys what is open beside the picture: once per set of lists, a band at a time, and only while
// a page shows it.
#pragma once

#include "app/engine/core/stages.h"
#include "app/engine/deep/bands/band_store.h"
#include "app/engine/deep/view/points.h"
#include "app/engine/deep/view/survey.h"

#include <functional>

namespace fathom::deep {

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
