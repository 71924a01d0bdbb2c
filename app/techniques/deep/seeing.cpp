// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/deep/seeing.h"

#include "app/core/deep_image.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fathom::deep {
namespace {

/// One end of a range; empty keeps what it is.
bool parseEnd(const std::string& text, float& end) {
  if (text.empty()) return true;
  char* rest = nullptr;
  const float value = std::strtof(text.c_str(), &rest);
  if (*rest != 0 || std::isnan(value)) return false;
  end = value;
  return true;
}

}  // namespace

ZRange parseZRange(const std::string& setting, const std::string& text) {
  ZRange range;
  if (text.empty()) return range;
  const std::size_t colon = text.find(':');
  const bool valid = colon != std::string::npos && parseEnd(text.substr(0, colon), range.nearest) &&
                     parseEnd(text.substr(colon + 1), range.farthest);
  if (!valid) throw UsageError(setting + ": expected NEAR:FAR, found \"" + text + "\"");
  return range;
}

std::uint32_t zKey(float z) {
  std::uint32_t bits;
  std::memcpy(&bits, &z, sizeof bits);
  return depthKey(bits);
}

float zOfKey(std::uint32_t key) {
  const std::uint32_t bits = key ^ (key >> 31 ? 0x80000000u : 0xFFFFFFFFu);
  float z;
  std::memcpy(&z, &bits, sizeof z);
  return z;
}

std::string textOf(const ZRange& range) {
  if (range.isAll()) return {};
  const auto end = [](float z) { return std::isinf(z) ? std::string() : shortest(z); };
  return end(range.nearest) + ":" + end(range.farthest);
}

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
  return region.empty() ? all : region;  // of another picture: it says nothing about this one
}

std::string textOf(const Rect& region) {
  return fmt::format("{},{},{},{}", region.x, region.y, region.width, region.height);
}

void describe(Seeing& s, FieldVisitor& field, bool points) {
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
                    .checked(isRange));
  field(s.peelNumber, range("peel-number", 0, 512,
                            "Above 0: only the fragment with this number, counted from the front "
                            "within the peeled range, is composited.")
                          .onlyIf(!points, "points have no number"));
  field(s.region,
        text("region", "The part of the picture whose fragments are points: X,Y,WIDTH,HEIGHT.")
            .checked(isRegion)
            .onlyIf(points, kOnlyPoints));
  field(s.pointColor,
        choice("point-color", {"color", "alpha", "input", "depth"}, "What colors a point.")
            .explain({"the fragment's color, alpha divided out", "its alpha", "where it came from",
                      "its Z within what is shown"})
            .onlyIf(points, kOnlyPoints));
  field(s.pointSize, range("point-size", 1.0f, 16.0f, "Side of a point.")
                         .in("px")
                         .log()
                         .onlyIf(points, kOnlyPoints));
  field(s.pointAlpha, toggle("point-alpha", "Of the points with some alpha, that share is drawn.")
                          .onlyIf(points, kOnlyPoints));
  field(s.pointDepth, range("point-depth", 0.05f, 20.0f, "Depth of the box over its width.")
                          .log()
                          .onlyIf(points, kOnlyPoints));
  field(s.pointLimit, range("point-limit", 1000, 20000000,
                            "Points at most; more fragments are thinned out evenly.")
                          .onlyIf(points, kOnlyPoints));
}

}  // namespace fathom::deep
