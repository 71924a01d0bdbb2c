// SPDX-License-Identifier: BSD-3-Clause
// By libdeflate, which is linked for EXR anyway.
#include "app/engine/io/checksum.h"

#include <libdeflate.h>

namespace fathom {

std::uint32_t crc32(std::span<const std::byte> bytes) {
  return bytes.empty() ? 0 : libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace fathom
