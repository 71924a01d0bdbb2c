// SPDX-License-Identifier: BSD-3-Clause
// Writes the corpus of the model reader: make_smoe_seeds tests/fuzz/corpus/smoe. One tiny file per
// form, encoding and number of dimensions that the reader tells apart.
#include "app/engine/io/atomic_file.h"
#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/file_format.h"
#include "tests/smoe/models.h"

namespace fathom::smoe {
namespace {

/// The state of a fit that descends, or of its mixture.
Checkpoint checkpointOf(const Model& model, FitSnapshot::Stage stage) {
  Checkpoint checkpoint;
  FitSnapshot& fit = checkpoint.fit;
  fit.model = model;
  fit.stage = stage;
  fit.curve = {{0, 0.5, 20, "start"}, {20, 1.5, 24, "adam"}};
  fit.device = "a device";
  if (stage == FitSnapshot::Stage::Descent) {
    fit.components = fit.best = model.components;
    fit.adam.moments.resize(model.components.size() * (model.dims > 2 ? 16 : 8), glm::vec4(0.25f));
  } else {
    fit.mixture = randomMixture(1, model.dims, int(model.components.size()), {16, 12});
  }
  return checkpoint;
}

void writeSeed(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  const std::vector<std::byte> bytes = checkpointBytes(checkpoint, file.string());
  writeFile(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace
}  // namespace fathom::smoe

int main(int count, char** arguments) {
  using namespace fathom;
  using namespace fathom::smoe;
  if (count != 2) {
    std::fputs("usage: make_smoe_seeds FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  constexpr glm::ivec2 size{16, 12};
  for (const int dims : {2, 3, 4}) {
    const Model model = randomModel(std::uint64_t(dims), dims, 2, size);
    writeFile(folder / fmt::format("record-{}.smoe", dims), fileOf(model));
    writeFile(folder / fmt::format("quantized-{}.smoe", dims), fileOf(model, 5 + 3 * dims));
    writeSeed(
        folder / fmt::format("checkpoint-{}.smoe", dims),
        checkpointOf(model, dims == 3 ? FitSnapshot::Stage::Mixture : FitSnapshot::Stage::Descent));
    const EncodedModel packed = encode(model, smoe::Encoding::Packed);
    writeFile(folder / fmt::format("packed-{}.smoe", dims), packed.bytes);
    const std::vector<Gaussian> mixture = randomMixture(std::uint64_t(dims), dims, 2, size);
    const char* covariance = dims == 2 ? "full" : dims == 3 ? "upper" : "selection";
    writeFile(folder / fmt::format("{}-{}.smoe", covariance, dims),
              mixtureFile(mixture, dims, size, covariance, dims == 3 ? "f64" : "f32"));
  }
  Model model = randomModel(1, 2, 2, size);
  model.alpha = std::make_shared<const Model>(asGray(randomModel(2, 2, 2, size)));
  for (const smoe::Encoding encoding :
       {smoe::Encoding::F32, smoe::Encoding::Compact, smoe::Encoding::Packed})
    writeFile(folder / fmt::format("alpha-{}.smoe", encodingName(encoding)),
              encode(model, encoding).bytes);
  writeSeed(folder / "alpha-checkpoint.smoe", checkpointOf(model, FitSnapshot::Stage::Descent));
  Checkpoint ofAlpha = checkpointOf(*model.alpha, FitSnapshot::Stage::Descent);
  ofAlpha.whole = FitRequest{};
  writeSeed(folder / "checkpoint-alpha.smoe", ofAlpha);
  return 0;
}
