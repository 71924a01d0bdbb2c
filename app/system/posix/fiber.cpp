// SPDX-License-Identifier: BSD-3-Clause
// Contexts of the C library on a mapped stack, below which a page refuses access. Exceptions never
// cross the two stacks. The address sanitizer is told of each switch.
#include "app/system/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace fathom::system {
namespace {

/// Using a fiber in a way that its header excludes is a mistake of ours.
void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fathom: internal error: expected a fiber %s\n", what);
  std::abort();
}

constexpr std::size_t kStackBytes = std::size_t(8) << 20;  // as a main thread has: drivers compile

class Stack {
 public:
  Stack() : guard_(std::size_t(sysconf(_SC_PAGESIZE))) {
    void* const at = mmap(nullptr, guard_ + kStackBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(at);
    mprotect(base_, guard_, PROT_NONE);
  }
  ~Stack() {
#if defined(__SANITIZE_ADDRESS__)
    // The frames that never returned would be found again in what is mapped here next.
    __asan_unpoison_memory_region(bottom(), kStackBytes);
#endif
    munmap(base_, guard_ + kStackBytes);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  std::byte* bottom() const { return base_ + guard_; }

 private:
  std::size_t guard_;
  std::byte* base_ = nullptr;
};

}  // namespace

struct Fiber::State {
  Stack stack;
  std::function<void()> work;
  ucontext_t own{}, caller{};
  std::exception_ptr thrown;
  bool begun = false, ended = false, abandoned = false;
  const void* callerBottom = nullptr;  // as the sanitizer knows the caller's stack
  std::size_t callerBytes = 0;

  static thread_local State* running;
  static void enter(unsigned high, unsigned low);
  void runWork();
  void switchIn();
  void switchOut();
};

thread_local Fiber::State* Fiber::State::running = nullptr;

/// makecontext() hands over ints: the pointer comes in two.
void Fiber::State::enter(unsigned high, unsigned low) {
  const std::uint64_t address = std::uint64_t(high) << 32 | low;
  reinterpret_cast<State*>(std::uintptr_t(address))->runWork();
}

void Fiber::State::runWork() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &callerBottom, &callerBytes);
#endif
  try {
    work();
  } catch (const Abandoned&) {
  } catch (...) {
    thrown = std::current_exception();
  }
  ended = true;
  switchOut();  // for good
}

void Fiber::State::switchIn() {
  running = this;
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, stack.bottom(), kStackBytes);
#endif
  swapcontext(&caller, &own);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  running = nullptr;
}

void Fiber::State::switchOut() {
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(ended ? nullptr : &fake, callerBottom, callerBytes);
#endif
  swapcontext(&own, &caller);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, &callerBottom, &callerBytes);
#endif
}

Fiber::Fiber(std::function<void()> work) : state_(std::make_unique<State>()) {
  state_->work = std::move(work);
  getcontext(&state_->own);
  state_->own.uc_stack.ss_sp = state_->stack.bottom();
  state_->own.uc_stack.ss_size = kStackBytes;
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(state_.get()));
  makecontext(&state_->own, reinterpret_cast<void (*)()>(&State::enter), 2, unsigned(address >> 32),
              unsigned(address));
}

Fiber::~Fiber() {
  if (!state_->begun || state_->ended) return;
  state_->abandoned = true;
  state_->switchIn();
}

bool Fiber::resume() {
  require(!State::running, "to be resumed outside of fibers");
  require(!state_->ended, "that goes on");
  state_->begun = true;
  state_->switchIn();
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
  state.switchOut();
  if (state.abandoned) throw Abandoned();
}

}  // namespace fathom::system
