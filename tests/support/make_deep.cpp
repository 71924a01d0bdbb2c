// SPDX-License-Identifier: BSD-3-Clause
// make_deep OUT.exr WIDTH HEIGHT MEAN SEED [none|rle|zips] [LEVEL] [tiled]: writes a synthetic deep
// EXR, reads it back, checks that it is the same, and prints both times. For comparing with other
// tools.
#include "app/engine/core/error.h"
#include "app/engine/io/exr/deep_exr.h"
#include "tests/support/synthetic_deep.h"

namespace {

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace fathom;
  if (argc < 6)
    throw UsageError("make_deep OUT.exr WIDTH HEIGHT MEAN SEED [none|rle|zips] [LEVEL] [tiled]");
  test::SphereField field;
  field.width = std::atoi(argv[2]);
  field.height = std::atoi(argv[3]);
  field.meanFragments = std::atof(argv[4]);
  field.seed = std::uint32_t(std::atoi(argv[5]));
  DeepWriteOptions options;
  const std::string compression = argc > 6 ? argv[6] : "zips";
  options.compression = compression == "none"  ? DeepCompression::None
                        : compression == "rle" ? DeepCompression::Rle
                                               : DeepCompression::Zips;
  if (argc > 7) options.level = std::atoi(argv[7]);
  options.tiled = argc > 8;

  const DeepImage image = test::sphereField(field);
  const double writeSeconds = seconds([&] { writeDeepExr(argv[1], image, options); });
  DeepImage back;
  const double readSeconds = seconds([&] { back = readDeepExr(argv[1]); });
  std::printf("%s: %zu fragments, %ju bytes, write %.3f s, read %.3f s, %s\n", argv[1],
              image.fragmentCount(), std::uintmax_t(std::filesystem::file_size(argv[1])),
              writeSeconds, readSeconds, sameFragments(image, back) ? "equal" : "DIFFERENT");
  return sameFragments(image, back) ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "make_deep: %s\n", error.what());
  return 1;
}
