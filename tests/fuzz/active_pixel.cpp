// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target for the reader of .icet files: whatever the bytes, it answers with an image or with
// Error. An image that was read decodes, and is the same when encoded again or with its runs
// joined.
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/active_pixel/image/runs.h"
#include "app/engine/core/error.h"
#include "tests/fuzz/fuzz.h"

namespace fathom::active_pixel {
namespace {

void readOne(std::span<const std::byte> bytes) {
  SparseImage image;
  try {
    image = parseIcet(bytes, "fuzz.icet");
  } catch (const Error&) {
    return;
  }
  if (std::uint64_t(image.words[3]) * image.words[4] > 100'000) return;
  const Compositing compositing = compositingOf(image.words);
  const SparseFacts facts = reference::check(image.words, compositing, "fuzz.icet");
  const Frame frame = reference::decode(image.words, compositing, glm::vec4(0));
  FATHOM_CHECK_OP(frame.pixelCount(), >=, facts.active);

  const IndexedWords joined = indexRuns(image.words);
  FATHOM_CHECK_OP(reference::check(joined.words, compositing, "joined").active, ==, facts.active);
  const Frame again = reference::decode(joined.words, compositing, glm::vec4(0));
  FATHOM_CHECK(reference::encode(again) == reference::encode(frame));
}

/// With its size as the header says and says right, or few mutations would come past the header.
std::vector<std::byte> withLength(std::span<const std::byte> bytes) {
  std::vector<std::byte> mended(bytes.begin(), bytes.end());
  mended.resize(mended.size() / 4 * 4);
  if (mended.size() < kHeaderBytes) return {};
  const auto length = std::uint32_t(mended.size());
  std::memcpy(mended.data() + 24, &length, 4);
  return mended;
}

}  // namespace
}  // namespace fathom::active_pixel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  fathom::active_pixel::readOne(bytes);
  fathom::active_pixel::readOne(fathom::active_pixel::withLength(bytes));
  return 0;
}
