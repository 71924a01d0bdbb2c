// SPDX-License-Identifier: BSD-3-Clause
// Fibers of the system, which reserves their memory and guards it.
#include "app/system/fiber.h"

#include <windows.h>

namespace fathom::system {

struct Stack::State {
  void (*function)(void*);
  void* argument;
  void* own = nullptr;
  void* caller = nullptr;

  static void CALLBACK begin(void* state) {
    static_cast<State*>(state)->function(static_cast<State*>(state)->argument);
  }
};

Stack::Stack(void (*function)(void*), void* argument)
    : state_(std::make_unique<State>(function, argument)) {
  constexpr SIZE_T kCommitted = 1 << 16, kReserved = 8 << 20;  // as a main thread of Linux has
  state_->own =
      CreateFiberEx(kCommitted, kReserved, FIBER_FLAG_FLOAT_SWITCH, &State::begin, state_.get());
  if (!state_->own) throw std::bad_alloc();
}

Stack::~Stack() { DeleteFiber(state_->own); }

void Stack::enter() {
  state_->caller = IsThreadAFiber() ? GetCurrentFiber()
                                    : ConvertThreadToFiberEx(nullptr, FIBER_FLAG_FLOAT_SWITCH);
  SwitchToFiber(state_->own);
}

void Stack::leave(bool) { SwitchToFiber(state_->caller); }

}  // namespace fathom::system
