// SPDX-License-Identifier: BSD-3-Clause
// A function with a stack of its own: it can be left in its middle, whatever has called what, and
// gone on with later. Long work stays written straight through though it is done in pieces.
#pragma once

namespace fathom::system {

class Fiber {
 public:
  /// The function begins with the first resume(). Its stack holds 8 MiB, of which only what is used
  /// takes memory. Throws std::bad_alloc when there is no room for it.
  explicit Fiber(std::function<void()> work);
  /// What has not ended is abandoned: where it was left, Abandoned is thrown.
  ~Fiber();

  /// Goes on until the function leaves or ends; true: it has ended. Passes on what it throws. To be
  /// called by one thread only, and not inside a fiber.
  bool resume();

  /// The calling thread is inside a fiber and may leave it: not while an exception is handled.
  static bool canLeave();
  /// Back to the caller of resume(), until the next one. Only where canLeave(). Throws Abandoned.
  static void leave();
  /// No std::exception: who handles errors does not catch it.
  struct Abandoned {};

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::system
