// SPDX-License-Identifier: BSD-3-Clause
// Profiles of cuburn: how a film is drawn - size, frames, samples - and factors to what its genomes
// say. Without one, the defaults are cuburn's.
#pragma once

#include "app/engine/flame/cuburn/document.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace fathom::flame::cuburn {

struct FilmProfile {
  int width = 1280, height = 720;
  double framesPerSecond = 24;
  double secondsPerTurn = 30;
  double frameWidth = 1;             // factor to time.frame_width: how long the shutter is open
  double samplesPerPixel = 2000;     // factor to camera.spp
  int start = 0, end = 0, skip = 0;  // frames [start, end), `skip` left out after each; end
                                     // 0: all, negative: counted from the last one
  std::map<std::string, double> factors;  // to fields such as "filters.de.radius"
  bool estimates = true;                  // filter_order has a filter that smooths sparse places
  std::set<std::string> missingFilters;

  /// Frames of a film that lasts `turns`, at least 1. Throws Error, naming it, beyond 10^6.
  int frameCount(double turns, const std::string& film) const;
  double factorOf(const std::string& path) const;
};

/// True for a document whose type is "profile". Throws Error when it is a damaged one.
bool isProfile(const std::filesystem::path& file);
/// Throws Error (file, field, expected, found).
FilmProfile readProfile(const std::filesystem::path& file);

}  // namespace fathom::flame::cuburn
