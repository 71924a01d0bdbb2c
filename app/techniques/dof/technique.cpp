// SPDX-License-Identifier: BSD-3-Clause
// Inputs and optics. The stages of work stand in technique_work.cpp, what is told about a picture
// in report.cpp.
#include "app/techniques/dof/technique.h"

#include "app/core/log.h"
#include "app/techniques/dof/command.h"
#include "app/techniques/dof/variant_workload.h"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::dof {
namespace {

constexpr double kInfinityMm = 1e6;  // focus on the background

}  // namespace

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"dof",
       "Depth of field",
       "Blur scenes, deep EXRs and pictures with depth as a lens does, by tiled splatting.",
       "Lier, Franke, Stamminger, Selgrad, \"A Case Study in Implementation-Space Exploration\", "
       "ELS 2016; Selgrad et al., \"Tiled Depth of Field Splatting\", Eurographics 2016",
       {".exr", ".obj", ".png"}},
      accepts,
      read,
      defaultSettings<Settings>,
      makeTechnique<DofTechnique>,
      {"variants"},
      commands,
      benches,
      tunables};
  return entry;
}

void DofTechnique::describe(FieldVisitor& field) { dof::describe(settings_, field); }

// Inputs
// -------------------------------------------------------------------------------------------------

void DofTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  input_ = std::move(ownInputs<Input>(*inputs));
  renderer_.reset();
  source_.reset();
  stale_ = true;
  if (input_.scene) {
    camera_ = input_.scene->camera;
    if (size_.x <= 0) size_ = {1280, 720};
    for (const std::string& warning : input_.scene->warnings) log::warn("{}", warning);
  } else if (input_.deep) {
    size_ = {input_.deep->dataWindow.width, input_.deep->dataWindow.height};
  } else {
    size_ = {input_.flat->image.width, input_.flat->image.height};
  }
}

void DofTechnique::setSize(int width, int height) {
  if (input_.deep || input_.flat) return;  // files have their own
  if (size_ != glm::ivec2(width, height)) size_ = {width, height}, stale_ = true;
}

glm::ivec2 DofTechnique::origin() const {
  return input_.deep ? glm::ivec2(input_.deep->dataWindow.x, input_.deep->dataWindow.y)
                     : glm::ivec2(0);
}

bool DofTechnique::layered() const {
  return settings_.layers == Layers::All && (input_.scene || input_.deep);
}

/// Blades and slabs are not among the variants.
bool DofTechnique::shaped() const {
  return settings_.blades != Blades::Round || settings_.op == Operator::Slabs;
}

/// The variant of the settings with the order that the operator asks for, and with nodes that know
/// opacity where fragments are translucent.
Variant DofTechnique::variant() const {
  Variant v = kSpace.parse(settings_.variant == "auto" ? autoVariant_ : settings_.variant);
  const bool coverage = settings_.op == Operator::Coverage;
  if (coverage != (v[kOrder] == kCoverage))
    v = kSpace.with(v, kOrder, coverage ? kCoverage : kFrontToBack);
  if (layered() && v[kNode] == kNodeB) v = kSpace.with(v, kNode, kNodeA);
  return v;
}

void DofTechnique::chooseVariant() {
  autoVariant_ = kDefaultVariant;
  if (settings_.variant != "auto") return tuned_.forget();
  const auto key = [this] {
    return TuneKey{workloadClass(settings_.radius(), settings_.op == Operator::Coverage), size_,
                   templateHash(), nameOf(runner_->backEnd())};
  };
  if (const auto tuned = tuned_.choose(*gpu_, key)) autoVariant_ = kSpace.id(*tuned);
}

// Optics
// -------------------------------------------------------------------------------------------------

double DofTechnique::horizontalFov() const {
  if (!input_.scene || size_.y <= 0) return 0;
  const double tangent = std::tan(glm::radians(double(camera_.verticalFovDeg)) / 2);
  return 2 * std::atan(tangent * size_.x / size_.y);
}

Lens DofTechnique::lens() const {
  int width = size_.x;
  if (input_.flat) width = input_.flat->frameWidth;
  if (input_.deep && !input_.deep->displayWindow.empty()) width = input_.deep->displayWindow.width;
  return lensOf(settings_, horizontalFov(), width, autoFocus_);
}

Camera DofTechnique::sceneCamera() const {
  Camera camera = camera_;
  camera.fitDepth(input_.scene->bounds);
  return camera;
}

std::optional<float> DofTechnique::focusAt(int x, int y) const {
  if (!picture_ || !*picture_) return std::nullopt;
  std::vector<float> depths;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int px = std::clamp(x + dx, 0, picture_->width() - 1);
      const int py = std::clamp(y + dy, 0, picture_->height() - 1);
      const float z = picture_->texel(px, py).a;
      depths.push_back(isBackground(z) ? float(kInfinityMm / settings_.mmPerUnit) : z);
    }
  std::nth_element(depths.begin(), depths.begin() + 12, depths.end());
  return depths[12];
}

std::optional<glm::vec3> DofTechnique::pick(int x, int y) {
  if (!input_.scene || !picture_ || x < 0 || y < 0 || x >= size_.x || y >= size_.y)
    return std::nullopt;
  const float z = picture_->texel(x, y).a;
  if (isBackground(z)) return std::nullopt;
  const float tangent = std::tan(glm::radians(camera_.verticalFovDeg) / 2);
  const float aspect = float(size_.x) / float(size_.y);
  const glm::vec4 inView(((float(x) + 0.5f) / float(size_.x) * 2 - 1) * tangent * aspect * z,
                         (1 - (float(y) + 0.5f) / float(size_.y) * 2) * tangent * z, -z, 1);
  return glm::vec3(glm::inverse(camera_.view()) * inView);
}

}  // namespace fathom::dof
