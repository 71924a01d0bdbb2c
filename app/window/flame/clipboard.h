// SPDX-License-Identifier: BSD-3-Clause
// Flames and xforms to and from the clipboard, as the XML that other programs exchange.
#pragma once

#include "app/window/flame/editor.h"

namespace fathom::flame {

class XformClipboard {
 public:
  explicit XformClipboard(Editor& editor) : editor_(editor) {}
  void copyFlame();
  /// All that are selected.
  void copyXforms();
  /// A flame takes the place of the one that is shown; xforms are added to it. One step.
  void paste();
  /// Why nothing was pasted, until something is.
  void drawProblem() const;

 private:
  Editor& editor_;
  std::string problem_;
};

}  // namespace fathom::flame
