// SPDX-License-Identifier: BSD-3-Clause
// The pages and the timeline of flames in the window: free functions over what they show. They read
// the genome from the editor and give back a changed one; nothing of the interface library appears
// here.
#pragma once

#include "app/window/parts.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/favorites.h"
#include "app/window/flame/thumbnails.h"
#include "app/window/flame/triangle_tool.h"
#include "app/engine/flame/film/export_job.h"
#include "app/engine/flame/film/film_preview.h"
#include "app/engine/flame/film/ruler.h"
#include "app/engine/flame/film/transport.h"
#include "app/engine/flame/render/rendering.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::flame {

void drawXformPage(Editor& editor, TriangleTool& tool);          // panel_xforms.cpp
void drawImagePage(Editor& editor, const Rendering* rendering);  // panel_image.cpp
void drawCurves(Genome& genome);                                 // panel_curves.cpp
void drawLayers(Editor& editor);                                 // panel_layers.cpp
void drawPalettePage(Editor& editor);                            // panel_palette.cpp
// panel_thumbnails.cpp
void drawThumbnailPage(Editor& editor, Thumbnails& thumbnails, Favorites& favorites);
/// The variations of an xform: those in use, and a list to add from; true when it was changed.
bool drawVariations(Xform& xform);  // panel_variations.cpp

/// What the timeline shows and moves.
struct TimelineView {
  Editor& editor;
  Transport& transport;
  Ruler& ruler;
  const FilmPreview& preview;
  const Settings& settings;
  const Timeline& timeline() const { return editor.timeline(); }
};
void drawExport(const TimelineView& view, ExportJob& job,
                ExportChoice& choice);             // panel_export.cpp
void drawTimeline(const TimelineView& view);       // panel_timeline.cpp
void drawTimelineMenus(const TimelineView& view);  // panel_timeline_menus.cpp

/// The facet that puts them into the window.
class FlamePanels : public Panels {
 public:
  /// All stay the caller's. `rendering`: null before the first picture.
  FlamePanels(const TimelineView& timeline, TriangleTool& tool, Thumbnails& thumbnails,
              ExportJob& exports, std::function<const Rendering*()> rendering)
      : view_(timeline),
        tool_(tool),
        thumbnails_(thumbnails),
        exports_(exports),
        rendering_(std::move(rendering)) {}
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  std::optional<TechniqueStrip> strip() const override;
  void drawStrip() override;
  /// Other genomes are open now: what is exported is chosen anew.
  void reset() { choice_ = {}; }

 private:
  TimelineView view_;
  TriangleTool& tool_;
  Thumbnails& thumbnails_;
  Favorites favorites_;
  ExportJob& exports_;
  ExportChoice choice_;
  std::function<const Rendering*()> rendering_;
};

}  // namespace fathom::flame
