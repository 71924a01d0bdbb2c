// SPDX-License-Identifier: BSD-3-Clause
// A picture file shown as it is: EXR, PNG, PPM, JPEG or Radiance HDR. It stands before the
// techniques of the registry, so that a picture opens as a picture; what can be made of it is one
// click away. So does an image that a renderer sends. "FILE#PART" and "FILE#PART:LAYER" are another
// part of an EXR and one of its layers.
#pragma once

#include "app/engine/engine.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/window/document/sent_images.h"
#include "app/window/parts.h"

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
  /// Nothing of it can be changed, but it may still be sent.
  bool stale() const override { return sent_ && sent_->changed(); }
  void restart() override {}
  Image reference() const override { return image_; }
  std::vector<std::pair<std::string, std::string>> facts() const override { return facts_; }
  /// The display window about the pixels, from their first; empty: it is the same.
  const Rect& display() const { return display_; }

 private:
  bool work(gpu::Context& gpu, double budgetMs) override;

  std::vector<std::string> inputs_;
  Image image_;  // linear Rec. 709, premultiplied
  glm::ivec2 origin_{0};
  Rect display_;
  float pixelAspect_ = 1;
  std::vector<std::pair<std::string, std::string>> facts_;
  gpu::Texture texture_;
  std::shared_ptr<SentImage> sent_;  // null: a file
};

/// Channels of one name before the last point, "diffuse" of "diffuse.R": those without one have the
/// empty name.
struct ExrLayer {
  std::string name;
  std::vector<std::string> channels;  // in the order R, G, B, A, then of the file
};
std::vector<ExrLayer> layersOf(const ExrPartInfo& part);
/// What is shown of it, and as which of red, green, blue and alpha (0..3): the first three channels
/// as color, one as gray, and A as alpha.
std::vector<std::pair<std::string, std::vector<int>>> shownAs(const ExrLayer& layer);

inline constexpr const char* kFlatPicture = "picture";
std::unique_ptr<WindowParts> makeFlatParts(Engine& engine);

/// What the window can show: pictures, then the techniques of the registry.
const std::vector<TechniqueEntry>& windowTechniques();

}  // namespace fathom::viewer
