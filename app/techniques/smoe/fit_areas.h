// SPDX-License-Identifier: BSD-3-Clause
// All that a fit looks at: the regions of every picture that is not held out, made when they are
// first needed, each with lists of some age.
#pragma once

#include "app/techniques/smoe/fit_passes.h"
#include "app/techniques/smoe/training.h"

#include <memory>
#include <vector>

namespace fathom::smoe {

class FitAreas {
 public:
  FitAreas(gpu::Context& gpu, std::shared_ptr<const TrainingSet> training);

  std::size_t pictureCount() const { return pictures_.size(); }
  /// Regions of the i-th picture that is fitted, with lists for `records` no older than `age`
  /// calls of grow(). The records are those before slicing.
  std::vector<FitRegion*> of(std::size_t i, const std::vector<Record>& records, double tau,
                             int age);
  /// True when of() would use the records.
  bool outdated(std::size_t i, int age) const;
  /// Lists become older by one.
  void grow() { ++now_; }
  /// All lists are out of date.
  void invalidate();

  /// The i-th fitted picture that is nearest to the origin of views.
  std::size_t middle() const;
  double pixelsPerPicture() const;
  const TrainingSet& training() const { return *training_; }

 private:
  struct Area {
    std::size_t picture;
    std::vector<std::unique_ptr<FitRegion>> regions;
    int listsMade = -1;  // by grow()
  };
  gpu::Context& gpu_;
  std::shared_ptr<const TrainingSet> training_;
  std::vector<Area> pictures_;
  int now_ = 0;
};

}  // namespace fathom::smoe
