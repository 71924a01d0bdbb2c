// SPDX-License-Identifier: BSD-3-Clause
// Where the parts of the window lie: top bar, toolbar over the picture, picture, a strip of the
// technique below it, settings at the right, strip at the bottom, status line. Computed from the
// window's size; nothing overlaps.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom::viewer {

/// A rectangle of the window, in framebuffer pixels, y downward.
struct Area {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(glm::vec2 p) const {
    return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height;
  }
  glm::vec2 center() const { return {x + width / 2, y + height / 2}; }
  bool operator==(const Area&) const = default;
};

struct PanelLayout {
  enum class Tab { Inspector, Timings, Memory, Compare, Histogram, Files };
  inline static const std::vector<std::string> tabNames{
      // by Tab, in sessions and --open-panel
      "inspector", "timings", "memory", "compare", "histogram", "files"};
  enum class Strip { Auto, Shown, Hidden };  // Auto: where the technique has use for it
  bool side = true;                          // settings
  bool bottom = false;                       // strip with tabs; the status line opens it
  Strip strip = Strip::Auto;                 // of the technique, right below the picture
  std::string sidePage;   // of the technique; empty: its first; "settings": the settings
  float sideWidth = 330;  // in units of the design
  float bottomHeight = 230;
  float scale = 0;                   // of the controls; 0: the monitor's
  std::string closed = "algorithm";  // sections of the settings that are closed, by commas
  int listen = 0;                    // port where renderers may send images; 0: none

  /// What is in front in the strip at the bottom: a page of the technique where it has one of this
  /// name (Workspace::frontPage), else the tab, which stays for techniques without that page.
  Tab tab() const { return tab_; }
  const std::string& page() const { return page_; }
  void showTab(Tab tab) { bottom = true, tab_ = tab, page_.clear(); }
  void showPage(const std::string& name) { bottom = true, page_ = name; }

 private:
  friend void describe(PanelLayout& layout, FieldVisitor& field);
  Tab tab_ = Tab::Inspector;
  std::string page_;
};
void describe(PanelLayout& layout, FieldVisitor& field);
bool isOpen(const PanelLayout& layout, Section section);
void setOpen(PanelLayout& layout, Section section, bool open);

struct Areas {
  Area top, toolbar, picture, strip, side, bottom, status;
};
/// `scale`: window pixels per unit of the design. Panels shrink so that the picture keeps a third
/// of a small window. `strip`: height of the technique's strip in units; 0: none.
Areas arrange(const PanelLayout& layout, float width, float height, float scale, float strip = 0);

}  // namespace fathom::viewer
