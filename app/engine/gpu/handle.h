// SPDX-License-Identifier: BSD-3-Clause
// GL objects are values: move-only, deleted once. Delete is a function that knows the kind of
// object.
#pragma once

namespace fathom::gpu {

using GlId = unsigned int;

void deleteBuffer(GlId id);
void deleteTexture(GlId id);
void deleteProgram(GlId id);
void deleteShader(GlId id);
void deleteFramebuffer(GlId id);
void deleteVertexArray(GlId id);

template <auto Delete>
class Handle {
 public:
  explicit Handle(GlId id = 0) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_) Delete(id_);
  }
  GlId id() const { return id_; }

 private:
  GlId id_;
};

/// One more in a count as long as it lives.
class Counted {
 public:
  explicit Counted(int& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  int& count_;
};

struct DeleteFence {
  void operator()(void* fence) const;
};
/// Behind what was queued when it was made (makeFence()); null: none.
using Fence = std::unique_ptr<void, DeleteFence>;

}  // namespace fathom::gpu
