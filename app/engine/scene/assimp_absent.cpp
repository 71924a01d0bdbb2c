// SPDX-License-Identifier: BSD-3-Clause
// Stands in for assimp.cpp where the program is built without assimp.
#include "app/engine/scene/scene_builder.h"

namespace fathom {

void readModel(Scene&, const std::filesystem::path& file, const std::string&, Progress&) {
  throw NotBuiltError(
      file.string() +
      ": expected a program with assimp (libassimp-dev), this one was built without");
}

}  // namespace fathom
