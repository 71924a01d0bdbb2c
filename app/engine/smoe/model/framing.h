// SPDX-License-Identifier: BSD-3-Clause
// Which part of a model a picture shows: the window that is decoded, and the texts in which
// settings and flags name a rectangle, a view or a grid of views.
#pragma once

#include "app/engine/smoe/model/model.h"

#include <optional>
#include <string>

#include <glm/vec2.hpp>

namespace fathom::smoe {

/// Which part of the model a picture shows.
struct ViewWindow {
  glm::ivec2 size{0};     // picture pixels
  glm::dvec2 corner{0};   // model px of the picture's upper left corner
  double step = 1;        // model px per picture pixel; above 1 is zoomed out
  int samples = 1;        // per pixel and axis
  ViewCoordinates at{0};  // view steps or frame
  bool operator==(const ViewWindow&) const = default;
};

/// A rectangle of the model's plane, px.
struct ModelRect {
  glm::dvec2 corner{0}, extent{0};
};

/// "X,Y,W,H"; none when the text is empty. Throws UsageError.
std::optional<ModelRect> parseWindow(const std::string& text);
std::string windowText(const ModelRect& rect);
/// "A1,A2" for light fields, "T" for video; the origin when the text is empty. Throws UsageError.
ViewCoordinates parseView(const std::string& text, int leading);
std::string viewText(ViewCoordinates at, int leading);
/// "9x9": views along a1 and a2, each 1..64. Throws UsageError.
glm::ivec2 parseGrid(const std::string& text);

}  // namespace fathom::smoe
