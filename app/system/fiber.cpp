// SPDX-License-Identifier: BSD-3-Clause
// A function on a stack of its own. Exceptions never cross the two stacks: they are carried over.
#include "app/system/fiber.h"

namespace fathom::system {
namespace {

/// Using a fiber in a way that its header excludes is a mistake of ours.
void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fathom: internal error: expected a fiber %s\n", what);
  std::abort();
}

}  // namespace

struct Fiber::State {
  std::function<void()> work;
  std::exception_ptr thrown;
  bool begun = false, ended = false, abandoned = false;
  Stack stack{[](void* state) { static_cast<State*>(state)->runWork(); }, this};

  static thread_local State* running;
  void runWork();
  void enter();
};

thread_local Fiber::State* Fiber::State::running = nullptr;

void Fiber::State::runWork() {
  try {
    work();
  } catch (const Abandoned&) {
  } catch (...) {
    thrown = std::current_exception();
  }
  ended = true;
  stack.leave(true);
}

void Fiber::State::enter() {
  running = this;
  stack.enter();
  running = nullptr;
}

Fiber::Fiber(std::function<void()> work) : state_(std::make_unique<State>()) {
  state_->work = std::move(work);
}

Fiber::~Fiber() {
  if (!state_->begun || state_->ended) return;
  state_->abandoned = true;
  state_->enter();
}

bool Fiber::resume() {
  require(!State::running, "to be resumed outside of fibers");
  require(!state_->ended, "that goes on");
  state_->begun = true;
  state_->enter();
  if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
  return state_->ended;
}

bool Fiber::canLeave() {
  return State::running && !State::running->abandoned && std::uncaught_exceptions() == 0 &&
         !std::current_exception();
}

void Fiber::leave() {
  require(canLeave(), "that can be left");
  State& state = *State::running;
  state.stack.leave(false);
  if (state.abandoned) throw Abandoned();
}

}  // namespace fathom::system
