// SPDX-License-Identifier: BSD-3-Clause
// Depth of field as window, command line, Python and laboratory see it: a scene, a deep EXR or a
// picture with depth, blurred by tiled splatting or by one of the operators to compare with. Blur
// does the work (blur.h); the engine brings it together with the inputs and what is asked of them.
#pragma once

#include "app/engine/dof/blur.h"
#include "app/engine/engine.h"
#include "app/engine/inspect.h"

namespace fathom::dof {

class DofEngine : public Engine {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return shot_.input.names; }
  void setSize(int width, int height) override;
  Camera* camera() override { return shot_.input.scene ? &shot_.camera : nullptr; }
  fathom::Frame frame() const override;
  bool stale() const override { return blur_.stale() || shot_.filesChanged(); }
  void restart() override { blur_.restart(); }
  Image reference() const override { return blur_.reference(); }
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::optional<glm::vec3> pick(int x, int y) override;
  std::vector<LegendEntry> legend() const override;

  Settings& settingsStruct() { return shot_.settings; }
  Shot& shot() { return shot_; }
  const Shot& shot() const { return shot_; }
  Blur& blur() { return blur_; }
  const Blur& blur() const { return blur_; }

 private:
  bool work(gpu::Context& gpu, double budgetMs) override;
  bool inPicture(int x, int y) const;
  const std::vector<Entry>* listAt(const Pipeline& lists, int x, int y);
  std::vector<double> cellWeights(const std::vector<Entry>& entries, glm::ivec2 at,
                                  std::vector<std::string>& cells);

  Shot shot_;
  Blur blur_{shot_};
  struct Inspected {
    std::uint64_t generation = 0;
    std::uint32_t tile = UINT32_MAX;
    std::vector<Entry> list;
    std::optional<ApertureMap> map;  // of lens cells
  };
  Inspected inspected_;  // the tile under the cursor, kept while it stays there
};

/// All the work of a picture at once, which can be stopped soon all the same: calls `betweenSlices`
/// several times a second; what it throws ends the work. Renderers that work on the processor take
/// seconds for some dispatches: those are left in their middle for it.
void makeWholePicture(gpu::Context& gpu, DofEngine& technique,
                      const std::function<void()>& betweenSlices);

/// Depth of field for the registry.
const TechniqueEntry& entry();

}  // namespace fathom::dof
