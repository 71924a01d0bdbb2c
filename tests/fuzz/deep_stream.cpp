// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target for the streams that ranks send each other: whatever the bytes, the answer is rows or
// Error. Rows that came out go in again and come out the same. The first four bytes say what is
// expected: width, height, format.
#include "app/engine/core/error.h"
#include "app/engine/deep/distribute/row_stream.h"
#include "app/engine/io/deflate.h"
#include "tests/fuzz/fuzz.h"

namespace fathom::deep {
namespace {

constexpr std::size_t kHeaderBytes = 44;

StreamLimits limitsOf(std::span<const std::byte> bytes) {
  StreamLimits limits;
  const auto number = [&](std::size_t i) { return std::to_integer<int>(bytes[i]); };
  limits.region = {number(3) % 5 - 2, number(3) % 3, 1 + number(0) % 64, 1 + number(1) % 64};
  limits.like.format = FragmentFormat(number(2) % 3);
  limits.like.hasZBack = number(2) / 3 % 2 != 0;
  if (limits.like.format == FragmentFormat::Indexed)
    limits.like.channels = {{"A", ChannelType::Half, {}}, {"id", ChannelType::Uint, {}}};
  limits.inputs = 3;
  limits.maxFragments = 100'000;
  return limits;
}

void decodeOne(std::span<const std::byte> stream, const StreamLimits& limits) {
  DecodedRows rows;
  try {
    rows = decodeRows(stream, limits);
  } catch (const Error&) {
    return;
  }
  FATHOM_CHECK(rows.input < limits.inputs);
  const DeepImage& image = rows.image;
  FATHOM_CHECK_OP(image.fragmentOffsets.size(), ==, image.pixelCount() + 1);
  FATHOM_CHECK_OP(image.words.size(), ==, image.fragmentCount() * std::size_t(image.stride()));
  const std::vector<std::byte> again = encodeRows(image, limits.region, {rows.input});
  if (again.empty()) return;
  const DeepImage same = decodeRows(again, limits).image;
  FATHOM_CHECK(same.words == image.words && same.fragmentOffsets == image.fragmentOffsets);
}

}  // namespace
}  // namespace fathom::deep

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::deep;
  const auto bytes = std::as_bytes(std::span(data, size));
  if (size < 4) return 0;
  const StreamLimits limits = limitsOf(bytes);
  const std::span<const std::byte> stream = bytes.subspan(4);
  decodeOne(stream, limits);
  // With a checksum that fits, or no mutation would come past it.
  if (stream.size() < kHeaderBytes) return 0;
  std::vector<std::byte> mended(stream.begin(), stream.end());
  const std::uint32_t sum = fathom::crc32(std::span(mended).subspan(kHeaderBytes));
  std::memcpy(mended.data() + kHeaderBytes - 4, &sum, 4);
  decodeOne(mended, limits);
  return 0;
}
