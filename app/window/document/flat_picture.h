// SPDX-License-Identifier: BSD-3-Clause
// A picture file shown as it is: EXR, PNG, PPM, JPEG or Radiance HDR. It stands before the
// techniques of the registry, so that a picture opens as a picture; what can be made of it is one
// click away.
#pragma once

#include "app/engine/engine.h"

namespace fathom::viewer {

class FlatPicture : public Engine {
 public:
  void describe(FieldVisitor&) override {}
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return inputs_; }
  void setSize(int, int) override {}
  glm::ivec2 size() const override { return {image_.width, image_.height}; }
  glm::ivec2 origin() const override { return origin_; }
  float pixelAspect() const override { return pixelAspect_; }
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  const gpu::Texture& result() const override { return texture_; }
  Image reference() const override { return image_; }
  std::vector<std::pair<std::string, std::string>> facts() const override { return facts_; }

 private:
  std::vector<std::string> inputs_;
  Image image_;  // linear Rec. 709, premultiplied
  glm::ivec2 origin_{0};
  float pixelAspect_ = 1;
  std::vector<std::pair<std::string, std::string>> facts_;
  gpu::Texture texture_;
};

inline constexpr const char* kFlatPicture = "picture";
const TechniqueEntry& flatPictureEntry();

/// What the window can show: pictures, then the techniques of the registry.
const std::vector<TechniqueEntry>& windowTechniques();

}  // namespace fathom::viewer
