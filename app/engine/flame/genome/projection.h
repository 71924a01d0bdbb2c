// SPDX-License-Identifier: BSD-3-Clause
// The camera of flames with depth: a turned point, divided by its distance, blurred by how far it
// is from the focus. Sources: the documented cameras of Apophysis 7X, Fractorium and JWildfire.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {

/// How the distance that blurs a point is measured.
enum class DepthBlur {
  Depth,   // its depth behind the camera (Apophysis, Fractorium)
  Behind,  // how far it lies below JWildfire's cam_zpos
  Focus,   // its distance from a point, sharp within an area (JWildfire's new_dof)
};

struct Projection {
  glm::dmat3 rows{1};                // rows[i]: of axis i
  glm::dvec3 shift{0};               // rows * p + shift
  double perspective = 0, base = 1;  // x and y are divided by base - perspective * z
  bool clips = false;                // what lies behind the camera is not drawn
  bool isFlat = true;                // nothing of the above acts
  bool turns = false;                // the picture's rotation is in the matrix
  double blur = 0;
  DepthBlur kind = DepthBlur::Depth;
  glm::dvec3 focus{0};
  double area = 0, fade = 0, power = 1;  // Focus: (distance^2)^power

  /// The point of the plane that is shown of a point of space; none: not drawn.
  std::optional<glm::dvec2> operator()(glm::dvec3 p, Draws& draws) const;
  double blurDistance(glm::dvec3 turned) const;
};

Projection projectionOf(const Genome& genome);

/// False when the picture is the same with z left out: nothing that a point's x and y or the camera
/// depend on can be other than 0.
bool needsDepth(const Genome& genome);

}  // namespace fathom::flame
