// SPDX-License-Identifier: BSD-3-Clause
// What stands for IceT and MPI in a program that was built without them: each call says so.
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/error.h"

namespace fathom::active_pixel {

bool icetAvailable() { return false; }

std::string icetMissing() {
  return "this fathom was built without " FATHOM_ICET_MISSING
         "; expected both for compositing over MPI";
}

std::unique_ptr<Compositor> makeIcetCompositor(bool) { throw NotBuiltError(icetMissing()); }

namespace icet {

std::string version() { return "no IceT"; }
bool acceptsCompressed() { return false; }
SparseImage compressFrame(const Frame&) { throw NotBuiltError(icetMissing()); }
std::function<void()> compression(const Frame& frame) {
  return [&frame] { reference::encode(frame); };
}

}  // namespace icet
}  // namespace fathom::active_pixel
