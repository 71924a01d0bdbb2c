// SPDX-License-Identifier: BSD-3-Clause
// RLE by hand, ZIP by libdeflate. Every length in a block is checked before bytes are copied.
#include "app/engine/io/exr/deep_codec.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace fathom::deep_codec {
namespace {

constexpr std::size_t kMinRun = 3;    // bytes worth a run
constexpr std::size_t kMaxRun = 127;  // length bytes are signed: run - 1, or minus literals

std::uint8_t* bytesOf(std::vector<std::byte>& data) {
  return reinterpret_cast<std::uint8_t*>(data.data());
}

/// delta and split of the drawing, in one pass each.
void splitAndDelta(std::span<const std::byte> raw, std::vector<std::byte>& out) {
  out.resize(raw.size());
  const auto* in = reinterpret_cast<const std::uint8_t*>(raw.data());
  std::uint8_t* even = bytesOf(out);
  std::uint8_t* odd = even + (raw.size() + 1) / 2;
  const std::size_t pairs = raw.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    even[i] = in[2 * i];
    odd[i] = in[2 * i + 1];
  }
  if (raw.size() % 2) even[pairs] = in[2 * pairs];
  std::uint8_t* bytes = bytesOf(out);
  for (std::size_t i = raw.size(); i-- > 1;) bytes[i] = std::uint8_t(bytes[i] - bytes[i - 1] + 128);
}

void undoDeltaAndSplit(std::vector<std::byte>& split, std::span<std::byte> raw) {
  std::uint8_t* bytes = bytesOf(split);
  std::uint8_t sum = raw.empty() ? 0 : bytes[0];
  for (std::size_t i = 1; i < raw.size(); ++i) bytes[i] = sum = std::uint8_t(sum + bytes[i] - 128);
  auto* out = reinterpret_cast<std::uint8_t*>(raw.data());
  const std::uint8_t* even = bytes;
  const std::uint8_t* odd = bytes + (raw.size() + 1) / 2;
  const std::size_t pairs = raw.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    out[2 * i] = even[i];
    out[2 * i + 1] = odd[i];
  }
  if (raw.size() % 2) out[2 * pairs] = even[pairs];
}

/// Length byte n >= 0: the next byte n + 1 times; n < 0: -n literal bytes follow.
bool unpackRle(std::span<const std::byte> packed, std::span<std::byte> out) {
  while (!packed.empty()) {
    const int n = static_cast<signed char>(packed[0]);
    const std::size_t literals = n < 0 ? std::size_t(-n) : 1;
    const std::size_t length = n < 0 ? literals : std::size_t(n) + 1;
    if (packed.size() < 1 + literals || out.size() < length) return false;
    if (n < 0)
      std::memcpy(out.data(), packed.data() + 1, length);
    else
      std::memset(out.data(), int(packed[1]), length);
    packed = packed.subspan(1 + literals);
    out = out.subspan(length);
  }
  return out.empty();
}

}  // namespace

std::uint64_t largestUnpacked(Method method, std::uint64_t packedBytes) {
  switch (method) {
    case Method::None:
      return packedBytes;
    case Method::Rle:
      return packedBytes * 64;  // two bytes stand for at most 128
    case Method::Zip:
      return packedBytes * 1032;  // the limit of deflate
  }
  return 0;
}

Unpacker::Unpacker() : inflate_(libdeflate_alloc_decompressor()) {
  if (!inflate_) throw std::bad_alloc();
}
Unpacker::~Unpacker() { libdeflate_free_decompressor(inflate_); }

bool Unpacker::unpack(Method method, std::span<const std::byte> packed, std::span<std::byte> raw,
                      std::size_t storedBytes) {
  const auto takeRaw = [&] {
    std::copy_n(packed.begin(), raw.size(), raw.begin());
    return true;
  };
  if (packed.size() == storedBytes) return takeRaw();
  split_.resize(raw.size());
  bool done = false;
  if (method == Method::Rle)
    done = unpackRle(packed, split_);
  else if (method == Method::Zip)
    done = libdeflate_zlib_decompress(inflate_, packed.data(), packed.size(), split_.data(),
                                      split_.size(), nullptr) == LIBDEFLATE_SUCCESS;
  // Some writers do not pad.
  if (!done) return packed.size() == raw.size() && takeRaw();
  undoDeltaAndSplit(split_, raw);
  return true;
}

Packer::Packer(Method method, int level) : method_(method) {
  if (method_ == Method::Zip && !(deflate_ = libdeflate_alloc_compressor(level)))
    throw std::bad_alloc();
}
Packer::~Packer() { libdeflate_free_compressor(deflate_); }

void Packer::packRle(std::vector<std::byte>& packed) const {
  const std::size_t end = split_.size();
  for (std::size_t i = 0; i < end;) {
    std::size_t run = 1;
    while (i + run < end && run < kMaxRun && split_[i + run] == split_[i]) ++run;
    if (run >= kMinRun) {
      packed.push_back(std::byte(run - 1));
      packed.push_back(split_[i]);
      i += run;
      continue;
    }
    // Literals up to the next run.
    std::size_t length = 0;
    while (i + length < end && length < kMaxRun) {
      const std::size_t at = i + length;
      if (at + 2 < end && split_[at] == split_[at + 1] && split_[at] == split_[at + 2]) break;
      ++length;
    }
    packed.push_back(std::byte(-int(length)));
    packed.insert(packed.end(), split_.begin() + std::ptrdiff_t(i),
                  split_.begin() + std::ptrdiff_t(i + length));
    i += length;
  }
}

std::vector<std::byte> Packer::pack(std::span<const std::byte> raw, std::size_t storedBytes) {
  std::vector<std::byte> packed;
  if (method_ != Method::None && !raw.empty()) {
    splitAndDelta(raw, split_);
    if (method_ == Method::Rle) {
      packRle(packed);
    } else {
      packed.resize(storedBytes);  // the room deflate gets; it gives 0 when that is too little
      packed.resize(libdeflate_zlib_compress(deflate_, split_.data(), split_.size(), packed.data(),
                                             packed.size()));
    }
    if (!packed.empty() && packed.size() < storedBytes) return packed;
  }
  packed.assign(raw.begin(), raw.end());
  packed.resize(storedBytes);
  return packed;
}

}  // namespace fathom::deep_codec
