// SPDX-License-Identifier: BSD-3-Clause
// The settings of depth of field: lens, aperture, the meaning of depth, how splats become a
// picture.
#pragma once

#include "app/core/fields.h"

namespace fathom::dof {

enum class Operator { Over, Coverage, Slabs, Gather, Lens };
enum class Layers { All, First };
enum class MaxRadius { Eight, Sixteen, ThirtyTwo, SixtyFour };
enum class Blades { Round, Five, Six, Seven, Eight, Nine };
enum class DepthForm { Auto, Planar, Radial, Linear, Gl, GlReversed, GlInfinite };
enum class Sort { Auto, Bitonic, Radix };
enum class LensPoints { Few, Some, Many };
enum class Show { Picture, Circles, FocalPlane, Difference };

struct Settings {
  Operator op = Operator::Coverage;
  std::string variant = "auto";
  Layers layers = Layers::All;

  float focalLength = 85;   // mm; 0: what the camera's field of view asks for
  float fNumber = 1.4f;     // focal length over aperture diameter
  float focusDistance = 0;  // scene units, along the view axis; 0: what lies in the middle
  float sensorWidth = 36;   // mm
  float mmPerUnit = 1000;
  MaxRadius maxRadius = MaxRadius::Sixteen;

  Blades blades = Blades::Round;
  float bladeRotation = 0;   // degrees
  float bladeRoundness = 0;  // 0 polygon .. 1 disc

  DepthForm depthForm = DepthForm::Auto;
  float near = 0.1f, far = 100;  // scene units
  bool snapDepth = false;

  Sort sort = Sort::Auto;
  float epsilon = 0.01f;
  LensPoints lensPoints = LensPoints::Some;
  Show show = Show::Picture;
  float differenceGain = 4;

  bool operator==(const Settings&) const = default;

  int radius() const { return 8 << int(maxRadius); }  // R, px
  int bladeCount() const { return blades == Blades::Round ? 0 : 4 + int(blades); }
  int lensPointCount() const { return 64 << (2 * int(lensPoints)); }
};

void describe(Settings& settings, FieldVisitor& field);

}  // namespace fathom::dof
