// SPDX-License-Identifier: BSD-3-Clause
// Scenes and folders are only opened here: shares are taken out of them later, one for each rank.
#include "app/engine/active_pixel/view.h"

#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"

namespace fathom::active_pixel {
namespace {

constexpr glm::ivec2 kSceneSize{1280, 720};  // until the window or --size says otherwise

}  // namespace

bool accepts(const std::vector<std::string>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const std::string& input) {
    return acceptsInput(input) || isIcetFile(input);
  });
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.size() != 1)
    throw UsageError(fmt::format(
        "active-pixel: expected one scene, folder of OBJ files or .icet file, found {} inputs",
        inputs.size()));
  auto input = std::make_unique<Input>();
  input->names = inputs;
  if (isIcetFile(inputs[0])) {
    input->file = std::make_shared<const SparseImage>(readIcet(inputs[0]));
    const auto& words = input->file->words;
    input->facts = reference::check(words, compositingOf(words), inputs[0]);
  } else {
    input->source = openInput(inputs[0], progress);
  }
  return input;
}

void View::open(Input next) {
  input = std::move(next);
  ++inputCount;
  if (input.file) {
    size = {input.facts.width, input.facts.height};
  } else {
    camera = input.source->whole().camera;
    if (size.x <= 0) size = kSceneSize;
  }
}

Compositing View::compositing() const {
  return input.file ? input.facts.format.compositing : frameFormat(settings).compositing;
}

RankView View::rankView() const {
  return {camera, size, frameFormat(settings), settings.show == Show::Parts};
}

}  // namespace fathom::active_pixel
