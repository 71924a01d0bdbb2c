// SPDX-License-Identifier: BSD-3-Clause
// A text setting that is the path of a file:
//
//   field(s.mask, text("mask", "Focus mask.").checked(FilePath{{".png", ".exr"}}));
//
// Any text will do, since whether there is such a file is known when it is read; the window offers
// its file dialog beside it.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom {

struct FilePath {
  std::vector<std::string> endings;  // that the dialog lists: ".png"
  std::string operator()(const std::string&) const { return {}; }
};

/// Null: the text is no path.
inline const FilePath* filePathOf(const TextField& field) {
  return field.complaint.target<FilePath>();
}

}  // namespace fathom
