// SPDX-License-Identifier: BSD-3-Clause
// What it is called, and the functions and tables that make it up.
#include "app/engine/active_pixel/entry.h"

#include "app/engine/active_pixel/engine.h"

namespace fathom::active_pixel {

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"active-pixel",
       "Active pixels",
       "Draw parts of a scene, compress them on the GPU, composite them as a cluster does.",
       "Lipinski, Moreland, Papka, Marrinan, \"GPU-based Image Compression for Efficient "
       "Compositing in Distributed Rendering Applications\", LDAV 2021",
       {".obj", ".icet"}},
      accepts,
      read,
      defaultSettings<Settings>,
      makeEngine<ActivePixelEngine>};
  return entry;
}

}  // namespace fathom::active_pixel
