// SPDX-License-Identifier: BSD-3-Clause
// A persistent mapping with fences that keep the processor off what is read, and two pieces that
// take turns.
#include "app/engine/gpu/transfers.h"

#include "app/engine/gpu/gl.h"

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

StagedRead::StagedRead(Context& context)
    : pieces_{ReadBack(context, "read-back", kPieceBytes),
              ReadBack(context, "read-back", kPieceBytes)} {}

void StagedRead::read(const RawBuffer& source, void* data, std::int64_t bytes,
                      std::int64_t offsetBytes) {
  const WorkCounts before = countedWork();
  const std::int64_t count = (bytes + kPieceBytes - 1) / kPieceBytes;
  const auto bytesOf = [&](std::int64_t piece) {
    return std::min(kPieceBytes, bytes - piece * kPieceBytes);
  };
  const auto request = [&](std::int64_t piece) {
    if (piece < count)
      pieces_[std::size_t(piece % 2)].request(source, bytesOf(piece),
                                              offsetBytes + piece * kPieceBytes);
  };
  request(0);
  for (std::int64_t piece = 0; piece < count; ++piece) {
    request(piece + 1);
    const ReadBack& ready = pieces_[std::size_t(piece % 2)];
    ready.wait();
    std::memcpy(static_cast<std::byte*>(data) + piece * kPieceBytes, ready.data().data(),
                std::size_t(bytesOf(piece)));
  }
  countedWork().waits = before.waits;  // the whole is one read
}

}  // namespace fathom::gpu
