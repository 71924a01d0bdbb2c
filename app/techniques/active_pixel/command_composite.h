// SPDX-License-Identifier: BSD-3-Clause
// fathom active-pixel composite, alone or under mpirun.
#pragma once

#include "app/techniques/command.h"

namespace fathom::active_pixel {

Command compositeCommand();

}  // namespace fathom::active_pixel
