// SPDX-License-Identifier: BSD-3-Clause
// A function with a stack of its own: it can be left in its middle, whatever has called what, and
// gone on with later. Long work stays written straight through though it is done in pieces.
#pragma once

namespace fathom::system {

/// What each system makes fibers of: a second stack for a thread, on which a function runs in turns
/// with who entered it.
class Stack {
 public:
  /// The function begins with the first enter(), and must not return: it leaves for good. Throws
  /// std::bad_alloc when there is no room for 8 MiB.
  Stack(void (*function)(void*), void* argument);
  ~Stack();

  /// Goes on there, until it is left.
  void enter();
  /// Inside: back to who entered it. No exception crosses.
  void leave(bool forGood);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

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
