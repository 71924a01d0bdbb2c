// SPDX-License-Identifier: BSD-3-Clause
// What a model is fitted to: a picture, frames of a video, or a grid of views.
#pragma once

#include "app/core/image.h"
#include "app/techniques/smoe/model.h"

#include <memory>
#include <vector>

namespace fathom::smoe {

struct TrainingSet {
  int dims = 2;        // 2: one picture; 3: frames; 4: views, a1 outermost
  glm::ivec2 size{0};  // px of each picture
  int frames = 1;
  glm::ivec2 views{1};       // grid along a1 and a2
  glm::dvec2 viewOrigin{0};  // the view with a = 0: the middle of the grid
  ColorSpace colorSpace = ColorSpace::Srgb;
  std::string name;  // for messages and Model::source
  /// Encoded values 0..1 in colorSpace: vec4[height][width] per picture, w is unused.
  std::vector<Image> pictures;
  /// Pictures that are kept out of the fit, to judge it by.
  std::vector<std::size_t> heldOut;

  /// View coordinates of picture i.
  ViewCoordinates coordinatesOf(std::size_t i) const;
};

}  // namespace fathom::smoe
