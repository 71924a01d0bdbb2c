// SPDX-License-Identifier: BSD-3-Clause
// What the window reports about a picture: the components under the cursor, the legend of false
// colors, and the facts about model, lists and certificate.
#pragma once

#include "app/engine/inspect.h"
#include "app/engine/smoe/view_records.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::smoe {

class Inspector {
 public:
  Inspector(const Picture& picture, ViewRecords& records) : picture_(picture), records_(records) {}
  /// The list of the pixel's tile, each component with its gate; the largest gate first.
  std::optional<PixelReport> inspect(int x, int y);

 private:
  const Picture& picture_;
  ViewRecords& records_;
};

/// The colors of show_tiles.comp and output.glsl.
class PictureLegend {
 public:
  explicit PictureLegend(const Picture& picture) : picture_(picture) {}
  std::vector<LegendEntry> entries() const;

 private:
  const Picture& picture_;
};

/// For Engine::facts().
std::vector<std::pair<std::string, std::string>> factsOf(const Settings& settings,
                                                         const ModelStore& models,
                                                         const Picture& picture);

/// "1.25, -0.5" for light fields, "3.5" for video.
std::string viewLabel(ViewCoordinates at, int leading);

}  // namespace fathom::smoe
