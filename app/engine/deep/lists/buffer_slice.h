// SPDX-License-Identifier: BSD-3-Clause
// Words of a fragment list on the GPU: all of a buffer, or a slice of one in which the lists of
// several images lie one after the other (list_pool.h), so that one pass can walk many lists with
// few storage blocks. Passes over one list bind the slice alone and see no difference.
#pragma once

#include "app/engine/gpu/buffer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fathom::deep {

class BufferSlice {
 public:
  using Buffer = gpu::Buffer<std::uint32_t>;

  BufferSlice() = default;
  explicit BufferSlice(Buffer buffer) : BufferSlice(std::make_shared<Buffer>(std::move(buffer))) {}
  explicit BufferSlice(std::shared_ptr<Buffer> whole)
      : buffer_(std::move(whole)), count_(buffer_->count()) {}
  /// `first` in words; its bytes are a multiple of the storage offset alignment.
  BufferSlice(std::shared_ptr<Buffer> of, std::size_t first, std::size_t count)
      : buffer_(std::move(of)), first_(first), count_(count) {
    FATHOM_CHECK_OP(first + count, <=, buffer_->count());
  }

  explicit operator bool() const { return buffer_ != nullptr; }
  std::size_t first() const { return first_; }
  std::size_t count() const { return count_; }
  /// The buffer and what else lies in it.
  const Buffer& whole() const { return *buffer_; }
  bool sharesWith(const BufferSlice& other) const { return buffer_ && buffer_ == other.buffer_; }
  /// Bytes that dropping these words would give back.
  std::int64_t ownBytes() const { return buffer_.use_count() == 1 ? buffer_->bytes() : 0; }

  operator gpu::BufferRange() const { return {*buffer_, bytes(first_), bytes(count_)}; }
  void clear(std::uint32_t word = 0) { buffer_->clear(word, bytes(count_), bytes(first_)); }
  void copyFrom(const gpu::BufferRange& source, std::int64_t length, std::int64_t sourceOffset = 0,
                std::int64_t targetOffset = 0) {
    FATHOM_CHECK_OP(length, <=, source.bytes - sourceOffset);
    FATHOM_CHECK_OP(length, <=, bytes(count_) - targetOffset);
    buffer_->copyFrom(*source.buffer, length, source.offset + sourceOffset,
                      bytes(first_) + targetOffset);
  }
  std::vector<std::uint32_t> download(std::size_t first, std::size_t count) const {
    FATHOM_CHECK_OP(first + count, <=, count_);
    return buffer_->download(first_ + first, count);
  }

 private:
  static std::int64_t bytes(std::size_t words) {
    return std::int64_t(words * sizeof(std::uint32_t));
  }
  std::shared_ptr<Buffer> buffer_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace fathom::deep
