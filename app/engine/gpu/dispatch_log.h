// SPDX-License-Identifier: BSD-3-Clause
// What dispatches were given, noted for who foretells their time (app/lab/prediction.cpp).
#pragma once

namespace fathom::gpu {

struct Dispatched {
  std::string pass, variant;               // variant: "shaders/a.comp NAME=VALUE", as `./dev isa`
  double invocations = 0, operations = 0;  // of all invocations, by the caller's estimate; 0: none
  std::int64_t bytes = 0;                  // of all storage that is bound
};

/// While one lives, dispatches of this thread are noted in it. Counts of groups that shaders wrote
/// are read back.
struct DispatchLog : std::vector<Dispatched> {
  static inline thread_local DispatchLog* current = nullptr;
  DispatchLog() { current = this; }
  ~DispatchLog() { current = nullptr; }
};

}  // namespace fathom::gpu
