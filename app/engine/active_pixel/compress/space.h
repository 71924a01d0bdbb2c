// SPDX-License-Identifier: BSD-3-Clause
// The implementation space of compression: who does it, and how work is laid out on the device. All
// variants give the same bytes.
#pragma once

#include "app/engine/core/variants.h"
#include "app/engine/active_pixel/settings.h"

namespace fathom::active_pixel {

enum Dimension { kMode, kMethod, kSpread };

inline constexpr VariantSpace kSpace{
    {{"mode",
      "Who compresses.",
      {{"generic", "", "the whole frame is read back, the processor compresses"},
       {"roi", "", "the drawn region is read back, the processor compresses"},
       {"gpu", "", "the GPU compresses, only active pixels are read back"}}},
     {"method",
      "How the GPU compresses.",
      {{"fused", "", "one scan of two sums, nothing kept per pixel"},
       {"five-step", "", "the paper's five steps with an array for each"}}},
     {"spread",
      "How pixels lie on invocations.",
      {{"words", "", "an invocation for 32 pixels"}, {"beside", "", "neighbors side by side"}}}},
    {{"A1", "the processor has one way",
      [](const Variant& v) {
        return v[kMode] == int(Mode::Gpu) || (v[kMethod] == 0 && v[kSpread] == 0);
      }},
     {"A2", "five steps go word by word",
      [](const Variant& v) { return v[kMethod] == 0 || v[kSpread] == 0; }}}};
static_assert(kSpace.count() == 5);

/// The variant without tuning.
constexpr Variant defaultVariant(bool software) {
  return {std::uint8_t(Mode::Gpu), std::uint8_t(Method::Fused), std::uint8_t(software ? 0 : 1)};
}

/// How images are compressed, nothing left open.
struct CompressionConfig {
  Mode mode = Mode::Gpu;
  Method method = Method::Fused;
  bool spread = false;
};
/// Where the settings say auto, the tuned variant of kSpace decides; the rest is as above.
CompressionConfig compressionConfig(const Settings& settings, const Variant& tuned);

}  // namespace fathom::active_pixel
