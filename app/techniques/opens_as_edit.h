// SPDX-License-Identifier: BSD-3-Clause
// For engines in which opening some files edits what is open (a palette dropped on a flame): an
// engine that is also OpensAsEdit says which, and the window does not ask about unsaved edits.
#pragma once

#include <string>
#include <vector>

namespace fathom {

class OpensAsEdit {
 public:
  virtual ~OpensAsEdit() = default;
  /// Opening these now would lose no edit.
  virtual bool keepsEdits(const std::vector<std::string>& inputs) const = 0;
};

}  // namespace fathom
