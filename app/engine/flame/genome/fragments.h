// SPDX-License-Identifier: BSD-3-Clause
// Flames and single xforms as text for the clipboard, in the XML that forums, Apophysis and
// JWildfire exchange.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

/// The <xform> elements of these xforms; index xforms.size() is the final one. Without chaos, which
/// names xforms that the text does not hold.
std::string xformsXml(const Genome& genome, std::span<const std::size_t> indices);

/// What a text holds: flames, or xforms alone.
struct Fragment {
  std::vector<Genome> flames;
  std::vector<Xform> xforms;
  std::optional<Xform> finalXform;
};

/// Xforms alone are read as `dialectOf` would have written them. Throws Error: "clipboard: expected
/// ..., found ...".
Fragment parseFragment(const std::string& text, const Genome& dialectOf);

}  // namespace fathom::flame
