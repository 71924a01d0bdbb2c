// SPDX-License-Identifier: BSD-3-Clause
// A few thousand random keys: several work groups, the last one partly filled.
#include "tests/races/primitives.h"

#include "app/gpu/pass.h"
#include "app/gpu/sort/radix_sort.h"
#include "app/gpu/sort/reduce_by_key.h"
#include "app/gpu/sort/scan.h"

#include <random>

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
              const gpu::SortOptions& options) {
  const std::vector<std::uint32_t> words = randomWords(count, 1u << 31);
  Words keys(context, "keys", words), otherKeys(context, "other keys", count);
  Words values(context, "payloads", words), otherValues(context, "other payloads", count);
  gpu::RadixSorter sorter(context, method);
  const gpu::SortBuffers buffers{&keys, &otherKeys, &values, &otherValues};
  sorter.sort(buffers, count, options);
  // Twice, as a frame after a frame.
  sorter.sort(buffers, count, options);
}

void scanAndReduce(gpu::Context& context, std::size_t count) {
  const Words in(context, "scanned", randomWords(count, 5));
  Words out(context, "sums", count + 1), runKeys(context, "run keys", count),
      runSums(context, "run sums", count);
  gpu::Scanner scanner(context);
  for (int turn = 0; turn < 2; ++turn) {
    scanner.exclusive(in, out, count);
    gpu::barrier(gpu::Reader::Storage);
  }
  gpu::KeyReducer reducer(context);
  reducer.reduce(in, &in, count, runKeys, runSums);
  reducer.reduce(in, nullptr, count, runKeys, runSums);
}

}  // namespace

void runPrimitives(gpu::Context& context) {
  constexpr std::size_t kCount = 9000;
  for (const auto method : {gpu::RadixMethod::Strands, gpu::RadixMethod::Sweeps})
    sortKeys(context, method, kCount, {.firstBit = 0, .lastBit = 16, .discard = true});
  scanAndReduce(context, kCount);
}

}  // namespace fathom::races
