// SPDX-License-Identifier: BSD-3-Clause
// The one radix sort of the program: 32-bit keys, optional 32-bit payloads, any range of bits,
// stable. Passes over digits from the lowest up, without any assumption about forward progress
// between work groups.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/shader_loader.h"
#include "app/engine/gpu/sort/scan.h"

namespace fathom::gpu::shared {
struct SweepParams;
}

namespace fathom::gpu {

/// Strands: a run of keys per invocation, with counters of its own, and three dispatches and a scan
/// per digit; any GL 4.5 device. Sweeps: tiles of keys per work group, ranked by votes within
/// subgroups, one dispatch per digit and one for all; where subgroups can vote. Auto: the better
/// one here.
enum class RadixMethod { Auto, Strands, Sweeps };

/// How shaders/common/ballot.glsl votes here: the values of BALLOT.
enum class Ballot { None = 0, Arb = 1, Khr = 2 };
Ballot ballotOf(const Context& context);

/// How a sweep is cut up. The defaults suit the device; tests choose others.
struct SweepShape {
  std::uint32_t lanes = 0;  // invocations per work group; 0: what suits the device
  std::uint32_t rows = 0;   // keys that each of them takes
  int mute = 0;             // every n-th tile publishes nothing (see sort_sweep.comp)
  bool countTraffic = false;
};

/// True when small sorts by sweeps with digits of up to `digitBits` bits come out right, with and
/// without payloads, which no capability promises. Waits for the device.
bool sweepsRight(Context& context, int digitBits);

/// A key with this value means "no entry" where SortOptions::discard is set.
inline constexpr std::uint32_t kDiscardKey = 0xFFFFFFFF;

struct SortOptions {
  int firstBit = 0, lastBit = 32;  // keys are ordered by bits [firstBit, lastBit)
  bool discard = false;            // entries whose key is kDiscardKey vanish
  /// Bits per pass, 1..10; 0: what suits the device. As many as the range has: a single pass.
  int digitBits = 0;
  /// Its first word says how many of the `count` entries there are, if the CPU does not know.
  const Words* countFrom = nullptr;
};

/// Keys (and payloads) stand in the first buffer; the other one is as large, and passes take turns.
struct SortBuffers {
  Words* keys = nullptr;
  Words* otherKeys = nullptr;
  Words* payloads = nullptr;  // may be null, then both
  Words* otherPayloads = nullptr;
};

/// The one of each two buffers that holds the result.
struct SortedBuffers {
  Words* keys = nullptr;
  Words* payloads = nullptr;
};

/// How one pass by strands is cut up; a strand is what one invocation sorts.
struct SortPlan {
  std::size_t count;
  int shift, bits;  // of the digit
  bool discard;
  std::uint32_t lanes;  // invocations per work group
  std::uint32_t strandKeys, strandCount;
  std::size_t partKeys;  // a multiple of strandKeys whose words fit a storage block
};

class RadixSorter {
 public:
  explicit RadixSorter(Context& context, RadixMethod method = RadixMethod::Auto,
                       const SweepShape& shape = {});

  /// Sorts the first `count` entries (at most 2^32 - 2) of buffers.keys. Both buffers of each pair
  /// are overwritten. Stable, and the same bytes on every run. Ends with the barrier for
  /// Access::Storage. Buffers may be larger than a storage block (Use::Other); their parts are then
  /// bound one after the other, each at the price of one more scatter per part of the input.
  /// Throws Error when a table would not fit a storage block.
  ///
  /// To sort within many segments, put the segment's number into the upper bits of the key; with
  /// more than 32 bits, sort by the lower word with the upper one as payload, then the other way
  /// round: stability keeps the first order. starts() of a single pass over the segment's bits are
  /// the segments' offsets.
  SortedBuffers sort(const SortBuffers& buffers, std::size_t count,
                     const SortOptions& options = {});

  /// uint[digits of the last pass + 1]: where the entries of each digit begin, and at the end how
  /// many there are in all, discarded ones left out. The last pass takes the uppermost bits.
  const Words& starts() const { return starts_; }
  /// uint[1]: how many entries the last sort kept.
  const Words& kept() const { return count_; }
  /// The same. Waits for the device.
  std::uint32_t keptCount() const;

  /// How the last sort ran; Auto before the first.
  RadixMethod method() const { return ran_; }
  /// Bytes moved between invocations and buffers by sweeps of this sorter, counted by the shaders
  /// (SweepShape::countTraffic). Waits for the device.
  struct Traffic {
    std::int64_t bytes = 0;    // what the method moves
    std::int64_t inStead = 0;  // besides, in place of tiles that were late
  };
  Traffic traffic() const;

 private:
  bool sweeps(const SortBuffers& buffers, std::size_t count, int digitBits);
  void sweep(SortBuffers& buffers, std::size_t count, const SortOptions& options, int passCount);
  void countDigits(const SortBuffers& buffers, std::size_t count, const shared::SweepParams& params,
                   std::vector<Define> defines);
  void sweepDigits(SortBuffers& buffers, std::size_t count, const SortOptions& options,
                   const std::vector<int>& firstBits);
  SortPlan plan(std::size_t count, int shift, int bits, bool discard) const;
  void runPass(const SortPlan& plan, const SortBuffers& buffers);
  void count(const SortPlan& plan, const SortBuffers& buffers, std::size_t from);
  void scatter(const SortPlan& plan, const SortBuffers& buffers, std::size_t from, std::size_t to);
  int widestDigit() const;

  Context& context_;
  Scanner scanner_;
  RadixMethod method_, ran_ = RadixMethod::Auto;
  SweepShape shape_;
  std::map<int, bool> trusted_;  // whether sweeps with digits of so many values came out right
  Words count_;                  // uint[1]: entries that go into the next pass
  Words input_;                  // uint[1]: entries that went into the first
  Words table_;                  // strands: uint[digitCount][strandCount] and the total
  Words states_;                 // sweeps: uint[passes][tileCount + 1][digitCount]
  Words shared_;                 // sweeps: what work groups hand one another besides
  Words traffic_;
  Words starts_;  // uint[digitCount + 1]
};

}  // namespace fathom::gpu
