// SPDX-License-Identifier: BSD-3-Clause
// How a picture becomes display values, as the user sets it.
#pragma once

#include "app/engine/core/fields.h"

#include <string>

#include <glm/vec3.hpp>

namespace fathom::viewer {

struct DisplaySettings {
  enum class Curve { Srgb, Gamma, Filmic, Ocio };
  enum class Channel { Rgba, R, G, B, A, Luminance };
  enum class Map { Inferno, Viridis, Cubehelix, Gray };
  enum class Difference { Signed, Absolute, Squared, Relative, RelativeSquared };
  enum class Background { Checker, Black, Gray, White };
  float exposureStops = 0;
  float offset = 0;  // added to exposed values
  Curve curve = Curve::Srgb;
  float gamma = 2.2f;
  Channel channel = Channel::Rgba;
  bool falseColor = false;
  Map map = Map::Inferno;                      // of false color and of differences
  Difference difference = Difference::Signed;  // what of A and B is shown
  bool normalize = false;                      // the smallest value black, the largest white
  bool markInvalid = true;
  Background background = Background::Checker;
  std::string ocioConfig, ocioDisplay, ocioView, ocioLook;  // empty: $OCIO, the config's defaults
};
void describe(DisplaySettings& settings, FieldVisitor& field);

/// One 8-bit value as the window shows it: exposed and encoded, for a linear color value. Display
/// transforms of a config mix channels: for them it is the value of sRGB.
int shownByte(const DisplaySettings& settings, float linear);

/// The color of a value in 0..1 in this map, as display.frag has it: display values.
glm::vec3 mapColor(DisplaySettings::Map map, float value);

}  // namespace fathom::viewer
