// SPDX-License-Identifier: BSD-3-Clause
// A linear merge per pixel, and compositing front to back, in double.
#include "app/engine/deep/reference.h"

#include "app/engine/core/error.h"

namespace fathom::deep::reference {
namespace {

struct Depth {
  float z, zBack;
};

Depth depthOf(const std::uint32_t* words, FragmentFormat format) {
  if (format == FragmentFormat::Rgba8)
    return {std::bit_cast<float>(words[1]), std::bit_cast<float>(words[1])};
  return {std::bit_cast<float>(words[2]), std::bit_cast<float>(words[3])};
}

bool isBehind(Depth x, Depth y) { return x.z > y.z || (x.z == y.z && x.zBack > y.zBack); }

}  // namespace

DeepImage merge(const DeepImage& front, const DeepImage& back) {
  FATHOM_CHECK(front.format == back.format);
  DeepImage out = emptyLike(front, unite(front.dataWindow, back.dataWindow));
  out.hasZBack = front.hasZBack || back.hasZBack;
  out.fragmentOffsets.reserve(out.pixelCount() + 1);
  out.words.reserve(front.words.size() + back.words.size());

  // Take the nearer of the two heads until both lists are empty; of equal ones the front image's.
  const auto stride = std::size_t(out.stride());
  for (int y = out.dataWindow.y; y < out.dataWindow.bottom(); ++y)
    for (int x = out.dataWindow.x; x < out.dataWindow.right(); ++x) {
      std::span<const std::uint32_t> a = front.list(x, y), b = back.list(x, y);
      while (!a.empty() || !b.empty()) {
        const bool takeFront =
            !a.empty() &&
            (b.empty() || !isBehind(depthOf(a.data(), out.format), depthOf(b.data(), out.format)));
        std::span<const std::uint32_t>& from = takeFront ? a : b;
        out.words.insert(out.words.end(), from.begin(), from.begin() + std::ptrdiff_t(stride));
        from = from.subspan(stride);
      }
      out.fragmentOffsets.push_back(out.words.size() / stride);
    }
  return out;
}

DeepImage merge(std::span<const DeepImage> images) {
  FATHOM_CHECK(!images.empty());
  DeepImage merged = images[0];
  for (const DeepImage& image : images.subspan(1)) merged = merge(merged, image);
  return merged;
}

Image flatten(const DeepImage& image, const Rect& window, const Peel& peel) {
  Image picture(window.width, window.height);
  for (int y = 0; y < window.height; ++y)
    for (int x = 0; x < window.width; ++x) {
      const int ix = x + window.x, iy = y + window.y;
      if (!image.dataWindow.contains(ix, iy)) continue;
      const std::size_t p = image.pixelIndex(ix, iy);
      // Over, front to back: 1 - a is what passes everything in front.
      double r = 0, g = 0, b = 0, a = 0;
      int number = 0;  // of the fragment within the peeled range
      for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
        const Fragment f = decodeFragment(image, i);
        if (!peel.range.contains(f.z)) continue;
        ++number;
        if (peel.number > 0 && number != peel.number) continue;
        const double t = 1 - a;
        r += t * f.r, g += t * f.g, b += t * f.b, a += t * f.a;
      }
      picture.at(x, y) = {float(r), float(g), float(b), float(a)};
    }
  return picture;
}

}  // namespace fathom::deep::reference
