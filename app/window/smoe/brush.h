// SPDX-License-Identifier: BSD-3-Clause
// The brush that steers a fit: where it paints over the picture, the fit gets more components.
#pragma once

#include "app/window/parts.h"
#include "app/engine/smoe/fit/relocate.h"
#include "app/engine/smoe/model/framing.h"

#include <optional>
#include <utility>

namespace fathom::smoe {

class FitBrush {
 public:
  bool on() const { return on_; }
  void turn(bool on) { on_ = on; }
  /// False while there is no fit to steer: then it leaves the mouse alone.
  void allow(bool allowed) { allowed_ = allowed; }
  bool ready() const { return on_ && allowed_; }

  /// The mouse over a picture of this window; true: it is the brush's.
  bool interact(const PictureInput& input, const ViewWindow& window);
  /// The brush and the stroke under way; `shift`: where the window begins in the picture.
  void draw(PictureOverlay& overlay, const ViewWindow& window, glm::vec2 shift) const;
  /// A stroke that is complete.
  std::optional<Attention> take() { return std::exchange(done_, std::nullopt); }

 private:
  bool on_ = false, allowed_ = false, inside_ = false;
  glm::dvec2 at_{0};  // px of the model
  std::optional<Attention> stroke_, done_;
};

}  // namespace fathom::smoe
