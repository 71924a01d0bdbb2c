// SPDX-License-Identifier: BSD-3-Clause
// What is photographed, and how: the input, the settings, and the camera of a scene. Nothing of the
// GPU; what follows from these values alone is answered here.
#pragma once

#include "app/scene/camera.h"
#include "app/techniques/dof/input.h"
#include "app/techniques/dof/lens/optics.h"
#include "app/techniques/dof/settings.h"

#include <cstdint>

#include <glm/vec2.hpp>

namespace fathom::dof {

struct Shot {
  Input input;
  std::uint64_t inputCount = 0;  // inputs opened so far: tells two of them apart
  Settings settings;
  Camera camera;       // of a scene
  glm::ivec2 size{0};  // px

  bool empty() const { return !input.scene && !input.deep && !input.flat; }
  /// Takes a new input: its size where it has one, a scene's camera.
  void open(Input next);

  /// The operator works on splats in tile lists.
  bool splats() const { return settings.op <= Operator::Slabs; }
  /// All fragments of a pixel become splats, not only the nearest.
  bool layered() const { return settings.layers == Layers::All && (input.scene || input.deep); }
  /// Accumulated outside the space of variants, which knows neither blades nor slabs.
  bool shaped() const { return settings.blades != Blades::Round || settings.op == Operator::Slabs; }
  /// The difference is shown of a picture that is not itself the ground truth.
  bool needsTruth() const {
    return settings.show == Show::Difference && input.scene && settings.op != Operator::Lens;
  }

  /// The scene's camera with depth planes around the scene.
  Camera sceneCamera() const;
  /// `autoFocus` in scene units: used when the settings give no focus distance.
  Lens lens(double autoFocus) const;
  /// Width of a pixel on the plane at distance 1: what radial depths are turned planar with.
  double tangentPerPixel() const;
  /// Where the picture's pixel (0, 0) lies in a file's data.
  glm::ivec2 origin() const;
};

}  // namespace fathom::dof
