// SPDX-License-Identifier: BSD-3-Clause
// An EXR file open for reading through OpenEXR's C library: the header of each part, and the raw
// bytes of deep chunks. Or a packed one (.fdp): the same header behind another magic number, whose
// chunks are found here. Reading chunks is safe from any thread. Every failure is an Error that
// names the file.
#pragma once

#include "app/engine/io/exr/deep_exr.h"

#include <openexr.h>

namespace fathom {

/// The library calls files damaged whose compression came after it. Throws the Error that names it.
void nameNewCompression(const fs::path& file);

class ExrSource {
 public:
  /// Reads the headers of all parts. Throws Error when this is no EXR file or a damaged one.
  explicit ExrSource(const fs::path& file);
  ~ExrSource();

  const fs::path& file() const { return file_; }
  std::uint64_t fileBytes() const { return fileBytes_; }
  const std::vector<ExrPartInfo>& parts() const { return parts_; }
  /// Blocks of rows, packed by deep_pack.
  bool isPacked() const { return isPacked_; }
  int rowsPerChunk(int part) const;
  int chunkCount(int part) const;

  /// The sizes and place of a chunk, checked against the file's length. `y` in image coordinates.
  exr_chunk_info_t scanlineChunk(int part, int y) const;
  /// Tile (tileX, tileY) of the full-resolution level.
  exr_chunk_info_t tileChunk(int part, int tileX, int tileY) const;
  /// table and data have the sizes that the chunk names; either may be empty to skip it.
  void readDeepChunk(int part, const exr_chunk_info_t& chunk, std::span<std::byte> table,
                     std::span<std::byte> data) const;

  /// "FILE: expected ..., found ..."
  [[noreturn]] void damaged(const std::string& expected, const std::string& found) const;

 private:
  ExrPartInfo describe(int part) const;
  void describeWindows(ExrPartInfo& info) const;
  void describeChannels(ExrPartInfo& info) const;
  void describeTiles(ExrPartInfo& info) const;
  void check(exr_result_t result, const std::string& expected) const;
  void disguise(std::uint64_t headerEnd, bool isDeep);
  void openPacked(std::uint64_t at);
  void readPacked(std::uint64_t from, std::span<std::byte> to) const;
  exr_chunk_info_t packedChunk(int part, int y) const;
  fs::path file_;
  std::uint64_t fileBytes_ = 0;
  exr_context_t context_ = nullptr;
  std::vector<ExrPartInfo> parts_;
  bool isPacked_ = false;
  struct Disguise;
  std::unique_ptr<Disguise> disguise_;
};

}  // namespace fathom
