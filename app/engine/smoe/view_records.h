// SPDX-License-Identifier: BSD-3-Clause
// The records of the view that is shown, sliced in float64 on the CPU when somebody looks at them:
// for the inspector and for ellipses over the picture.
#pragma once

#include "app/window/parts.h"
#include "app/engine/smoe/picture.h"

#include <cstdint>
#include <vector>

namespace fathom::smoe {

class ViewRecords {
 public:
  ViewRecords(const ModelStore& models, const Picture& picture)
      : models_(models), picture_(picture) {}

  /// One per component of the current model.
  const std::vector<Record>& records();
  /// The components' own colors as displayed, half way to white: visible on their own picture.
  const std::vector<OverlayColor>& colors();

 private:
  const ModelStore& models_;
  const Picture& picture_;
  std::uint64_t model_ = 0;  // generation and view of what follows
  ViewCoordinates at_{0};
  std::vector<Record> records_;
  std::vector<OverlayColor> colors_;  // empty: not asked for yet
};

}  // namespace fathom::smoe
