// SPDX-License-Identifier: BSD-3-Clause
// Which variant of accumulation a shot uses that does not leave it to smooth discs: the one of the
// settings, or for "tuned" the one that was tuned for this device, else the default; with the order
// of the operator.
#pragma once

#include "app/engine/dof/shot.h"
#include "app/engine/dof/variants/space.h"
#include "app/engine/dof/variants/variant_runner.h"
#include "app/engine/tuning.h"

#include <string>

namespace fathom::dof {

class VariantChoice {
 public:
  /// Looks up what "tuned" means for this shot on this device.
  void update(const gpu::Context& gpu, VariantRunner& runner, const Shot& shot);
  /// Throws UsageError when the settings name no variant.
  Variant of(const Shot& shot) const;
  /// What the profile says about it; may be empty.
  const std::string& note() const { return tuned_.note(); }

 private:
  std::string automatic_{kDefaultVariant};  // what "tuned" means
  TunedChoice tuned_{"dof", kSpace};        // where that comes from
};

}  // namespace fathom::dof
