// SPDX-License-Identifier: BSD-3-Clause
// What a fit looks at, on the GPU: a region is a rectangle of one picture of the training set, its
// target tile by tile with the lists that say which components its tiles see. FitAreas holds the
// regions of every picture that is not held out; pictures too large for one pass have several.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/smoe/decode/lists.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/component_lists.h"
#include "shaders/smoe/fit/shared.h"

namespace fathom::smoe {

class FitRegion {
 public:
  /// `view` are the coordinates of the picture. The target is uploaded at once.
  FitRegion(gpu::Context& gpu, const Image& picture, const PixelBox& box, ViewCoordinates view);

  /// Slots of a list that is out of date still are what they were, so sums stay consistent.
  void setLists(const ComponentLists& lists);

  const PixelBox& box() const { return box_; }
  ViewCoordinates view() const { return view_; }
  std::size_t tileCount() const { return std::size_t(tiles_.x) * std::size_t(tiles_.y); }
  glm::ivec2 tiles() const { return tiles_; }
  std::size_t slotCount() const { return slotCount_; }

  /// ComponentLists on the device.
  struct DeviceLists {
    gpu::Words starts, components, slotTiles, ends, slots, order, bounds;
    gpu::Buffer<float> offsets;
  };
  const DeviceLists& lists() const { return lists_; }
  /// The lists, to be filled by a shader, with room for so many slots and components.
  DeviceLists& roomFor(std::size_t slots, std::size_t components);
  /// vec4[tileCount][FIT_PIXELS]
  const gpu::TexelView& target() const { return targetTexels_; }

 private:
  gpu::Context& gpu_;
  PixelBox box_;
  ViewCoordinates view_;
  glm::ivec2 tiles_;
  std::size_t slotCount_ = 0;
  gpu::Buffer<glm::vec4> target_;
  gpu::TexelView targetTexels_;
  DeviceLists lists_;
};

/// Rectangles of whole tiles that cover a picture, each of at most `maxTiles` tiles.
std::vector<PixelBox> regionsOf(glm::ivec2 size, std::size_t maxTiles);

class FitPasses;

/// Makes the lists of a fit on the device, as buildComponentLists() does on the host: those of the
/// decoder for tiles of FIT_TILE pixels, then the way back from each component to its slots.
class FitListMaker {
 public:
  explicit FitListMaker(gpu::Context& gpu);

  /// Lists of the region for the records that the passes hold. Waits once, for their sizes.
  /// tau: nats, as in buildComponentLists().
  void make(FitPasses& passes, FitRegion& region, double tau);

 private:
  void build(FitPasses& passes, const FitRegion& region, double tau);
  void join(FitRegion::DeviceLists& lists, const FitRegion& region);
  void turnRound(FitRegion::DeviceLists& lists, const FitRegion& region);
  void sort(gpu::Words& values, std::size_t count, std::uint32_t largestKey);
  shared::FitBand band(const FitRegion& region) const;

  gpu::Context& gpu_;
  DeviceModel model_;
  ListBuilder builder_;
  gpu::Scanner scanner_;
  gpu::RadixSorter sorter_;
  gpu::Words keys_, otherKeys_, otherValues_;
};

class FitAreas {
 public:
  /// Where lists are made: on the device, or on the host, which is faster where the device is a
  /// software renderer.
  enum class Lists { Auto, Device, Host };
  FitAreas(gpu::Context& gpu, SharedTraining training, Lists lists = Lists::Auto);
  ~FitAreas();

  std::size_t pictureCount() const { return pictures_.size(); }
  /// Regions of the i-th picture that is fitted, with lists no older than `age` calls of grow();
  /// new ones are made for the records that the passes hold.
  std::vector<FitRegion*> of(std::size_t i, FitPasses& passes, double tau, int age);
  /// Lists become older by one: the records have moved.
  void grow();
  /// All lists are out of date: the records are others.
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
  const std::vector<Record>& recordsOf(const FitPasses& passes);
  void makeLists(Area& area, FitPasses& passes, double tau);

  gpu::Context& gpu_;
  SharedTraining training_;
  std::vector<Area> pictures_;
  int now_ = 0;
  std::unique_ptr<FitListMaker> maker_;  // null: on the host
  std::vector<Record> records_;          // on the host; empty: not fetched since they changed
};

}  // namespace fathom::smoe
