// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of each technique: one line each.
#include "app/cli/registry.h"

#include "app/cli/active_pixel/command.h"
#include "app/cli/deep/command.h"
#include "app/cli/dof/command.h"
#include "app/cli/flame/command.h"
#include "app/cli/smoe/command.h"

namespace fathom {

const std::vector<Command>& commandsOf(const std::string& technique) {
  static const std::vector<Command> none;
  if (technique == "deep") return deep::commands();
  if (technique == "dof") return dof::commands();
  if (technique == "flame") return flame::commands();
  if (technique == "smoe") return smoe::commands();
  if (technique == "active-pixel") return active_pixel::commands();
  return none;
}

}  // namespace fathom
