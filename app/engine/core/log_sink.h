// SPDX-License-Identifier: BSD-3-Clause
// Where warnings go in a program that runs commands inside itself (app/python): not to C's standard
// error, which notebooks do not show.
#pragma once

namespace fathom::log {

/// Takes each warning, without "fathom: warning: ", on any thread. Set once, before there are any.
void setSink(void (*sink)(const std::string& warning));

}  // namespace fathom::log
