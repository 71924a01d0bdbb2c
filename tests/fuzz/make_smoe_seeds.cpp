// SPDX-License-Identifier: BSD-3-Clause
// Writes the corpus of the model reader: make_smoe_seeds tests/fuzz/corpus/smoe. One tiny file per
// form, encoding and number of dimensions that the reader tells apart.
#include "app/io/atomic_file.h"
#include "app/techniques/smoe/model/io.h"
#include "tests/smoe/model/model_files.h"
#include "tests/smoe/model/models.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

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
    const EncodedModel packed = encode(model, Encoding::Packed);
    writeEncoded(folder / fmt::format("packed-{}.smoe", dims), packed);
    const std::vector<Gaussian> mixture = randomMixture(std::uint64_t(dims), dims, 2, size);
    const char* covariance = dims == 2 ? "full" : dims == 3 ? "upper" : "selection";
    writeFile(folder / fmt::format("{}-{}.smoe", covariance, dims),
              mixtureFile(mixture, dims, size, covariance, dims == 3 ? "f64" : "f32"));
  }
  return 0;
}
