// SPDX-License-Identifier: BSD-3-Clause
// A few thousand random keys: several work groups, the last one partly filled.
#include "tests/races/primitives.h"

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/gpu/sort/scan.h"

namespace fathom::races {
namespace {

using Words = gpu::Buffer<std::uint32_t>;

std::vector<std::uint32_t> randomWords(std::size_t count, std::uint32_t below) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = std::uint32_t(random()) % below;
  return words;
}

void sortKeys(gpu::Context& context, gpu::RadixMethod method, std::size_t count,
              const gpu::SortOptions& options, const gpu::SweepShape& shape = {}, int turns = 1) {
  const std::vector<std::uint32_t> words = randomWords(count, 1u << 31);
  Words keys(context, "keys", words), otherKeys(context, "other keys", count);
  Words values(context, "payloads", words), otherValues(context, "other payloads", count);
  gpu::RadixSorter sorter(context, method, shape);
  const gpu::SortBuffers buffers{&keys, &otherKeys, &values, &otherValues};
  for (int turn = 0; turn < turns; ++turn) sorter.sort(buffers, count, options);
}

void scanAndReduce(gpu::Context& context, std::size_t count) {
  const Words in(context, "scanned", randomWords(count, 5));
  Words out(context, "sums", count + 1), runKeys(context, "run keys", count),
      runSums(context, "run sums", count);
  gpu::Scanner scanner(context);
  for (int turn = 0; turn < 2; ++turn) {
    scanner.exclusive(in, out, count);
    gpu::barrier(gpu::Access::Storage);
  }
  gpu::KeyReducer reducer(context);
  reducer.reduce(in, &in, count, runKeys, runSums);
  reducer.reduce(in, nullptr, count, runKeys, runSums);
}

/// Two blocks, the first of which says nothing, so that the other sums it.
void scanMuted(gpu::Context& context) {
  constexpr std::size_t kWords = 5000;
  const Words in(context, "scanned", randomWords(kWords, 5));
  Words out(context, "sums", kWords + 1);
  gpu::Scanner scanner(context, 1);
  scanner.exclusive(in, out, kWords);
  gpu::barrier(gpu::Access::Storage);
}

}  // namespace

void runPrimitives(gpu::Context& context) {
  using enum gpu::RadixMethod;
  // Twice, as a frame after a frame.
  sortKeys(context, Strands, 3000, {.firstBit = 0, .lastBit = 16, .discard = true}, {}, 2);
  sortKeys(context, Sweeps, 1500, {.firstBit = 0, .lastBit = 16, .discard = true},
           {.lanes = 64, .rows = 4, .mute = 2}, 2);
  // More keys than one group counts, and more values of a digit than a group has invocations.
  sortKeys(context, Sweeps, 17000, {.firstBit = 0, .lastBit = 10, .discard = true, .digitBits = 10},
           {.lanes = 64, .rows = 4});
  scanMuted(context);
  scanAndReduce(context, 9000);
}

}  // namespace fathom::races
