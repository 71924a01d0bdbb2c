// SPDX-License-Identifier: BSD-3-Clause
// Buffers by direct state access. Each call that the CPU makes issues the barrier for earlier
// shader writes itself; sizes are rounded up to whole rows of 16 bytes, which clears and shared
// structs rely on.
#include "app/engine/gpu/buffer.h"

#include "app/engine/gpu/gl.h"

namespace fathom::gpu {
namespace {

constexpr GLbitfield kReadOnCpu = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
constexpr GLbitfield kWrittenByCpu = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

std::int64_t rowsOf(std::int64_t bytes) {
  return std::max<std::int64_t>(16, (bytes + 15) / 16 * 16);
}

}  // namespace

RawBuffer::RawBuffer(Context& context, std::string name, std::int64_t bytes, Use use)
    : name_(std::move(name)), bytes_(bytes) {
  FATHOM_CHECK_OP(bytes, >=, 0);
  const std::int64_t allocated = rowsOf(bytes);
  entry_ = context.memory().hold(name_, allocated, use == Use::Storage);
  context_ = &context;

  ++countedWork().allocations;
  GlId id = 0;
  glCreateBuffers(1, &id);
  handle_ = Handle<deleteBuffer>(id);
  AllocationWatch watch;
  const GLbitfield reachable =  // see HostView
      context.device().software ? GL_MAP_READ_BIT | GL_MAP_WRITE_BIT : 0;
  const bool mapped = use == Use::Mapped || use == Use::MappedWritable;
  const GLbitfield writable = use == Use::MappedWritable ? GL_MAP_WRITE_BIT : 0;
  const GLbitfield flags = use == Use::Parameters ? kWrittenByCpu
                           : mapped               ? kReadOnCpu | writable | GL_CLIENT_STORAGE_BIT
                                                  : GL_DYNAMIC_STORAGE_BIT | reachable;
  glNamedBufferStorage(id, allocated, nullptr, flags);
  if (watch.failed()) {
    entry_.reset();
    fail("{}: needs {}, the device has no memory left for it ({} in use by this program)", name_,
         bytesText(allocated), bytesText(context.memory().totalBytes()));
  }
  labelObject(GL_BUFFER, id, name_);
}

void RawBuffer::write(const void* data, std::int64_t bytes, std::int64_t offsetBytes) {
  FATHOM_CHECK_OP(offsetBytes, >=, 0);
  FATHOM_CHECK_OP(bytes, <=, bytes_ - offsetBytes);
  if (bytes <= 0) return;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glNamedBufferSubData(id(), offsetBytes, bytes, data);
}

void RawBuffer::read(void* data, std::int64_t bytes, std::int64_t offsetBytes) const {
  FATHOM_CHECK_OP(offsetBytes, >=, 0);
  FATHOM_CHECK_OP(bytes, <=, bytes_ - offsetBytes);
  if (bytes <= 0) return;
  ++countedWork().reads;
  // A software renderer's memory is the processor's.
  if (!context_->device().software)
    return context_->stagedRead().read(*this, data, bytes, offsetBytes);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glGetNamedBufferSubData(id(), offsetBytes, bytes, data);
}

std::int64_t RawBuffer::allocatedBytes() const { return rowsOf(bytes_); }

void RawBuffer::clear(std::uint32_t word) { clear(word, (bytes_ + 3) / 4 * 4, 0); }

void RawBuffer::clear(std::uint32_t word, std::int64_t bytes, std::int64_t offsetBytes) {
  FATHOM_CHECK_OP(offsetBytes, >=, 0);
  FATHOM_CHECK_OP(bytes, <=, (bytes_ + 3) / 4 * 4 - offsetBytes);
  if (bytes <= 0) return;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glClearNamedBufferSubData(id(), GL_R32UI, offsetBytes, bytes, GL_RED_INTEGER, GL_UNSIGNED_INT,
                            &word);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

void RawBuffer::copyFrom(const RawBuffer& source, std::int64_t bytes, std::int64_t sourceOffset,
                         std::int64_t targetOffset) {
  FATHOM_CHECK_OP(sourceOffset, >=, 0);
  FATHOM_CHECK_OP(targetOffset, >=, 0);
  FATHOM_CHECK_OP(bytes, <=, source.bytes_ - sourceOffset);
  FATHOM_CHECK_OP(bytes, <=, bytes_ - targetOffset);
  if (bytes <= 0) return;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glCopyNamedBufferSubData(source.id(), id(), sourceOffset, targetOffset, bytes);
}

HostView::HostView(Context& context, RawBuffer& buffer) : buffer_(buffer.id()) {
  FATHOM_CHECK(context.device().software);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  data_ = glMapNamedBufferRange(buffer_, 0, buffer.bytes(), GL_MAP_READ_BIT | GL_MAP_WRITE_BIT);
  if (!data_) fail("{}: expected memory that the processor can reach, found none", buffer.name());
}

HostView::~HostView() { glUnmapNamedBuffer(buffer_); }

ReadBack::ReadBack(Context& context, std::string name, std::int64_t bytes, Mode mode)
    : buffer_(context, std::move(name), bytes,
              mode == Mode::Read ? RawBuffer::Use::Mapped : RawBuffer::Use::MappedWritable),
      mode_(mode) {
  const GLbitfield writable = mode == Mode::Read ? 0 : GL_MAP_WRITE_BIT;
  mapped_ = glMapNamedBufferRange(buffer_.id(), 0, rowsOf(bytes), kReadOnCpu | writable);
  if (!mapped_) fail("{}: the device cannot map {}", buffer_.name(), bytesText(bytes));
}

void ReadBack::request(const RawBuffer& source, std::int64_t bytes, std::int64_t offsetBytes) {
  FATHOM_CHECK_OP(offsetBytes, >=, 0);
  FATHOM_CHECK_OP(bytes, <=, source.bytes() - offsetBytes);
  FATHOM_CHECK_OP(bytes, <=, capacity());
  requested_ = bytes;
  reached_ = false;
  if (bytes > 0) {
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glCopyNamedBufferSubData(source.id(), buffer_.id(), offsetBytes, 0, bytes);
    glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  }
  fence_ = makeFence();
  glFlush();  // a fence that is never sent is never reached
}

bool ReadBack::ready() const {
  if (!fence_) return false;
  reached_ = reached_ || fenceReached(fence_);
  return reached_;
}

void ReadBack::wait() const {
  FATHOM_CHECK(fence_ != nullptr);
  if (reached_) return;
  ++countedWork().waits;
  waitForFence(fence_, buffer_.name());
  reached_ = true;
}

std::span<const std::byte> ReadBack::data() const {
  FATHOM_CHECK(ready());
  return {static_cast<const std::byte*>(mapped_), std::size_t(requested_)};
}

std::span<std::byte> ReadBack::memory() const {
  FATHOM_CHECK(mode_ == Mode::ReadAndWrite);
  FATHOM_CHECK(!fence_ || ready());
  return {static_cast<std::byte*>(mapped_), std::size_t(capacity())};
}

UniformRing::UniformRing(Context& context)
    : buffer_(context, "parameters", 4 * kQuarterBytes, RawBuffer::Use::Parameters) {
  GLint alignment = 256;
  glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
  alignment_ = std::max<std::int64_t>(16, alignment);
  mapped_ = static_cast<std::byte*>(
      glMapNamedBufferRange(buffer_.id(), 0, buffer_.bytes(), kWrittenByCpu));
  if (!mapped_) fail("{}: the device cannot map {}", buffer_.name(), bytesText(buffer_.bytes()));
}

void UniformRing::nextQuarter() {
  fences_[quarter_] = makeFence();
  quarter_ = (quarter_ + 1) % fences_.size();
  at_ = std::int64_t(quarter_) * kQuarterBytes;
  const Fence fence = std::move(fences_[quarter_]);
  if (!fence || fenceReached(fence)) return;
  ++countedWork().paced;
  waitForFence(fence, buffer_.name());
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
