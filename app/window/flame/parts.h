// SPDX-License-Identifier: BSD-3-Clause
// What the window adds to an engine of flames: pages, the timeline, the mouse over the picture,
// films that play, thumbnails and export.
#pragma once

#include "app/engine/flame/engine.h"
#include "app/engine/flame/export_queue.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/film.h"
#include "app/window/flame/pages.h"
#include "app/window/flame/thumbnails.h"
#include "app/window/flame/triangle_tool.h"
#include "app/window/parts.h"

namespace fathom::flame {

class FlameWindowParts : public WindowParts,
                         public Panels,
                         public PictureTools,
                         public Background,
                         public Exporting {
 public:
  /// The engine stays the caller's and outlives this.
  explicit FlameWindowParts(FlameEngine& engine);
  ~FlameWindowParts() override;
  FlameWindowParts(const FlameWindowParts&) = delete;

  Editor& editor() { return editor_; }
  Transport& transport() { return transport_; }
  const FilmPreview& preview() const { return preview_; }

  void adopted(const std::vector<std::string>& before) override;
  void advance() override;
  bool keepsEdits(const std::vector<std::string>& inputs) const override;
  std::optional<Engine::Working> working() override;

  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  std::optional<TechniqueStrip> strip() const override;
  void drawStrip() override;

  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<Shortcut> actions() override;

  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;

  bool hasFilm() const override { return engine_.timeline().moves(); }
  glm::ivec2 size() const override;
  double samples() const override;
  /// A film of curves keeps its own.
  bool sizeIsFixed(const ExportChoice& choice) const override;
  std::string memory(const ExportChoice& choice) const override;
  std::string firstFile(const ExportChoice& choice) const override;
  void start(const ExportChoice& choice) override;
  void cancel() override { exports_.cancel(); }
  std::string file() const override { return exports_.file(); }
  bool goesOn() const override { return exports_.isKept(); }
  std::optional<ExportEnd> takeEnd() override { return exports_.takeEnd(); }

 private:
  std::optional<const gpu::Texture*> frameOfFilm(gpu::Context& gpu);
  void changeGenome(const std::function<void(Genome&)>& change);
  std::vector<Shortcut> xformActions();
  std::vector<Shortcut> filmActions();

  FlameEngine& engine_;
  Editor editor_;
  Transport transport_;
  FilmPreview preview_;
  Ruler ruler_;
  TimelineView view_{editor_, transport_, ruler_, preview_, engine_.drawing()};
  TriangleTool tool_{editor_};
  XformClipboard clipboard_{editor_};
  Thumbnails thumbnails_;
  Favorites favorites_;
  ExportQueue exports_{exportFolder()};
  std::uint64_t adoptions_ = 0;  // of the engine, that these parts have seen
};

}  // namespace fathom::flame
