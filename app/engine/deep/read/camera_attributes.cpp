// SPDX-License-Identifier: BSD-3-Clause
// EXR's camera space is left-handed and looks along +z; its NDC has (0, 0) in the upper left and
// (1, 1) in the lower right corner of the display window (ImfStandardAttributes.h).
#include "app/engine/deep/read/camera_attributes.h"

#include "app/engine/io/exr/exr_attributes.h"

#include <glm/gtc/matrix_transform.hpp>

namespace fathom::deep {
namespace {

constexpr float kSensorHeight = 24;  // mm: a full frame, since a scene does not name one

/// From -1 .. 1, y up, as the projection has it and Arnold's worldToScreen.
glm::mat4 screenToNdc() {
  return glm::translate(glm::mat4(1), glm::vec3(0.5f, 0.5f, 0)) *
         glm::scale(glm::mat4(1), glm::vec3(0.5f, -0.5f, 1));
}

}  // namespace

SharedAttributes cameraAttributes(const Camera& camera, glm::ivec2 size, const std::string& scene) {
  const float aspect = float(size.x) / float(size.y);
  const float tangent = std::tan(glm::radians(camera.verticalFovDeg) / 2);
  const glm::mat4 flip = glm::scale(glm::mat4(1), glm::vec3(1, 1, -1));
  Attributes all;
  all.push_back(attributeOf("aperture", INFINITY));
  all.push_back(attributeOf("comments", "captured from " + scene));
  all.push_back(attributeOf("focus", INFINITY));
  all.push_back(attributeOf("pinholeFocalLength", kSensorHeight / (2 * tangent)));
  all.push_back(
      attributeOf("screenWindowCenter", camera.lensShift * tangent * glm::vec2(aspect, 1)));
  all.push_back(attributeOf("screenWindowWidth", 2 * tangent * aspect));
  all.push_back(attributeOf("sensorOverallDimensions", kSensorHeight * glm::vec2(aspect, 1)));
  all.push_back(attributeOf("software", std::string("fathom")));
  all.push_back(attributeOf("worldToCamera", flip * camera.view()));
  all.push_back(
      attributeOf("worldToNDC", screenToNdc() * camera.projection(aspect) * camera.view()));
  return std::make_shared<const Attributes>(std::move(all));
}

std::optional<Unprojection> Unprojection::from(const SharedAttributes& attributes,
                                               const Rect& displayWindow) {
  if (!attributes || displayWindow.empty()) return std::nullopt;
  const std::optional<glm::mat4> camera = matrixNamed(*attributes, "worldToCamera");
  std::optional<glm::mat4> ndc = matrixNamed(*attributes, "worldToNDC");
  if (const auto screen = matrixNamed(*attributes, "worldToScreen"); !ndc && screen)
    ndc = screenToNdc() * *screen;
  if (!camera || !ndc) return std::nullopt;
  const glm::dmat4 toCamera(*camera);
  if (!std::isnormal(glm::determinant(toCamera))) return std::nullopt;
  Unprojection made;
  made.toWorld_ = glm::inverse(toCamera);
  made.toNdc_ = glm::dmat4(*ndc) * made.toWorld_;
  made.corner_ = {displayWindow.x, displayWindow.y};
  made.size_ = {displayWindow.width, displayWindow.height};
  return made;
}

/// NDC are ratios of linear functions of the camera's x and y: two linear equations.
glm::dvec3 Unprojection::world(glm::dvec2 at, double z) const {
  const glm::dvec2 ndc = (at - corner_) / size_;
  const auto row = [this](int r) {
    return glm::dvec4(toNdc_[0][r], toNdc_[1][r], toNdc_[2][r], toNdc_[3][r]);
  };
  const glm::dvec4 a = row(0) - ndc.x * row(3), b = row(1) - ndc.y * row(3);
  const double p = -(a.z * z + a.w), q = -(b.z * z + b.w), d = a.x * b.y - a.y * b.x;
  const glm::dvec4 eye((p * b.y - a.y * q) / d, (a.x * q - p * b.x) / d, z, 1);
  return glm::dvec3(toWorld_ * eye);
}

}  // namespace fathom::deep
