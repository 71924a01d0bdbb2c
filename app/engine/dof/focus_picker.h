// SPDX-License-Identifier: BSD-3-Clause
// Focus by a click on the picture, reached in a short move, and what is drawn over the picture
// meanwhile: the point in focus, and the circle of confusion under the cursor.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/dof/pull_control.h"
#include "app/window/parts.h"

#include <optional>
#include <vector>

namespace fathom::dof {

class FocusPicker : public PictureTools {
 public:
  /// All must outlive this; the focus distance of the shot's settings is what moves.
  FocusPicker(Shot& shot, const Blur& blur, PullControl& pull)
      : shot_(shot), blur_(blur), pull_(pull) {}

  /// Moves the focus to what lies there, in the frames that follow.
  void pick(int x, int y);
  /// The next step of the move; None while nothing moves.
  Effect advance();

  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<TechniqueAction> actions() override;

 private:
  struct Move {
    double from, to;  // scene units
    Stopwatch since;
  };
  void drawCircleOfConfusion(PictureOverlay& overlay) const;

  Shot& shot_;
  const Blur& blur_;
  PullControl& pull_;
  std::optional<glm::ivec2> cursor_, picked_;  // px
  float pickedFocus_ = 0;  // the distance that it was picked for
  std::optional<Move> move_;
};

}  // namespace fathom::dof
