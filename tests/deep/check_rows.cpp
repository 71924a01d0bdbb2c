// SPDX-License-Identifier: BSD-3-Clause
// deep_check_rows ROWS MERGED.exr FLAT.exr IN.exr...: holds a merged deep image and its flat
// picture against the CPU reference in so many rows spread over the picture. Only those rows are
// read, so that files larger than the memory can be checked; measure_files.sh does.
#include "app/engine/deep/read/streaming.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/picture.h"

namespace fathom::deep {
namespace {

constexpr float kHalfStep = 1.0f / 1024;  // a half keeps 11 bits

/// The largest difference of a row of the picture to the reference, relative above 1.
float rowError(const Image& flat, const Rect& window, const Image& picture, int row) {
  float worst = 0;
  for (int x = 0; x < window.width; ++x)
    for (int c = 0; c < 4; ++c) {
      const float wanted = flat.at(x, 0)[c], found = picture.at(x, row)[c];
      worst = std::max(worst, std::abs(found - wanted) / std::max(1.0f, std::abs(wanted)));
    }
  return worst;
}

int check(int rows, const std::string& mergedFile, const std::string& flatFile,
          std::vector<std::string> inputs) {
  DeepReadOptions options;
  options.memoryBudget = std::uint64_t(1) << 40;  // rows alone are read
  const StreamedFiles files(std::move(inputs), options);
  const StreamedFiles merged({mergedFile}, options);
  const Image picture = readPicture(flatFile).image;
  const Rect& window = files.header().dataWindow;
  std::uint64_t fragments = 0;
  float worst = 0;
  for (int i = 0; i < rows; ++i) {
    const int row = int((2 * std::int64_t(i) + 1) * window.height / (2 * rows));
    const DeepImage wanted = reference::merge(files.read({row, row + 1}));
    if (!sameFragments(merged.read({row, row + 1})[0], wanted))
      fail("{}: expected the reference's fragments in row {}, found others", mergedFile, row);
    fragments += wanted.fragmentCount();
    const Image flat = reference::flatten(wanted, {window.x, window.y + row, window.width, 1});
    worst = std::max(worst, rowError(flat, window, picture, row));
  }
  std::printf("%d rows of %d pixels, %llu fragments: the same; flat picture within %.6f\n", rows,
              window.width, static_cast<unsigned long long>(fragments), double(worst));
  if (!(worst <= kHalfStep))
    fail("{}: expected the reference's colors within {}, found {}", flatFile, kHalfStep, worst);
  return 0;
}

}  // namespace
}  // namespace fathom::deep

int main(int count, char** arguments) {
  if (count < 5) {
    std::fputs("usage: deep_check_rows ROWS MERGED.exr FLAT.exr IN.exr...\n", stderr);
    return 2;
  }
  try {
    return fathom::deep::check(std::max(1, std::atoi(arguments[1])), arguments[2], arguments[3],
                               {arguments + 4, arguments + count});
  } catch (const fathom::Error& error) {
    std::fprintf(stderr, "deep_check_rows: %s\n", error.what());
    return 1;
  }
}
