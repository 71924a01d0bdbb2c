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
  Frame frame() const override {
    return {.picture = texture_ ? &texture_ : nullptr,
            .size = {image_.width, image_.height},
            .origin = origin_,
            .pixelAspect = pixelAspect_};
  }
  bool stale() const override { return false; }  // nothing of it can be changed
  void restart() override {}
  Image reference() const override { return image_; }
  std::vector<std::pair<std::string, std::string>> facts() const override { return facts_; }

 private:
  bool work(gpu::Context& gpu, double budgetMs) override;

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
