// SPDX-License-Identifier: BSD-3-Clause
// The table of what a profile may say, with the ranges that are accepted.
#include "app/engine/flame/cuburn/profile.h"

#include "app/engine/flame/cuburn/fields.h"
#include "app/engine/flame/genome/io.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame::cuburn {
namespace {

using Kind = JsonTree::Kind;

constexpr int kMaxFrames = 1000000;

int wholeAt(const Document& document, const std::string& path, int fallback, int low, int high) {
  const double value = document.number(path, fallback, low, high);
  if (value != std::trunc(value)) document.place(path).fail("a whole number", textOf(value));
  return int(value);
}

/// Of cuburn's filters Fathom draws density estimation, logscale and colorclip, in this order.
void readFilterOrder(const Document& document, FilmProfile& profile) {
  const JsonTree* order = document.find("filter_order");
  if (!order) return;
  const Place place = document.place("filter_order");
  if (!order->is(Kind::List)) place.fail("names of filters", order->shown());
  profile.estimates = false;
  for (const JsonTree& name : order->items) {
    if (!name.is(Kind::Text)) place.fail("names of filters", order->shown());
    if (name.text == "de" || name.text == "bilateral") profile.estimates = true;
    if (!hasFilter(name.text)) profile.missingFilters.insert(name.text);
  }
}

void readFactors(const Document& document, FilmProfile& profile) {
  const std::string prefix = "filters.";
  for (auto at = document.fields.lower_bound(prefix);
       at != document.fields.end() && at->first.compare(0, prefix.size(), prefix) == 0; ++at) {
    const std::string& path = at->first;
    if (fieldKind(path))
      profile.factors[path] = document.number(path, 1);
    else
      profile.missingFilters.insert(
          path.substr(prefix.size(), path.find('.', prefix.size()) - prefix.size()));
  }
}

}  // namespace

int FilmProfile::frameCount(double turns, const std::string& film) const {
  const double frames = std::round(framesPerSecond * secondsPerTurn * turns);
  if (frames > kMaxFrames)
    fail("{}: expected at most {} frames (fps * duration * turns), found {}", film, kMaxFrames,
         frames);
  return std::max(1, int(frames));
}

double FilmProfile::factorOf(const std::string& path) const {
  const auto at = factors.find(path);
  return at == factors.end() ? 1 : at->second;
}

bool isProfile(const std::filesystem::path& file) {
  return looksLikeDocument(file) && readDocument(file).type == DocumentType::Profile;
}

FilmProfile readProfile(const std::filesystem::path& file) {
  const Document document = readDocument(file);
  if (document.type != DocumentType::Profile)
    document.place("type").fail("\"profile\"", document.find("type")->shown());
  FilmProfile profile;
  profile.width = wholeAt(document, "width", profile.width, 1, kMaxSide);
  profile.height = wholeAt(document, "height", profile.height, 1, kMaxSide);
  profile.framesPerSecond = document.number("fps", profile.framesPerSecond, 1e-3, 1e4);
  profile.secondsPerTurn = document.number("duration", profile.secondsPerTurn, 1e-3, 1e6);
  profile.frameWidth = document.number("frame_width", profile.frameWidth, 0, 1e4);
  profile.samplesPerPixel = document.number("spp", profile.samplesPerPixel, 1e-3, 1e9);
  profile.start = wholeAt(document, "start", profile.start, 0, kMaxFrames);
  profile.end = wholeAt(document, "end", profile.end, -kMaxFrames, kMaxFrames);
  profile.skip = wholeAt(document, "skip", profile.skip, 0, kMaxFrames);
  readFilterOrder(document, profile);
  readFactors(document, profile);
  return profile;
}

}  // namespace fathom::flame::cuburn
