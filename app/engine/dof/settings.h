// SPDX-License-Identifier: BSD-3-Clause
// The settings of depth of field: lens, aperture, the meaning of depth, how splats become a
// picture.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom::dof {

enum class Operator { Over, Coverage, Slabs, LensCells, Gather, Lens };
enum class Layers { All, First };
enum class MaxRadius { R8, R16, R32, R64, R128, R256, R512 };
enum class Edges { Extend, Mirror, Renormalize };
enum class Supersample { S1, S2, S4 };
enum class Blades { Round, Five, Six, Seven, Eight, Nine };
enum class DepthForm { Auto, Planar, Radial, Linear, Gl, GlReversed, GlInfinite };
enum class Sort { Auto, Bitonic, Radix };
enum class LensPoints { P64, P256, P1024, P4096, P16384, P65536 };
enum class Show { Picture, Circles, FocalPlane, Difference };

struct Settings {
  Operator op = Operator::Coverage;
  std::string variant = "auto";
  Layers layers = Layers::All;

  float focalLength = 85;   // mm; 0: what the camera's field of view asks for
  float fNumber = 1.4f;     // focal length over aperture diameter
  float focusDistance = 0;  // scene units, along the view axis; 0: what lies in the middle
  float sensorWidth = 36;   // mm
  float mmPerUnit = 0;      // 0: automatic, see Shot::mmPerUnit()
  MaxRadius maxRadius = MaxRadius::R16;
  Edges edges = Edges::Extend;
  Supersample supersample = Supersample::S1;  // of scenes

  Blades blades = Blades::Round;
  float bladeRotation = 0;   // degrees
  float bladeRoundness = 0;  // 0 polygon .. 1 disc

  std::string lens{};             // file of settings of a lens; empty: none
  std::string bokeh{};            // file of a picture of the aperture; empty: blades
  std::string mask{};             // file of a focus mask; empty: none
  float catsEye = 0, swirl = 0;   // in a corner of the frame
  float squeeze = 1;              // height over width of a round aperture's image
  float sphericalAberration = 0;  // -1 .. 1
  float axialColor = 0;           // thousandths of the focal length's inverse
  float lateralColor = 0;         // thousandths of magnification

  DepthForm depthForm = DepthForm::Auto;
  float near = 0.1f, far = 100;  // scene units
  bool snapDepth = false;

  Sort sort = Sort::Auto;
  float epsilon = 0.01f;
  LensPoints lensPoints = LensPoints::P256;
  Show show = Show::Picture;
  float differenceGain = 4;

  bool operator==(const Settings&) const = default;

  int radius() const { return 8 << int(maxRadius); }          // R, px
  int supersamples() const { return 1 << int(supersample); }  // along a pixel's side
  int bladeCount() const { return blades == Blades::Round ? 0 : 4 + int(blades); }
  int lensPointCount() const { return 64 << (2 * int(lensPoints)); }
};

void describe(Settings& settings, FieldVisitor& field);

/// {"name": "...", "f-number": 1.5, "blades": 5, ...}. Settings that are not at their defaults stay
/// as they are: what is set beside a lens has the last word. A bokeh picture is looked for beside
/// the file. Throws Error.
void applyLens(const std::string& file, Settings& settings);

}  // namespace fathom::dof
