// SPDX-License-Identifier: BSD-3-Clause
// fathom active-pixel encode | decode: between pictures and .icet files.
#pragma once

#include "app/techniques/command.h"

namespace fathom::active_pixel {

Command encodeCommand();
Command decodeCommand();

}  // namespace fathom::active_pixel
