// SPDX-License-Identifier: BSD-3-Clause
// What the engine tells about a picture: the splats that cover a pixel, the legend of an overlay,
// and the facts below the settings.
#pragma once

#include "app/engine/dof/blur.h"
#include "app/engine/inspect.h"

namespace fathom::dof {

class SplatInspector {
 public:
  /// Both must outlive this.
  SplatInspector(const Shot& shot, const Blur& blur) : shot_(shot), blur_(blur) {}
  std::optional<PixelReport> inspect(int x, int y);
  std::optional<glm::vec3> pick(int x, int y);

 private:
  bool inPicture(int x, int y) const;
  const std::vector<Entry>* listAt(const Pipeline& lists, int x, int y);
  std::vector<double> cellWeights(const std::vector<Entry>& entries, glm::ivec2 at,
                                  std::vector<std::string>& cells);

  const Shot& shot_;
  const Blur& blur_;
  // The tile under the cursor, kept while it stays there.
  std::uint64_t generation_ = 0;
  std::uint32_t tile_ = UINT32_MAX;
  std::vector<Entry> list_;
  std::optional<ApertureMap> map_;  // of lens cells
};

/// What the colors of an overlay mean; empty without one.
std::vector<LegendEntry> legendOf(Show show);

/// Read-outs of the lens and statistics of the lists; empty before the first picture.
std::vector<std::pair<std::string, std::string>> factsOf(const Shot& shot, const Blur& blur);

}  // namespace fathom::dof
