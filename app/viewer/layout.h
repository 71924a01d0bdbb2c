// SPDX-License-Identifier: BSD-3-Clause
// Where the parts of the window lie: top bar, picture, a strip of the technique below it, settings
// at the right, strip at the bottom, status line. Computed from the window's size; nothing
// overlaps.
#pragma once

#include "app/core/fields.h"
#include "app/viewer/picture_view.h"

#include <string>

namespace fathom::viewer {

struct PanelLayout {
  enum class Tab { Inspector, Timings, Memory, Compare };
  enum class Strip { Auto, Shown, Hidden };  // Auto: where the technique has use for it
  bool side = true;                          // settings
  bool bottom = true;                        // strip with tabs
  Tab tab = Tab::Inspector;
  Strip strip = Strip::Auto;  // of the technique, right below the picture
  std::string page;           // of the technique, in front of the strip's tabs; empty: `tab`
  std::string sidePage;       // of the technique; empty: its first; "settings": the settings
  float sideWidth = 330;      // in the design's units
  float bottomHeight = 212;

  void showTab(Tab wanted) { bottom = true, tab = wanted, page.clear(); }
  void showPage(const std::string& name) { bottom = true, page = name; }
};
void describe(PanelLayout& layout, FieldVisitor& field);

struct Areas {
  Area top, picture, strip, side, bottom, status;
};
/// `scale`: window pixels per unit of the design. Panels shrink so that the picture keeps a third
/// of a small window. `strip`: height of the technique's strip in units; 0: none.
Areas arrange(const PanelLayout& layout, float width, float height, float scale, float strip = 0);

}  // namespace fathom::viewer
