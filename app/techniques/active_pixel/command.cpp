// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/active_pixel/command.h"

#include "app/techniques/active_pixel/command_composite.h"
#include "app/techniques/active_pixel/command_files.h"

namespace fathom::active_pixel {

const std::vector<Command>& commands() {
  static const std::vector<Command> list{encodeCommand(), decodeCommand(), compositeCommand()};
  return list;
}

}  // namespace fathom::active_pixel
