// SPDX-License-Identifier: BSD-3-Clause
// The ramp for a registry.
#pragma once

#include "app/engine/engine.h"

namespace fathom::tiny {

const TechniqueEntry& entry();

}  // namespace fathom::tiny
