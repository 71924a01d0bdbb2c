// SPDX-License-Identifier: BSD-3-Clause
// What the window adds to the engine of deep images: pages, the tool that chooses a region or an
// object, frames of numbered files, and the survey and saving that go on beside the picture.
#pragma once

#include "app/engine/deep/engine.h"
#include "app/window/deep/panels.h"

namespace fathom::deep {

class DeepWindowParts : public WindowParts, private Background {
 public:
  /// The engine must outlive this.
  explicit DeepWindowParts(DeepEngine& engine);

  /// Stops saving, and looks for frames beside the files that are open now.
  void adopted(const std::vector<std::string>& before) override;
  /// Pages and ranks; Rebuild when the next frame of a sequence was adopted.
  Effect takeChange() override;

  Surveyor& surveyor() { return surveyor_; }
  FramePlayer& frames() { return frames_; }

 private:
  /// Saving first, then survey and ranks.
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;

  DeepEngine& engine_;
  Surveyor surveyor_;
  MergedSaver saver_;
  RankPreview ranks_;
  FramePlayer frames_;
  RegionTool tool_;
  DeepPanels panels_;
};

/// For WindowEntry::make.
std::unique_ptr<WindowParts> makeWindowParts(Engine& engine);

}  // namespace fathom::deep
