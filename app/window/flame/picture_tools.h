// SPDX-License-Identifier: BSD-3-Clause
// The mouse and the keys of flames in the window: triangles and camera over the picture, xforms,
// keyframes and playback by key.
#pragma once

#include "app/window/parts.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/triangle_tool.h"
#include "app/engine/flame/film/transport.h"

#include <functional>
#include <vector>

namespace fathom::flame {

class FlameTools : public PictureTools {
 public:
  /// All stay the caller's.
  FlameTools(Editor& editor, TriangleTool& tool, Transport& transport)
      : editor_(editor), tool_(tool), transport_(transport) {}
  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<TechniqueAction> actions() override;

 private:
  std::vector<TechniqueAction> xformActions();
  std::vector<TechniqueAction> filmActions();
  void changeGenome(const std::function<void(Genome&)>& change);

  Editor& editor_;
  TriangleTool& tool_;
  Transport& transport_;
};

}  // namespace fathom::flame
