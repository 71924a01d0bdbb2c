// SPDX-License-Identifier: BSD-3-Clause
// The pages and the timeline of flames in the window: free functions over what they show. They read
// the genome from the editor and give back a changed one; nothing of the interface library appears
// here.
#pragma once

#include "app/engine/flame/render/rendering.h"
#include "app/window/flame/clipboard.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/film.h"
#include "app/window/flame/thumbnails.h"
#include "app/window/flame/triangle_tool.h"
#include "app/window/parts.h"

namespace fathom::flame {

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
