// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/active_pixel/space.h"

namespace fathom::active_pixel {

Way wayOf(const Settings& settings, const Variant& tuned) {
  Way way;
  way.mode = settings.mode == Mode::Auto ? Mode(tuned[kMode]) : settings.mode;
  const bool likeTuned = way.mode == Mode(tuned[kMode]);
  if (settings.method != Method::Auto)
    way.method = settings.method;
  else if (likeTuned)
    way.method = Method(tuned[kMethod]);
  way.spread = likeTuned && way.method == Method(tuned[kMethod]) && tuned[kSpread] != 0;
  return way;
}

}  // namespace fathom::active_pixel
