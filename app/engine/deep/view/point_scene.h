// SPDX-License-Identifier: BSD-3-Clause
// The picture of fragments as points in space, collected once per region from the lists of the
// bands and drawn again when camera or look change, in slices of a time budget; and what its colors
// and those of the heat map mean.
#pragma once

#include "app/engine/core/stages.h"
#include "app/engine/deep/bands/band_store.h"
#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/view/points.h"
#include "app/engine/inspect.h"

namespace fathom::deep {

class PointScene {
 public:
  /// Both must outlive this.
  PointScene(const Inputs& inputs, BandStore& bands);

  /// The points are to be those of these; the bands hold the lists of `key`, or will.
  void request(const ListsKey& key, const MergeSetup& setup) { key_ = key, setup_ = setup; }
  /// Works on what was requested; true when all points are drawn. A call takes no longer than keeps
  /// a window fluid, whatever the budget.
  bool proceed(double budgetMs);
  /// What lists and renderer hold is gone: the device is another one.
  void drop();
  /// There is a picture of these points, maybe not of all.
  bool isDrawn() const { return drawn_ && isCollected(); }
  const gpu::Texture& texture() const { return renderer_->picture(); }
  /// The points are there, and their box.
  bool isCollected() const;
  /// The lists of all bands are there.
  bool hasLists() const { return stages_.current() != "lists"; }

  Camera& camera() { return camera_; }
  const Camera& camera() const { return camera_; }
  glm::ivec2 size() const { return size_; }
  void setSize(glm::ivec2 size) { size_ = size; }
  const PointSpace& space() const { return space_; }
  /// "1000 of 12345 fragments, one in 13"
  std::string text() const;

 private:
  /// Images on the host whose fragments are points: inputs as they are, or what operations leave.
  struct HostImage {
    const DeepImage* image;
    std::uint32_t firstIndex;
    int source;
    std::unique_ptr<DeepImage> made;  // or none
  };
  void addStages();
  bool loadStep();
  void beginCount();
  bool countStep();
  void makeRoom();
  bool collectStep();
  void takeBox();
  void beginDrawing();
  /// Runs `work` on the next band that the region touches; false when there is none left.
  bool nextBand(const std::function<void(Band&)>& work);
  std::vector<HostImage> hostImages() const;

  const Inputs& inputs_;
  BandStore& bands_;
  ListsKey key_;
  MergeSetup setup_;
  Stages stages_;
  Camera camera_ = homePointCamera();
  glm::ivec2 size_{1280, 720};

  std::size_t at_ = 0;           // the band that is filled, counted or collected
  std::uint64_t fragments_ = 0;  // of the region, counted so far
  std::uint64_t collected_ = 0;  // of them
  std::vector<HostImage> images_;
  PointCloud cloud_;
  PointSpace space_;
  std::unique_ptr<PointRenderer> renderer_;
  bool drawn_ = false;
};

/// Length classes of the heat map; inputs, or a scale of alpha or Z, for points; else empty.
std::vector<LegendEntry> legendEntries(const Settings& settings, const Inputs& inputs,
                                       const PointScene& points);

}  // namespace fathom::deep
