// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a picture: the components under a pixel, the legend of false colors, and the
// facts about model, lists and certificate.
#pragma once

#include "app/engine/inspect.h"
#include "app/engine/smoe/picture.h"

namespace fathom::smoe {

class Inspector {
 public:
  Inspector(const ModelStore& models, const Picture& picture)
      : models_(models), picture_(picture) {}

  /// The list of the pixel's tile, each component with its gate; the largest gate first.
  std::optional<PixelReport> inspect(int x, int y);
  /// One per component of the current model, in the view that is shown; sliced in float64 on the
  /// CPU when somebody looks at them.
  const std::vector<Record>& records();

 private:
  const ModelStore& models_;
  const Picture& picture_;
  std::uint64_t model_ = 0;  // generation and view of the records
  ViewCoordinates at_{0};
  std::vector<Record> records_;
};

/// For Engine::legend(): the colors of show_tiles.comp and output.glsl.
std::vector<LegendEntry> legendOf(const Picture& picture);

/// For Engine::facts().
std::vector<std::pair<std::string, std::string>> factsOf(const Settings& settings,
                                                         const ModelStore& models,
                                                         const Picture& picture);

/// "1.25, -0.5" for light fields, "3.5" for video.
std::string viewLabel(ViewCoordinates at, int leading);

}  // namespace fathom::smoe
