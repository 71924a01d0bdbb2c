// SPDX-License-Identifier: BSD-3-Clause
// The program: the command line, with a window.
#include "app/cli/subcommands.h"
#include "app/window/platform/window.h"
#include "app/window/viewer.h"

int main(int argc, char** argv) {
  fathom::viewer::offerHiddenWindows();
  fathom::commands::offerWindow(fathom::viewer::run);
  return fathom::commands::run(argc, argv);
}
