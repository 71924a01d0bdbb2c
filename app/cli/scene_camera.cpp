// SPDX-License-Identifier: BSD-3-Clause
// Points of three numbers, and what makes no view.
#include "app/cli/scene_camera.h"

#include "app/engine/core/error.h"

namespace fathom {
namespace {

glm::vec3 pointOf(const CommandContext& context, const char* flag, glm::vec3 otherwise) {
  if (!context.given(flag)) return otherwise;
  const std::string& text = context.text(flag);
  glm::vec3 p(0);
  char more = 0;
  if (std::sscanf(text.c_str(), "%f,%f,%f%c", &p.x, &p.y, &p.z, &more) != 3 ||
      !std::isfinite(p.x + p.y + p.z))
    throw UsageError(
        fmt::format("--{}: expected three numbers like 1,0.5,-2, found \"{}\"", flag, text));
  return p;
}

}  // namespace

std::vector<CommandFlag> withCamera(std::vector<CommandFlag> flags) {
  flags.insert(
      flags.end(),
      {{"eye", "X,Y,Z", "Where a scene is seen from", "", false},
       {"target", "X,Y,Z", "The point in the middle of the picture", "", false},
       {"up", "X,Y,Z", "The direction that is up in the picture", "", false},
       {"fov", "DEG", "Angle from the lower to the upper edge of the picture", "", false}});
  return flags;
}

bool placesCamera(const CommandContext& context) {
  return context.given("eye") || context.given("target") || context.given("up") ||
         context.given("fov");
}

void placeCamera(const CommandContext& context, Camera& camera) {
  if (!placesCamera(context)) return;
  camera.position = pointOf(context, "eye", camera.position);
  camera.target = pointOf(context, "target", camera.target);
  camera.up = pointOf(context, "up", camera.up);
  if (context.given("fov")) camera.verticalFovDeg = float(context.real("fov", 0.1, 170));
  const glm::vec3 along = camera.target - camera.position;
  if (!(glm::length(along) > 0))
    throw UsageError("--eye: expected a point other than the target, found the same");
  if (!(glm::length(glm::cross(along, camera.up)) > 0))
    throw UsageError("--up: expected another direction than that of the view, found the same");
}

}  // namespace fathom
