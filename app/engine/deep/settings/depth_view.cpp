// SPDX-License-Identifier: BSD-3-Clause
// The depth view as settings, and regions as text.
#include "app/engine/deep/settings/depth_view.h"

#include <cstdio>

#include <fmt/format.h>

namespace fathom::deep {

Rect parseRegion(const std::string& text, int width, int height) {
  const Rect all{0, 0, width, height};
  if (text.empty()) return all;
  Rect region;
  int used = 0;
  const int read = std::sscanf(text.c_str(), "%d,%d,%d,%d%n", &region.x, &region.y, &region.width,
                               &region.height, &used);
  if (read != 4 || std::size_t(used) != text.size() || region.width < 1 || region.height < 1)
    throw UsageError("region: expected X,Y,WIDTH,HEIGHT, found \"" + text + "\"");
  region = intersect(region, all);
  return region.empty() ? all : region;  // it was meant for another picture
}

std::string textOf(const Rect& region) {
  return fmt::format("{},{},{},{}", region.x, region.y, region.width, region.height);
}

void describe(DepthView& s, FieldVisitor& field, bool points) {
  const char* const kOnlyPoints = "only points are drawn with it";
  const auto isRange = [](const std::string& t) -> std::string {
    try {
      parseZRange("peel", t);
      return {};
    } catch (const UsageError&) {
      return "NEAR:FAR";
    }
  };
  const auto isRegion = [](const std::string& t) -> std::string {
    try {
      parseRegion(t, 1, 1);
      return {};
    } catch (const UsageError&) {
      return "X,Y,WIDTH,HEIGHT";
    }
  };
  field(s.peel, text("peel",
                     "Only fragments whose Z lies in NEAR:FAR are composited or drawn; "
                     "either end may be left out.")
                    .under(Section::Picture)
                    .ofInputs()
                    .editedOn("depth")
                    .checked(isRange));
  field(s.peelNumber, range("peel-number", 0, 512,
                            "Above 0: only the fragment with this number, counted from the front "
                            "within the peeled range, is composited.")
                          .under(Section::Picture)
                          .ofInputs()
                          .editedOn("depth")
                          .onlyIf(!points, "points have no number"));
  field(s.region,
        text("region", "The part of the picture whose fragments are points: X,Y,WIDTH,HEIGHT.")
            .under(Section::Picture)
            .ofInputs()
            .editedOn("depth")
            .checked(isRegion)
            .onlyIf(points, kOnlyPoints));
  field(s.pointColor,
        choice("point-color", {"color", "alpha", "input", "depth"}, "What colors a point.")
            .under(Section::Picture)
            .editedOn("depth")
            .explain({"the fragment's color, alpha divided out", "its alpha", "where it came from",
                      "its Z within what is shown"})
            .onlyIf(points, kOnlyPoints));
  field(s.pointSize, range("point-size", 1.0f, 16.0f, "Side of a point.")
                         .under(Section::Picture)
                         .editedOn("depth")
                         .in("px")
                         .log()
                         .onlyIf(points, kOnlyPoints));
  field(s.pointAlpha, toggle("point-alpha", "Of the points with some alpha, that share is drawn.")
                          .under(Section::Picture)
                          .editedOn("depth")
                          .onlyIf(points, kOnlyPoints));
  field(s.pointDepth, range("point-depth", 0.05f, 20.0f, "Depth of the box over its width.")
                          .under(Section::Picture)
                          .editedOn("depth")
                          .log()
                          .onlyIf(points, kOnlyPoints));
  field(s.pointLimit, range("point-limit", 1000, 20000000,
                            "Points at most; more fragments are thinned out evenly.")
                          .under(Section::Limits)
                          .label("Max. points")
                          .onlyIf(points, kOnlyPoints));
}

}  // namespace fathom::deep
