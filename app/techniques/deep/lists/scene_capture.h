// SPDX-License-Identifier: BSD-3-Clause
// Rasterizing a part of a scene into fragment lists: one pass for linked lists; count, scan and
// capture for arrays (Archer, Leach, van Schyndel 2018).
#pragma once

#include "app/scene/scene_renderer.h"
#include "app/techniques/deep/lists/list_arranger.h"
#include "app/techniques/deep/lists/list_sorter.h"

#include <functional>

namespace fathom::deep {

class SceneCapture {
 public:
  SceneCapture(ListStore& store, ListArranger& arranger, ListSorter& sorter)
      : store_(store), arranger_(arranger), sorter_(sorter) {}

  /// What is drawn: a region of a picture, in its pixels.
  struct View {
    Camera camera;
    glm::ivec2 picture{0};
    Rect region;
  };
  /// Draws the part, keeps every fragment with alpha > 0 and sorts the lists. Waits for the device
  /// once, for how many there are.
  void capture(SceneRenderer& renderer, std::size_t part, const View& view, const ListShape& shape,
               FragmentLists& out);
  /// Throws Error when a pass of an earlier capture met more fragments than the one that counted
  /// them. expectAll() waits to know, expectDone() looks whether it is known.
  void expectAll();
  void expectDone();

 private:
  using Draw = std::function<void(gpu::RasterPass&)>;
  void captureLinked(FragmentLists& out, const Draw& draw);
  void captureArray(FragmentLists& out, const Draw& draw);
  /// Fragments to make room for at first: what was enough the last time, else a guess.
  std::uint64_t firstPool(const FragmentLists& out) const;

  ListStore& store_;
  ListArranger& arranger_;
  ListSorter& sorter_;
  gpu::Target target_;  // without attachments, of the picture's size
  glm::ivec2 targetSize_{0};
  gpu::Buffer<std::uint32_t> nodes_;  // counter of linked lists
  FragmentLists plain_;               // linearized, on the way to RIA
  gpu::ReadBack refused_;             // of the last capture: fragments that had no room
  bool asked_ = false;                // it is on the way
};

}  // namespace fathom::deep
