// SPDX-License-Identifier: BSD-3-Clause
// What the window shows of flames besides the picture: the tool over it, thumbnails, the
// ruler of the timeline, and the facets that put them there.
#pragma once

#include "app/window/flame/panels.h"
#include "app/window/flame/picture_tools.h"

#include <functional>

namespace fathom::flame {

struct EditorWidgets {
  /// All stay the caller's.
  EditorWidgets(Editor& editor, Transport& transport, const FilmPreview& preview,
                const Settings& settings, std::function<const Rendering*()> rendering)
      : tool(editor),
        panels({editor, transport, ruler, preview, settings}, tool, thumbnails, exports,
               std::move(rendering)),
        tools(editor, tool, transport) {}
  EditorWidgets(const EditorWidgets&) = delete;

  /// Other genomes are open now.
  void reset(const Timeline& timeline) {
    tool.reset();
    thumbnails.reset();
    panels.reset();
    ruler.fit(timeline.firstTime(), timeline.lastTime());
  }

  TriangleTool tool;
  Thumbnails thumbnails;
  ExportJob exports;
  Ruler ruler;
  FlamePanels panels;
  FlameTools tools;
};

}  // namespace fathom::flame
