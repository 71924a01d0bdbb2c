// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target for expressions on fragments: whatever the text, it is refused with UsageError or
// gives an image that a file may hold: sorted, alphas within 0..1, nothing that is no number.
// Compiled twice: with libFuzzer (./dev fuzz deep-expression) and into an ordinary test.
#include "app/engine/core/error.h"
#include "app/engine/deep/operations/color_edit.h"
#include "app/engine/deep/operations/sample_list.h"
#include "tests/fuzz/fuzz.h"

namespace fathom::deep {
namespace {

/// Two pixels with three fragments; half, float and ID channels.
DeepImage smallImage() {
  DeepImage image;
  image.dataWindow = image.displayWindow = {-1, 4, 2, 1};
  image.format = FragmentFormat::Indexed;
  image.hasZBack = true;
  image.fragmentOffsets = {0, 2, 3};
  const auto add = [&](const char* name, ChannelType type, double first, double step) {
    DeepChannel& c = image.channels.emplace_back(DeepChannel{name, type, {}});
    c.values.resize(3 * bytesPerValue(type));
    for (std::size_t i = 0; i < 3; ++i) setChannelValue(c, i, first + step * double(i));
  };
  add("A", ChannelType::Half, 0.25, 0.25), add("B", ChannelType::Half, 0, 0.5);
  add("G", ChannelType::Half, 1, -0.5), add("R", ChannelType::Float, 0.5, 0.125);
  add("Z", ChannelType::Float, 1, 1), add("ZBack", ChannelType::Float, 1.5, 1);
  add("diffuse.R", ChannelType::Half, 0.1, 0), add("id", ChannelType::Uint, 7, 1e9);
  for (std::uint32_t i = 0; i < 3; ++i)
    image.words.insert(image.words.end(), {i, 0, std::bit_cast<std::uint32_t>(1 + float(i)),
                                           std::bit_cast<std::uint32_t>(1.5f + float(i))});
  return image;
}

void expectFit(const DeepImage& image) {
  for (const DeepChannel& channel : image.channels)
    for (std::size_t i = 0; i < 3; ++i) {
      const double v = channelValue(channel, i);
      FATHOM_CHECK(!std::isnan(v));
      if (channel.name == "A") FATHOM_CHECK(v >= 0 && v <= 1);
    }
  for (std::size_t i = 0; i < 3; ++i) {
    const Fragment f = decodeFragment(image, i);
    FATHOM_CHECK(f.zBack >= f.z);
    if (i == 1) FATHOM_CHECK(f.z >= decodeFragment(image, 0).z);
  }
}

}  // namespace
}  // namespace fathom::deep

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  DeepImage image = deep::smallImage();
  deep::ColorRepairs repairs;
  try {
    deep::evaluateFragments(
        image, {std::string(reinterpret_cast<const char*>(data), size), nullptr}, repairs);
  } catch (const UsageError&) {
    return 0;
  }
  deep::expectFit(image);
  return 0;
}
