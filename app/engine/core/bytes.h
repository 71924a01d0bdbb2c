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

/// Values one behind the other, little-endian; whole numbers in groups of seven bits, lowest first,
/// with the top bit set where another follows; texts with a zero at their end.
class ByteWriter {
 public:
  template <class... T>
  ByteWriter& put(const T&... values) {
    (append(std::as_bytes(std::span(&values, 1))), ...);
    return *this;
  }
  void putWhole(std::uint64_t value) {
    for (; value >= 128; value >>= 7) put(std::uint8_t(value | 128));
    put(std::uint8_t(value));
  }
  ByteWriter& text(const std::string& text) {
    return append(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
  }
  ByteWriter& append(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  const std::vector<std::byte>& bytes() const& { return bytes_; }
  std::vector<std::byte> bytes() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace fathom
