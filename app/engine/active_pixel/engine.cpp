// SPDX-License-Identifier: BSD-3-Clause
// How the engine of active pixels hands on what window and commands ask, and what it is called.
#include "app/engine/active_pixel/engine.h"
#include "app/engine/scene/load_scene.h"

namespace fathom::active_pixel {

void ActivePixelEngine::describe(FieldVisitor& field) {
  active_pixel::describe(view_.settings, field);
}

void ActivePixelEngine::adopt(std::unique_ptr<LoadedInputs> inputs) {
  view_.open(std::move(ownInputs<Input>(*inputs)));
}

void ActivePixelEngine::setSize(int width, int height) {
  if (!view_.input.file) view_.size = {width, height};  // files have their own
}

fathom::Frame ActivePixelEngine::frame() const {
  const gpu::Texture& shown = composite_.result();
  return {.picture = shown ? &shown : nullptr, .size = view_.size};
}

std::vector<std::pair<std::string, std::string>> ActivePixelEngine::chosen() const {
  if (!view_.input.source || composite_.ranks().empty()) return {};
  const CompressionConfig& used = composite_.compression();
  return {{"mode", kModeNames[int(used.mode)]},
          {"method", used.method == Method::Fused ? "fused" : "five-step"}};
}

std::vector<std::pair<std::string, std::string>> ActivePixelEngine::facts() const {
  return factsOf(view_, composite_);
}

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"active-pixel", "Active pixels",
       "Draw parts of a scene, compress them on the GPU, composite them as a cluster does.",
       "Lipinski, Moreland, Papka, Marrinan, \"GPU-based Image Compression for Efficient "
       "Compositing in Distributed Rendering Applications\", LDAV 2021",
       sceneEndings({".icet"})},
      accepts,
      read,
      defaultSettings<Settings>,
      makeEngine<ActivePixelEngine>};
  return entry;
}

}  // namespace fathom::active_pixel
