// SPDX-License-Identifier: BSD-3-Clause
// Sizes of the panels in units of the design, and how they shrink in a small window.
#include "app/window/ui/layout.h"

namespace fathom::viewer {
namespace {
constexpr float kTopHeight = 44, kToolbarHeight = 40, kStatusHeight = 28;
constexpr float kNarrow = 1100;  // below, the strip lies under the settings, too
constexpr float kWide = 1600, kWideSide = 400;

/// "algorithm": what a section is called in a session.
std::string keyOf(Section section) {
  std::string key = titleOf(section);
  key[0] = char(std::tolower(static_cast<unsigned char>(key[0])));
  return key;
}
}  // namespace

void describe(PanelLayout& layout, FieldVisitor& field) {
  field(layout.side, toggle("side", "Settings at the right."));
  field(layout.bottom, toggle("bottom", "Strip with inspector, timings, memory and comparison."));
  field(layout.tab_, choice("tab", PanelLayout::tabNames, "Which page of the strip is in front."));
  field(layout.strip, choice("technique-strip", {"auto", "shown", "hidden"},
                             "The technique's own strip below the image."));
  field(layout.page_, text("page", "The technique's page in front of the strip, if any."));
  field(layout.sidePage, text("side-page", "The technique's page at the right, if any."));
  field(layout.sideWidth, range("side-width", 240.0f, 900.0f, "Width of the settings."));
  field(layout.bottomHeight, range("bottom-height", 120.0f, 900.0f, "Height of the strip."));
  field(layout.scale, range("scale", 0.0f, 3.0f, "Scale of the controls; 0: the monitor's."));
  field(layout.closed, text("closed", "Sections of the settings that are closed."));
  field(layout.listen, range("listen", 0, 65535, "Port where renderers may send images; 0: none."));
}

bool isOpen(const PanelLayout& layout, Section section) {
  return ("," + layout.closed + ",").find("," + keyOf(section) + ",") == std::string::npos;
}

void setOpen(PanelLayout& layout, Section section, bool open) {
  std::string closed;
  for (const Section other :
       {Section::Input, Section::Picture, Section::Algorithm, Section::Limits})
    if (other == section ? !open : !isOpen(layout, other))
      closed += (closed.empty() ? "" : ",") + keyOf(other);
  layout.closed = closed;
}

Areas arrange(const PanelLayout& layout, float width, float height, float scale, float strip) {
  const auto units = [&](float length) { return std::round(length * scale); };
  const float top = units(kTopHeight), status = units(kStatusHeight);
  // As wide as the user has made it, else as the window allows.
  const bool resized = layout.sideWidth != PanelLayout{}.sideWidth;
  const float wanted = resized || width < units(kWide) ? layout.sideWidth : kWideSide;
  const float side = layout.side ? std::min(units(wanted), std::round(width * 0.42f)) : 0;
  const float tools = units(kToolbarHeight);
  const float middle = std::max(height - top - status - tools, 2.0f);
  const float own = std::min(units(strip), std::round(middle * 0.4f));
  const float bottom =
      layout.bottom ? std::min(units(layout.bottomHeight), std::round(middle * 0.65f) - own) : 0;
  Areas areas;
  areas.top = {0, 0, width, top};
  areas.toolbar = {0, top, std::max(width - side, 1.0f), tools};
  areas.picture = {0, top + tools, areas.toolbar.width, std::max(middle - own - bottom, 1.0f)};
  areas.strip = {0, height - status - bottom - own, areas.picture.width, own};
  const bool across = width < units(kNarrow);
  areas.side = {width - side, top, side, middle + tools - (across ? bottom : 0)};
  areas.bottom = {0, height - status - bottom, across ? width : std::max(width - side, 1.0f),
                  bottom};
  areas.status = {0, height - status, width, status};
  return areas;
}

}  // namespace fathom::viewer
