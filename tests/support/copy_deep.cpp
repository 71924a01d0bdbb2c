// SPDX-License-Identifier: BSD-3-Clause
// copy_deep IN.exr [OUT.exr] [PART]: reads a deep EXR, prints what it holds and how long that took,
// and writes it again. For trying damaged files and for comparing with other tools.
#include "app/engine/io/exr/deep_exr.h"

int main(int argc, char** argv) try {
  using namespace fathom;
  using Clock = std::chrono::steady_clock;
  if (argc < 2) return 2;
  DeepReadOptions options;
  if (argc > 3) options.part = argv[3];
  const auto start = Clock::now();
  const DeepImage image = readDeepExr(argv[1], options);
  const auto read = Clock::now();
  if (argc > 2 && argv[2][0] != '-') writeDeepExr(argv[2], image);
  const auto written = Clock::now();
  const auto seconds = [](auto duration) {
    return std::chrono::duration<double>(duration).count();
  };
  std::printf(
      "%s: %dx%d at %d,%d, %zu fragments, %zu channels, %s, %zu mended, %zu pixels sorted, "
      "read %.3f s, write %.3f s\n",
      argv[1], image.dataWindow.width, image.dataWindow.height, image.dataWindow.x,
      image.dataWindow.y, image.fragmentCount(), image.channels.size(),
      image.format == FragmentFormat::Half ? "half" : "indexed", image.repairs.total(),
      image.repairs.unsortedPixels, seconds(read - start), seconds(written - read));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
