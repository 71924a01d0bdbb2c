// SPDX-License-Identifier: BSD-3-Clause
// A second stack for a thread, on which a function runs in turns with who entered it.
#pragma once

namespace fathom::system {

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

}  // namespace fathom::system
