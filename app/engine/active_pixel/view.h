// SPDX-License-Identifier: BSD-3-Clause
// What is shown, and how: the input, the settings and the camera; and reading inputs. Nothing of
// the GPU.
#pragma once

#include "app/engine/active_pixel/distribute/local_ranks.h"
#include "app/engine/active_pixel/image/model.h"
#include "app/engine/active_pixel/settings.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/engine/engine.h"
#include "app/engine/scene/camera.h"

namespace fathom::active_pixel {

/// Either a source of shares or a compressed image.
struct Input : LoadedInputs {
  std::shared_ptr<const ShareSource> source;
  std::shared_ptr<const SparseImage> file;
  SparseFacts facts;  // of the file
};

bool accepts(const std::vector<std::string>& inputs);
/// One scene, folder of OBJ files or .icet file. Throws Error.
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);

struct View {
  Input input;
  std::uint64_t inputCount = 0;  // inputs opened so far: tells two of them apart
  Settings settings;
  Camera camera;       // of a scene
  glm::ivec2 size{0};  // px

  bool empty() const { return !input.source && !input.file; }
  bool turning() const { return settings.turn && input.source; }
  /// Takes a new input: a file's size, a scene's camera.
  void open(Input next);
  /// That of the file, or of the settings.
  Compositing compositing() const;
  /// How shares are drawn. Throws UsageError for settings that do not go together.
  RankView rankView() const;
};

}  // namespace fathom::active_pixel
