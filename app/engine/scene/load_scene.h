// SPDX-License-Identifier: BSD-3-Clause
// Scenes by their spec: a built-in scene with parameters, or the path of a file, each with an
// optional part.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/scene/scene.h"

namespace fathom {

/// A built-in scene with the parameters it takes after the colon.
struct SceneInfo {
  std::string name, about, parameters;
};
const std::vector<SceneInfo>& builtInScenes();

/// True for a built-in word (with or without parameters and #PART) or a path with one of
/// sceneEndings() (#PART allowed).
bool isSceneSpec(const std::string& spec);

/// "atrium", "hairball:strands=2000,seed=1", "atrium#interior", "models/chair.obj". The part, if
/// named, is the only one that is kept. Throws Error (unknown parameter or part: the message names
/// those that exist). `share`: of a file, all that is kept; built-in scenes are made whole.
std::shared_ptr<const Scene> loadScene(const std::string& spec, Progress& progress,
                                       std::optional<SceneShare> share = {});

/// Equal for scenes that are the same, wherever they were loaded: the text of a built-in one, a
/// checksum of all that was read from files. The same of all shares of one.
std::string contentOf(const Scene& scene);

/// These endings, and those of scene files: ".obj", ".ply" and those of glTF and STL.
std::vector<std::string> sceneEndings(std::vector<std::string> others = {});

/// Adds a file of one of these endings, with its materials and textures. `part`: the object, group
/// or node to keep; "all" for everything as one part; empty for all of them, each its own part
/// unless there are more than kMaxFileParts (then one part "all"). Missing material or texture
/// files are warnings. Throws Error for anything that is not such a file.
void loadSceneFile(Scene& scene, const fs::path& file, const std::string& part, Progress& progress);
constexpr std::size_t kMaxFileParts = 16;

}  // namespace fathom
