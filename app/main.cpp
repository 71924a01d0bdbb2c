// SPDX-License-Identifier: BSD-3-Clause
// The program: the command line, with a window.
#include "app/cli/subcommands.h"

int main(int argc, char** argv) {
  fathom::commands::offerView();
  return fathom::commands::run(argc, argv);
}
