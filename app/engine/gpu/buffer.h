// SPDX-License-Identifier: BSD-3-Clause
// Typed GPU buffers that know their name, count and bytes and stand in the memory account, and the
// memory by which contents go to and fro.
#pragma once

#include "app/engine/core/error.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/handle.h"

namespace fathom::gpu {

/// Untyped storage; Buffer<T> is what one uses. A buffer of 0 bytes is legal: whole rows of 16
/// bytes are allocated, at least one.
class RawBuffer {
 public:
  /// Storage is checked against the storage block limit; Mapped lies where the CPU reads it fast,
  /// MappedWritable where it also writes, Parameters where it only writes and the device reads.
  enum class Use { Storage, Other, Mapped, MappedWritable, Parameters };

  RawBuffer() = default;
  /// Contents are undefined. Throws Error before the driver could fail (see MemoryAccount).
  RawBuffer(Context& context, std::string name, std::int64_t bytes, Use use = Use::Storage);

  GlId id() const { return handle_.id(); }
  std::int64_t bytes() const { return bytes_; }
  /// What was allocated: bytes() in whole rows of 16, at least one.
  std::int64_t allocatedBytes() const;
  const std::string& name() const { return name_; }
  explicit operator bool() const { return id() != 0; }

  /// Copies now; the source may be reused on return.
  void write(const void* data, std::int64_t bytes, std::int64_t offsetBytes = 0);
  /// Waits for the device. Issues the barrier for shader writes itself.
  void read(void* data, std::int64_t bytes, std::int64_t offsetBytes = 0) const;
  /// Fills whole words with `word`; issues the barriers on both sides itself.
  void clear(std::uint32_t word = 0);
  /// The same for a part of the buffer, in whole words.
  void clear(std::uint32_t word, std::int64_t bytes, std::int64_t offsetBytes);
  /// GPU copy, ordered after earlier shader writes.
  void copyFrom(const RawBuffer& source, std::int64_t bytes, std::int64_t sourceOffset = 0,
                std::int64_t targetOffset = 0);

 private:
  Handle<deleteBuffer> handle_;
  Context* context_ = nullptr;
  MemoryAccount::Held entry_;
  std::string name_;
  std::int64_t bytes_ = 0;
};

template <class T>
class Buffer : public RawBuffer {
 public:
  Buffer() = default;
  Buffer(Context& context, std::string name, std::size_t count, Use use = Use::Storage)
      : RawBuffer(context, std::move(name), std::int64_t(count * sizeof(T)), use), count_(count) {}
  Buffer(Context& context, std::string name, std::span<const T> values, Use use = Use::Storage)
      : Buffer(context, std::move(name), values.size(), use) {
    upload(values);
  }
  std::size_t count() const { return count_; }

  void upload(std::span<const T> values, std::size_t first = 0) {
    FATHOM_CHECK_OP(first + values.size(), <=, count_);
    if (!values.empty())
      write(values.data(), std::int64_t(values.size_bytes()), std::int64_t(first * sizeof(T)));
  }
  std::vector<T> download(std::size_t first, std::size_t count) const {
    FATHOM_CHECK_OP(first + count, <=, count_);
    std::vector<T> values(count);
    if (count)
      read(values.data(), std::int64_t(count * sizeof(T)), std::int64_t(first * sizeof(T)));
    return values;
  }
  std::vector<T> download() const { return download(0, count_); }

 private:
  std::size_t count_ = 0;
};

using Words = Buffer<std::uint32_t>;

/// Whether a buffer of `have` values is kept for `count` of them: it is large enough, but was not
/// made for a picture four times this one.
constexpr bool suits(std::size_t have, std::uint64_t count) {
  return have >= count && have / 4 <= std::max<std::uint64_t>(count, 1024);
}

/// Makes room for `count` values: keeps a buffer that suits() and replaces any other, after giving
/// the old one back; contents are then undefined. Throws DoesNotFit and leaves the old one.
template <class T>
void ensure(Context& context, Buffer<T>& buffer, const std::string& name, std::uint64_t count) {
  if (buffer && suits(buffer.count(), count)) return;
  context.memory().expectRoom(name, std::int64_t(count * sizeof(T)), true, buffer.bytes());
  buffer = {};
  buffer = Buffer<T>(context, name, std::size_t(count));
}

/// A part of a buffer, or all of it.
struct BufferRange {
  BufferRange(const RawBuffer& whole) : buffer(&whole), bytes(whole.bytes()) {}
  BufferRange(const RawBuffer& of, std::int64_t first, std::int64_t length)
      : buffer(&of), offset(first), bytes(length) {}
  const RawBuffer* buffer;
  std::int64_t offset = 0, bytes;
};

/// A buffer's contents where they lie, for work that the processor does better than shaders that it
/// has to emulate: only on software renderers, which keep them in its memory. The device must be
/// done with the buffer, and does nothing with it while this lives. The buffer is not empty.
class HostView {
 public:
  HostView(Context& context, RawBuffer& buffer);
  ~HostView();
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  GlId buffer_;
  void* data_ = nullptr;
};

/// Brings buffer contents back without stalling: request() copies on the GPU into a persistently
/// mapped buffer and sets a fence; ready() polls; data() is valid once ready (or after wait()).
class ReadBack {
 public:
  enum class Mode { Read, ReadAndWrite };
  ReadBack() = default;
  ReadBack(Context& context, std::string name, std::int64_t bytes, Mode mode = Mode::Read);

  void request(const RawBuffer& source, std::int64_t bytes, std::int64_t offsetBytes = 0);
  /// Asks without waiting; true once the contents are there.
  bool ready() const;
  /// Waits unless ready() has seen it complete. Throws DeviceLost.
  void wait() const;
  std::span<const std::byte> data() const;  // of the last request
  /// All of the memory, for code that continues to work in it (Mode::ReadAndWrite); no request
  /// may be pending.
  std::span<std::byte> memory() const;
  std::int64_t capacity() const { return buffer_.bytes(); }

 private:
  RawBuffer buffer_;
  void* mapped_ = nullptr;
  Fence fence_;
  std::int64_t requested_ = 0;
  mutable bool reached_ = false;  // the fence, as far as ready() and wait() know
  Mode mode_ = Mode::Read;
};

/// Small blocks of parameters for dispatches, written straight into memory that the device reads:
/// no call of the driver and no barrier per block. The ring has quarters; one is used again when
/// the device has passed the fence behind it.
class UniformRing {
 public:
  static constexpr std::int64_t kQuarterBytes = 64 * 1024;

  explicit UniformRing(Context& context);

  /// Copies at most kQuarterBytes; whole rows of 16 bytes are bound. What is returned holds for the
  /// calls made next, until 3 quarters more have been placed.
  BufferRange place(const void* data, std::int64_t bytes);

 private:
  void nextQuarter();

  RawBuffer buffer_;
  std::byte* mapped_ = nullptr;
  std::int64_t alignment_ = 256, at_ = 0;
  std::size_t quarter_ = 0;
  std::array<Fence, 4> fences_;
};

/// Buffer contents brought to the processor through memory of their own, piece by piece. Read where
/// they lie, drivers may move the whole buffer to the processor's side (NVIDIA's message 131186),
/// and every shader that uses it afterwards goes over the bus.
class StagedRead {
 public:
  static constexpr std::int64_t kPieceBytes = std::int64_t(4) << 20;

  explicit StagedRead(Context& context);
  /// Waits for the device: one piece is copied there while another is taken in here. The caller has
  /// checked the range. Throws DeviceLost.
  void read(const RawBuffer& source, void* data, std::int64_t bytes, std::int64_t offsetBytes);

 private:
  std::array<ReadBack, 2> pieces_;
};

}  // namespace fathom::gpu
