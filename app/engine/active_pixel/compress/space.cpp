// SPDX-License-Identifier: BSD-3-Clause
// The settings decide; the tuned variant fills in what they leave open.
#include "app/engine/active_pixel/compress/space.h"

namespace fathom::active_pixel {

CompressionConfig compressionConfig(const Settings& settings, const Variant& tuned) {
  CompressionConfig config;
  config.mode = settings.mode == Mode::Auto ? Mode(tuned[kMode]) : settings.mode;
  const bool likeTuned = config.mode == Mode(tuned[kMode]);
  if (settings.method != Method::Auto)
    config.method = settings.method;
  else if (likeTuned)
    config.method = Method(tuned[kMethod]);
  config.spread = likeTuned && config.method == Method(tuned[kMethod]) && tuned[kSpread] != 0;
  return config;
}

}  // namespace fathom::active_pixel
