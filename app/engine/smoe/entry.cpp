// SPDX-License-Identifier: BSD-3-Clause
// What it is called, and the functions and tables that make it up.
#include "app/engine/smoe/entry.h"

#include "app/engine/smoe/engine.h"

namespace fathom::smoe {

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"smoe",
       "SMoE",
       "Steered mixtures of experts: pictures and light fields as a few thousand components, "
       "decoded with a bound on the error, and fitted to your own.",
       "Avramelos et al., \"Highly Parallel Steered Mixture-of-Experts Rendering at Pixel-Level "
       "for "
       "Image and Light Field Data\"",
       {".smoe", ".png", ".exr", ".ppm", ".pgm", ".jpg", ".jpeg", ".webp", ".tif", ".tiff",
        ".hdr"}},
      accepts,
      read,
      defaultSettings<Settings>,
      makeEngine<SmoeEngine>};
  return entry;
}

}  // namespace fathom::smoe
