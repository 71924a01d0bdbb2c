// SPDX-License-Identifier: BSD-3-Clause
// For engines that write files beside the picture (a film of a flame): an engine that is also
// ExportsBeside says what would be lost if it went, and the window asks before it goes.
#pragma once

#include <string>

namespace fathom {

class ExportsBeside {
 public:
  virtual ~ExportsBeside() = default;
  /// The file that is being written; empty: none.
  virtual std::string exporting() const = 0;
};

}  // namespace fathom
