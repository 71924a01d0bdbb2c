// SPDX-License-Identifier: BSD-3-Clause
// Rasterizing a part of a scene into fragment lists: one pass for linked lists; count, scan and
// capture for arrays (Archer, Leach, van Schyndel, "GPU based techniques for deep image merging",
// Computational Visual Media 2018).
#pragma once

#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/scene/scene_renderer.h"

namespace fathom::deep {

class SceneCapture {
 public:
  explicit SceneCapture(ListStore& store) : store_(store) {}

  /// What is drawn: a region of a picture, in its pixels.
  struct View {
    Camera camera;
    glm::ivec2 picture{0};
    Rect region;
  };
  /// Draws the part, keeps every fragment with alpha > 0 and sorts the lists. Waits for the device
  /// once, for how many there are, unless they are `counted`.
  void capture(SceneRenderer& renderer, std::size_t part, const View& view, const ListShape& shape,
               FragmentLists& out, const shared::Summary* counted = nullptr);
  /// Counts the fragments of all parts, into `lists` in their order, with one wait for all: each is
  /// captured into these lists next. Empty for layouts that are captured without counting or on the
  /// way through another one.
  std::vector<shared::Summary> count(SceneRenderer& renderer, const View& view,
                                     const ListShape& shape, std::span<FragmentLists> lists);
  /// Throws Error when a pass of an earlier capture met more fragments than the one that counted
  /// them. expectAll() waits to know, expectDone() looks whether it is known.
  void expectAll();
  void expectDone();

 private:
  using Draw = std::function<void(gpu::RasterPass&)>;
  void openTarget(const View& view);
  void captureLinked(FragmentLists& out, const Draw& draw);
  void countArray(FragmentLists& out, const Draw& draw);
  void captureArray(FragmentLists& out, const Draw& draw, const shared::Summary* counted);
  /// Fragments to make room for at first: what was enough the last time, else a guess.
  std::uint64_t firstPool(const FragmentLists& out) const;

  ListStore& store_;
  gpu::Target target_;  // without attachments, of the picture's size
  glm::ivec2 targetSize_{0};
  gpu::Words nodes_;                        // counter of linked lists
  gpu::Buffer<shared::Summary> summaries_;  // of parts that are counted together
  std::vector<gpu::ReadBack> refused_;      // of the last captures: fragments that had no room
  std::size_t asked_ = 0;                   // so many are on the way
};

/// A store that scenes are captured into too.
struct Pipeline : ListStore {
  using ListStore::ListStore;
  SceneCapture scenes{*this};
};

}  // namespace fathom::deep
