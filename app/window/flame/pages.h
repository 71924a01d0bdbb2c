// SPDX-License-Identifier: BSD-3-Clause
// The pages and the timeline of flames in the window: free functions over what they show. They read
// the genome from the editor and give back a changed one; nothing of the interface library appears
// here.
#pragma once

#include "app/engine/flame/render/rendering.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/film.h"
#include "app/window/flame/thumbnails.h"
#include "app/window/flame/triangle_tool.h"
#include "app/window/parts.h"

namespace fathom::flame {

/// Flames and xforms to and from the clipboard, as the XML that other programs exchange.
class XformClipboard {
 public:
  explicit XformClipboard(Editor& editor) : editor_(editor) {}
  void copyFlame();
  /// All that are selected.
  void copyXforms();
  /// A flame takes the place of the one that is shown; xforms are added to it. One step.
  void paste();
  /// Why nothing was pasted, until something is.
  void drawProblem() const;

 private:
  Editor& editor_;
  std::string problem_;
};

void drawXformPage(Editor& editor, TriangleTool& tool, XformClipboard& clipboard);
void drawImagePage(Editor& editor, const Rendering* rendering);  // null: nothing is drawn yet
void drawPalettePage(Editor& editor);
void drawThumbnailPage(Editor& editor, Thumbnails& thumbnails, Favorites& favorites);

/// What the timeline shows and moves.
struct TimelineView {
  Editor& editor;
  Transport& transport;
  Ruler& ruler;
  const FilmPreview& preview;
  const Settings& settings;
  const Timeline& timeline() const { return editor.timeline(); }
};
void drawTimeline(const TimelineView& view);

}  // namespace fathom::flame
