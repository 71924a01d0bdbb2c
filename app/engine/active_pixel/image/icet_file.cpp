// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file are the words of an image; all of them are checked before use.
#include "app/engine/active_pixel/image/icet_file.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/active_pixel/image/reference.h"

#include <cstring>
#include <fstream>
#include <limits>

namespace fathom::active_pixel {

bool isIcetFile(const std::string& input) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(input, missing)) return false;
  if (std::filesystem::path(input).extension() == ".icet") return true;
  char first[4] = {};
  std::ifstream in(input, std::ios::binary);
  return in.read(first, 4) &&
         load<std::uint32_t>(reinterpret_cast<std::byte*>(first)) == kSparseMagic;
}

Compositing compositingOf(std::span<const std::uint32_t> words) {
  FATHOM_CHECK_OP(words.size(), >=, kHeaderWords);
  return words[2] == icetDepthFormat(Depth::None) ? Compositing::Blend : Compositing::ZBuffer;
}

SparseImage parseIcet(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() % 4 != 0)
    fail("{}: expected whole words of 4 bytes, found {} bytes", name, bytes.size());
  SparseImage image;
  image.words.resize(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(image.words.data(), bytes.data(), bytes.size());
  const bool hasHeader = image.words.size() >= kHeaderWords;
  reference::check(image.words, hasHeader ? compositingOf(image.words) : Compositing::ZBuffer,
                   name);
  return image;
}

SparseImage readIcet(const std::filesystem::path& file) {
  const std::string bytes = readFile(file, std::numeric_limits<std::int32_t>::max());
  return parseIcet(std::as_bytes(std::span(bytes)), file.string());
}

void writeIcet(const std::filesystem::path& file, std::span<const std::uint32_t> words) {
  AtomicFile out(file);
  out.append(std::as_bytes(words));
  out.commit();
}

}  // namespace fathom::active_pixel
