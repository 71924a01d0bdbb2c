// SPDX-License-Identifier: BSD-3-Clause
// Active pixels: a scene dealt out to parts inside one process, each drawn and compressed,
// composited as ranks would be; or a compressed image from a file. The work is that of
// LocalComposite, what is reported about it stands in inspector.h.
#pragma once

#include "app/engine/active_pixel/inspector.h"
#include "app/engine/active_pixel/local_composite.h"
#include "app/engine/engine.h"

namespace fathom::active_pixel {

class ActivePixelEngine : public Engine {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return view_.input.names; }
  void setSize(int width, int height) override;
  Camera* camera() override { return view_.input.source ? &view_.camera : nullptr; }
  fathom::Frame frame() const override;
  bool stale() const override { return composite_.stale(); }
  void restart() override { composite_.restart(); }
  Image reference() const override { return composite_.reference(); }
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::optional<PixelReport> inspect(int x, int y) override {
    return inspectPixel(view_, composite_, {x, y});
  }
  std::optional<glm::vec3> pick(int x, int y) override {
    return surfaceUnder(view_, composite_, {x, y});
  }
  std::vector<LegendEntry> legend() const override { return legendOf(view_, composite_); }

  // For window, commands and tests.
  Settings& settingsStruct() { return view_.settings; }
  const View& view() const { return view_; }
  const LocalComposite& composite() const { return composite_; }
  LocalComposite& composite() { return composite_; }

 private:
  bool work(gpu::Context& gpu, double budgetMs) override { return composite_.run(gpu, budgetMs); }

  View view_;
  LocalComposite composite_{view_};
};

/// What it is called, and the functions and tables that make it up.
const TechniqueEntry& entry();

}  // namespace fathom::active_pixel
