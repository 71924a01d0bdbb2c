// SPDX-License-Identifier: BSD-3-Clause
// What it is called, and the functions and tables that make it up.
#include "app/engine/deep/entry.h"

#include "app/engine/deep/engine.h"

namespace fathom::deep {

namespace {

/// All settings as the engine begins with them.
Describe settings() {
  return [settings = std::make_shared<Settings>(Settings{.layout = Layout::Auto})](
             FieldVisitor& field) { describe(*settings, field); };
}

}  // namespace

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{{"deep",
                                     "Deep images",
                                     "Capture scenes or load deep EXRs, merge them on the GPU, "
                                     "composite, inspect every fragment.",
                                     "Archer, Leach, van Schyndel, \"GPU based techniques for deep "
                                     "image merging\", Computational "
                                     "Visual Media 4(3), 2018",
                                     {".exr", ".obj"}},
                                    accepts,
                                    read,
                                    settings,
                                    makeEngine<DeepEngine>};
  return entry;
}

}  // namespace fathom::deep
