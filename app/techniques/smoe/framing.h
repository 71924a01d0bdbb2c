// SPDX-License-Identifier: BSD-3-Clause
// Which part of a model a picture shows: from the texts of the settings and the size asked for to
// the decoder's window, and back when the wheel or a drag changes it.
#pragma once

#include "app/techniques/smoe/decoder.h"
#include "app/techniques/smoe/model.h"
#include "app/techniques/smoe/settings.h"
#include "app/techniques/smoe/space.h"

#include <optional>
#include <string>

#include <glm/vec2.hpp>

namespace fathom::smoe {

/// A rectangle of the model's plane, px.
struct Part {
  glm::dvec2 corner{0}, extent{0};
};

/// "X,Y,W,H"; none when the text is empty. Throws UsageError.
std::optional<Part> parseWindow(const std::string& text);
std::string windowText(const Part& part);
/// "A1,A2" for light fields, "T" for video; the origin when the text is empty. Throws UsageError.
ViewCoordinates parseView(const std::string& text, int leading);
std::string viewText(ViewCoordinates at, int leading);
/// "9x9": views along a1 and a2, each 1..64. Throws UsageError.
glm::ivec2 parseGrid(const std::string& text);

/// The whole model, or the part that the settings name, in a picture of `size` (0: one pixel per
/// model pixel). What the picture has room for beside the part is shown too. Throws UsageError.
ViewWindow windowFor(const Model& model, const Settings& settings, glm::ivec2 size);

/// Where settings say auto, the tuned variant of kSpace decides.
DecodeOptions optionsOf(const Settings& settings, const gpu::Variant& tuned);

}  // namespace fathom::smoe
