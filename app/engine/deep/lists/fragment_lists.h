// SPDX-License-Identifier: BSD-3-Clause
// One deep image, or a region of it, on the GPU in one of the layouts: its shape, its buffers or
// slices of them, the order of its pixels in memory; and the store that all passes over lists
// share: room and tables, programs compiled for a shape, the prefix sum, the summary that passes
// write for the host, scratch buffers. What the buffers hold is stated in shaders/deep/shared.h.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/memory_account.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/scan.h"
#include "shaders/deep/shared.h"

namespace fathom::deep {

/// Words of a fragment list on the GPU: all of a buffer, or a slice of one in which the lists of
/// several images lie one after the other (pool()), so that one pass can walk many lists with few
/// storage blocks. Passes over one list bind the slice alone and see no difference.
class BufferSlice {
 public:
  using Buffer = gpu::Words;

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

/// What decides the meaning of the buffers; images that are merged have the same.
struct ListShape {
  Layout layout = Layout::BlockInterleaved;
  int block = 4;
  Slots slots = Slots::Tile2x8;
  FragmentFormat format = FragmentFormat::Half;

  int words() const { return wordsPerFragment(format); }
  /// Fragments that register block merge reads at once: at most 32 words of each list.
  int registers() const { return std::clamp(block, 4, words() > 2 ? 8 : 16); }
  /// The fragments that data must hold: what a layout leaves free counts, and node 0 of LL.
  std::uint64_t elementsFor(std::uint64_t fragments, std::uint32_t slotCount) const;
  bool operator==(const ListShape&) const = default;
};

inline ListShape shapeOf(const Settings& s, FragmentFormat format) {
  return {s.layout, s.block(), s.slots, format};
}

/// The shape for passes that go from slot to slot and never need the pixel: one program serves
/// both orders.
inline ListShape anySlots(ListShape shape) {
  shape.slots = Slots::Raster;
  return shape;
}

/// The shape that holds each list in one piece.
inline ListShape linearized(ListShape shape) {
  shape.layout = Layout::Linearized;
  return shape;
}

inline bool isLinked(const ListShape& shape) { return shape.layout == Layout::LinkedList; }
inline bool isRanked(const ListShape& shape) { return shape.layout == Layout::RankInterleaved; }
inline bool isLinear(const ListShape& shape) { return shape.layout == Layout::Linearized; }
/// Layouts that are compiled for a block size.
inline bool isBlocked(const ListShape& shape) {
  return shape.layout == Layout::BlockInterleaved || shape.layout == Layout::AlignedBlocks ||
         shape.layout == Layout::RankInterleaved;
}
/// Layouts whose `extra` holds the minimum of each group.
inline bool hasMinimums(const ListShape& shape) {
  return !isLinked(shape) && !isLinear(shape) && !isRanked(shape);
}

/// Width and height padded to multiples of 4 and 8: groups of 32 slots are never partial.
inline std::uint32_t paddedWidth(const Rect& region) {
  return std::uint32_t(region.width + 3) / 4 * 4;
}
inline std::uint64_t slotCountOf(const Rect& region) {
  return std::uint64_t(paddedWidth(region)) * (std::uint64_t(region.height + 7) / 8 * 8);
}

/// The slot of a pixel of the region, counted from its corner; the same order as slots.glsl.
inline std::uint32_t slotOf(const Rect& region, Slots slots, int x, int y) {
  const auto px = std::uint32_t(x), py = std::uint32_t(y), width = paddedWidth(region);
  if (slots == Slots::Raster) return py * width + px;
  return ((py >> 3) * (width >> 1) + (px >> 1)) * 16 + (py & 7) * 2 + (px & 1);
}

/// Buffers are kept when the object is filled again, and may be larger than needed. The lists of
/// several images may lie in the same buffers (merge_lists.h).
struct FragmentLists {
  ListShape shape;
  Rect region;  // in pixels of the picture
  std::uint32_t slotCount = 0;
  std::uint32_t fragmentCount = 0;
  std::uint32_t longest = 0;   // no list has more fragments
  std::uint32_t capacity = 0;  // fragments that data can hold; LL: nodes, node 0 included
  bool descending = false;     // LL saved by pushing: lists run back to front

  BufferSlice table, counts, extra, data;

  std::uint32_t groupCount() const { return slotCount / DEEP_GROUP; }
  /// Fragments that data must hold for fragmentCount.
  std::uint64_t elements() const { return shape.elementsFor(fragmentCount, slotCount); }
  /// Bytes of the paper's Table 4: `used` counts what the fragments need, `allocated` the pool of a
  /// linked list as it was made.
  std::int64_t usedBytes() const;
  std::int64_t allocatedBytes() const;
};

/// A region as at least two regions and at most `reason.pieces()`, top first: by rows at multiples
/// of 8, a single strip by columns at multiples of 4, left first. Throws Error with the reason when
/// it is a single block of 4 x 8 pixels.
std::vector<Rect> cut(const Rect& region, const gpu::DoesNotFit& reason);

/// Parameters that every pass over lists has.
shared::Params paramsOf(const FragmentLists& lists);

/// What a pass costs that walks every list once: one invocation per slot, `each` per fragment.
gpu::DispatchCost walkCost(const FragmentLists& lists, const gpu::Each& each);
gpu::DispatchCost walkCost(std::span<const FragmentLists* const> lists, const gpu::Each& each);
/// The longest list that several make together.
std::uint32_t longestOf(std::span<const FragmentLists* const> lists);

/// A software renderer ended a loop before the end of a list.
class ListTooLong : public Error {
 public:
  using Error::Error;
};

class ListStore {
 public:
  explicit ListStore(gpu::Context& gpu);

  gpu::Context& gpu() const { return gpu_; }
  gpu::Scanner& scanner() { return scanner_; }
  /// `longest`: no loop of the pass goes through more fragments (0: who knows).
  gpu::PassKey key(const std::string& name, const std::string& file, const ListShape& shape,
                   std::vector<gpu::Define> defines = {}, std::uint32_t longest = 0) const;
  gpu::PassKey summaryKey(const ListShape& shape) const;  // of queueSummary()
  gpu::Pass& pass(const gpu::PassKey& key);
  gpu::Pass& pass(const std::string& name, const std::string& file, const ListShape& shape,
                  std::vector<gpu::Define> defines = {}, std::uint32_t longest = 0) {
    return pass(key(name, file, shape, std::move(defines), longest));
  }

  /// Throws ListTooLong when a pass since the last call left a list before its end: what was made
  /// is void.
  void expectWhole();

  /// Tables for the region; contents undefined. Data follows with reserve() once the count is
  /// known. Both throw DoesNotFit.
  void prepare(FragmentLists& out, const Rect& region, const ListShape& shape);
  void reserve(FragmentLists& out, std::uint64_t fragments);

  /// Group minimums, length classes and totals; the scanned table comes after it (LA counts in its
  /// table). Waits for the device once; `nodes`: a counter that the summary brings along.
  shared::Summary summarize(FragmentLists& lists, const gpu::RawBuffer* nodes = nullptr);
  /// The two halves of it: the passes, which leave the summary in summary(); and, once the host has
  /// it, what follows from it.
  void queueSummary(FragmentLists& lists, const gpu::RawBuffer* nodes = nullptr);
  void accept(FragmentLists& lists, const shared::Summary& summary);
  /// RIA: ranks from counts.
  void rankLists(FragmentLists& lists);
  /// Complete tables from counts that are in place (LA: in the table), by a scan.
  void tabulate(FragmentLists& lists);
  /// Linked lists that run back to front are reversed.
  void ascend(FragmentLists& lists);

  /// Written by passes, cleared by who starts them.
  gpu::Buffer<shared::Summary>& summary() { return summary_; }
  shared::Summary readSummary() { return summary_.download().front(); }

  SortMethod sortMethod = SortMethod::Auto;  // Auto: InPlace on software renderers, else Network
  bool sortsInPlace() const {
    return sortMethod == SortMethod::InPlace ||
           (sortMethod == SortMethod::Auto && gpu_.device().software);
  }
  /// What tells passes which lists are long.
  gpu::Define longestShort() const {
    return {"LONGEST", sortsInPlace() ? DEEP_LONGEST : DEEP_LONGEST_SHARED};
  }
  /// Wall time that was spent on copying deep images to and from the device so far.
  double uploadMs = 0, downloadMs = 0;

  /// Buffers that passes use one after the other; nothing stays in them for longer.
  struct Scratch {
    using Words = gpu::Words;
    Words order;          // uint[DEEP_CLASSES][groups] flags, then places, of groups by length
    Words groups;         // the groups by length
    Words raster;         // uint[height][width]: fragments per pixel, or their exclusive sums
    Words rasterOffsets;  // where the list of each pixel begins in rasterWords
    Words rasterWords;    // fragments in raster order, front to back
    Words longLists;      // the lists beyond the longest network
    Words lists;          // fragments of such lists, of one list, or of lists that are thinned
    FragmentLists plain, plainMatte, plainOut;  // linearized, on the way from and to RIA
  };
  Scratch& scratch() { return scratch_; }
  void ensure(gpu::Words& buffer, const std::string& name, std::uint64_t words) {
    gpu::ensure(gpu_, buffer, name, words);
  }

 private:
  void ensure(BufferSlice& slice, const std::string& name, std::uint64_t words);

  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  gpu::Buffer<shared::Summary> summary_;
  gpu::Words unfinished_;  // where a software renderer has the block: 1 when a loop was ended
  Scratch scratch_;
};

/// Binds lists as number `index` of a pass.
gpu::Program& bind(gpu::Program& program, const FragmentLists& lists, unsigned index = 0);

/// Batcher's odd-even merge sort for n = 2^k inputs as "CX(0, 1) CX(2, 3) ..."
std::string sortingNetwork(int n);

}  // namespace fathom::deep
