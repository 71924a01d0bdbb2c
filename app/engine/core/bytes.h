// SPDX-License-Identifier: BSD-3-Clause
// Values in byte buffers that need not be aligned.
#pragma once

namespace fathom {

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace fathom
