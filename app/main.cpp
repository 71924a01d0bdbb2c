// SPDX-License-Identifier: BSD-3-Clause
// The program: the command line, with a window.
#include "app/cli/subcommands.h"
#include "app/window/platform/window.h"
#include "app/window/viewer.h"
#include "app/window/workspace/thumbnails.h"

int main(int argc, char** argv) {
  if (const auto code = fathom::viewer::answerThumbnail(argc, argv)) return *code;
  fathom::viewer::offerHiddenWindows();
  fathom::commands::offerWindow(fathom::viewer::run);
  return fathom::commands::run(argc, argv);
}
