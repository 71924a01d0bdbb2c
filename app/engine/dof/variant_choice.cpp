// SPDX-License-Identifier: BSD-3-Clause
// The profile is asked once per picture; the settings overrule it.
#include "app/engine/dof/variant_choice.h"

#include "app/lab/dof/variant_workload.h"

namespace fathom::dof {

void VariantChoice::update(const gpu::Context& gpu, VariantRunner& runner, const Shot& shot) {
  automatic_ = kDefaultVariant;
  const Settings& s = shot.settings;
  if (s.variant != "tuned") return tuned_.forget();
  const auto key = [&] {
    return TuneKey{workloadClass(s.radius(), s.op == Operator::Coverage), shot.size, templateHash(),
                   nameOf(runner.backEnd())};
  };
  if (const auto tuned = tuned_.choose(gpu, key)) automatic_ = kSpace.id(*tuned);
}

Variant VariantChoice::of(const Shot& shot) const {
  const Settings& s = shot.settings;
  Variant v = kSpace.parse(s.variant == "auto" || s.variant == "tuned" ? automatic_ : s.variant);
  const bool coverage = s.op == Operator::Coverage;
  if (coverage != (v[kOrder] == kCoverage))
    v = kSpace.with(v, kOrder, coverage ? kCoverage : kFrontToBack);
  // Only nodes of layout a have room for the opacity of translucent fragments.
  if (shot.layered() && v[kNode] == kNodeB) v = kSpace.with(v, kNode, kNodeA);
  return v;
}

}  // namespace fathom::dof
