// SPDX-License-Identifier: BSD-3-Clause
// A persistent mapping that both sides see at once; fences keep the processor off what is read.
#include "app/gpu/uniform_ring.h"

#include "app/gpu/gl.h"

#include <cstring>
#include <utility>

namespace fathom::gpu {

UniformRing::UniformRing(Context& context)
    : buffer_(context, "parameters", 4 * kQuarterBytes, RawBuffer::Use::Parameters) {
  GLint alignment = 256;
  glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
  alignment_ = std::max<std::int64_t>(16, alignment);
  mapped_ = static_cast<std::byte*>(
      glMapNamedBufferRange(buffer_.id(), 0, buffer_.bytes(),
                            GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT));
  if (!mapped_) fail("{}: the device cannot map {}", buffer_.name(), bytesText(buffer_.bytes()));
}

UniformRing::~UniformRing() {
  for (void* fence : fences_)
    if (fence) glDeleteSync(static_cast<GLsync>(fence));
}

void UniformRing::nextQuarter() {
  fences_[quarter_] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  quarter_ = (quarter_ + 1) % fences_.size();
  at_ = std::int64_t(quarter_) * kQuarterBytes;
  void* const fence = std::exchange(fences_[quarter_], nullptr);
  if (!fence) return;
  if (!fenceReached(fence)) {
    ++countedWork().paced;
    waitForFence(fence, buffer_.name());
  }
  glDeleteSync(static_cast<GLsync>(fence));
}

BufferRange UniformRing::place(const void* data, std::int64_t bytes) {
  FATHOM_CHECK_OP(bytes, <=, kQuarterBytes);
  const std::int64_t rows = (bytes + 15) / 16 * 16;
  if (at_ + rows > std::int64_t(quarter_ + 1) * kQuarterBytes) nextQuarter();
  std::memcpy(mapped_ + at_, data, std::size_t(bytes));
  const BufferRange range(buffer_, at_, rows);
  at_ += (rows + alignment_ - 1) / alignment_ * alignment_;
  return range;
}

}  // namespace fathom::gpu
