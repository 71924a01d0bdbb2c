// SPDX-License-Identifier: BSD-3-Clause
// What it is called, and the functions and tables that make it up.
#include "app/engine/dof/entry.h"

#include "app/engine/dof/engine.h"

namespace fathom::dof {

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"dof",
       "Depth of field",
       "Blur scenes, deep EXRs and pictures with depth as a lens does, by tiled splatting.",
       "Lier, Franke, Stamminger, Selgrad, \"A Case Study in Implementation-Space Exploration\", "
       "ELS 2016; Selgrad et al., \"Tiled Depth of Field Splatting\", Eurographics 2016",
       {".exr", ".obj", ".png"}},
      accepts,
      read,
      defaultSettings<Settings>,
      makeEngine<DofEngine>};
  return entry;
}

}  // namespace fathom::dof
