// SPDX-License-Identifier: BSD-3-Clause
// Writes the corpus of the deep EXR reader: make_deep_seeds tests/fuzz/corpus/deep_exr. Files of a
// few pixels, one per compression, storage, set of channels and number of parts that the reader
// tells apart; by our own writer, and by OpenEXR's classes what that does not write. What the
// fuzzer found lies beside them (uint-alpha.exr).
#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/deep_exr.h"
#include "tests/io/exr/openexr_witness.h"
#include "tests/support/synthetic_deep.h"

namespace fathom {
namespace {

DeepImage field(int width, int height, bool withZBack = false) {
  return test::sphereField({width, height, 2, 3, withZBack});
}

/// With an ID per fragment and float red beside the half colors.
DeepImage withExtraChannels(int width, int height) {
  DeepImage image = field(width, height);
  makeIndexed(image);
  DeepChannel ids{"ID", ChannelType::Uint, {}};
  ids.values.resize(image.fragmentCount() * 4);
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    const std::uint32_t id = std::uint32_t(i % 3);
    std::memcpy(ids.values.data() + 4 * i, &id, 4);
  }
  DeepChannel depth{"depth.V", ChannelType::Float, ids.values};
  image.channels.insert(image.channels.end() - 2, std::move(ids));  // before R and Z
  image.channels.push_back(std::move(depth));
  return image;
}

void writeSeeds(const std::filesystem::path& folder) {
  const auto write = [&](const char* name, const DeepImage& image, DeepCompression compression,
                         bool tiled = false) {
    writeDeepExr(folder / fmt::format("{}.exr", name), image,
                 {.compression = compression, .tiled = tiled, .tileSize = 4});
  };
  write("none", field(5, 3), DeepCompression::None);
  write("rle", field(5, 3), DeepCompression::Rle);
  write("zips", field(16, 2), DeepCompression::Zips);
  write("none-tiled", field(6, 5), DeepCompression::None, true);
  write("rle-tiled", field(6, 5), DeepCompression::Rle, true);
  write("zips-tiled", field(6, 5), DeepCompression::Zips, true);
  write("volumes", field(4, 3, true), DeepCompression::None);
  write("extra", withExtraChannels(4, 2), DeepCompression::None);
  write("extra-rle", withExtraChannels(4, 2), DeepCompression::Rle);
  writeDeepExr(folder / "packed.fdp", field(7, 18));
  writeDeepExr(folder / "packed-volumes.fdp", field(4, 3, true));
  writeDeepExr(folder / "packed-extra.fdp", withExtraChannels(4, 2));

  DeepImage left = field(3, 2), right = withExtraChannels(2, 2);
  makeIndexed(left);
  right.displayWindow = left.displayWindow;  // all parts of a file share it
  test::writeWithOpenExr(folder / "parts.exr",
                         {{.image = left, .name = "a", .view = "left", .rle = true},
                          {.image = right, .name = "b", .view = "right"}});
  test::writeWithOpenExr(
      folder / "levels.exr",
      {{.image = left, .name = "a", .tiled = true, .mipmapped = true, .rle = true}});
  test::writeWithOpenExr(folder / "bottom-up.exr",
                         {{.image = left, .name = "a", .rle = true, .bottomUp = true}});
}

}  // namespace
}  // namespace fathom

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: make_deep_seeds FOLDER\n", stderr);
    return 2;
  }
  std::filesystem::create_directories(arguments[1]);
  fathom::writeSeeds(arguments[1]);
  return 0;
}
