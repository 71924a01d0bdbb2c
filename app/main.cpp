// SPDX-License-Identifier: BSD-3-Clause
// Hands the command line to commands/ and turns exceptions into exit codes.
#include "app/cli/commands.h"

int main(int argc, char** argv) { return fathom::commands::run(argc, argv); }
