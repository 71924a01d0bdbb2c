// SPDX-License-Identifier: BSD-3-Clause
// Contexts of the C library on a mapped stack, below which a page refuses access. The address
// sanitizer is told of each switch.
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

constexpr std::size_t kStackBytes = std::size_t(8) << 20;  // as a main thread has: drivers compile

class Mapping {
 public:
  Mapping() : guard_(std::size_t(sysconf(_SC_PAGESIZE))) {
    void* const at = mmap(nullptr, guard_ + kStackBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(at);
    mprotect(base_, guard_, PROT_NONE);
  }
  ~Mapping() {
#if defined(__SANITIZE_ADDRESS__)
    // The frames that never returned would be found again in what is mapped here next.
    __asan_unpoison_memory_region(bottom(), kStackBytes);
#endif
    munmap(base_, guard_ + kStackBytes);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::byte* bottom() const { return base_ + guard_; }

 private:
  std::size_t guard_;
  std::byte* base_ = nullptr;
};

}  // namespace

struct Stack::State {
  void (*function)(void*);
  void* argument;
  Mapping mapping;
  ucontext_t own{}, caller{};
  const void* callerBottom = nullptr;  // as the sanitizer knows the caller's stack
  std::size_t callerBytes = 0;

  static void begin(unsigned high, unsigned low);
};

/// makecontext() hands over ints: the pointer comes in two.
void Stack::State::begin(unsigned high, unsigned low) {
  const std::uint64_t address = std::uint64_t(high) << 32 | low;
  auto* const state = reinterpret_cast<State*>(std::uintptr_t(address));
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &state->callerBottom, &state->callerBytes);
#endif
  state->function(state->argument);
}

Stack::Stack(void (*function)(void*), void* argument) : state_(new State{function, argument, {}}) {
  ucontext_t& own = state_->own;
  getcontext(&own);
  own.uc_stack.ss_sp = state_->mapping.bottom();
  own.uc_stack.ss_size = kStackBytes;
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(state_.get()));
  makecontext(&own, reinterpret_cast<void (*)()>(&State::begin), 2, unsigned(address >> 32),
              unsigned(address));
}

Stack::~Stack() = default;

void Stack::enter() {
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, state_->mapping.bottom(), kStackBytes);
#endif
  swapcontext(&state_->caller, &state_->own);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Stack::leave([[maybe_unused]] bool forGood) {
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(forGood ? nullptr : &fake, state_->callerBottom,
                                 state_->callerBytes);
#endif
  swapcontext(&state_->own, &state_->caller);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, &state_->callerBottom, &state_->callerBytes);
#endif
}

}  // namespace fathom::system
