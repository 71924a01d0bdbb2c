// SPDX-License-Identifier: BSD-3-Clause
// Two pieces take turns.
#include "app/gpu/staged_read.h"

#include "app/gpu/gl.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace fathom::gpu {

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
