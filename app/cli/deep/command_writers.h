// SPDX-License-Identifier: BSD-3-Clause
// What the deep commands write into: a deep EXR from bands, a flat picture from rows.
#pragma once

#include "app/cli/command.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::deep {

/// Of the flags --compression and --tiled. Throws UsageError.
DeepWriteOptions writeOptions(CommandContext& context);

/// Hands bands to the writer; keeps rows that do not fill a row of tiles yet.
class BandWriter {
 public:
  /// Writes a file of one part; finish() puts it in place.
  BandWriter(const std::string& file, const DeepImage& like, const DeepWriteOptions& options)
      : own_(std::in_place, file, like, options),
        writer_(*own_),
        bottom_(like.dataWindow.bottom()) {}
  /// Writes one part of a file, whose owner finishes it.
  BandWriter(DeepExrWriter& writer, const DeepImage& like, int part)
      : writer_(writer), part_(part), bottom_(like.dataWindow.bottom()) {}
  BandWriter(const BandWriter&) = delete;
  BandWriter& operator=(const BandWriter&) = delete;

  int rowStep() const { return writer_.rowStep(); }
  std::uint64_t fragments() const { return fragments_; }
  double ms() const { return ms_; }

  void write(DeepImage&& rows);
  /// Rows that another process has packed; none may wait for a tile's height.
  void store(std::span<const std::byte> packed) {
    FATHOM_CHECK(waiting_.dataWindow.empty());
    writer_.storeRows(packed, part_);
  }
  void finish();

 private:
  std::optional<DeepExrWriter> own_;
  DeepExrWriter& writer_;
  DeepImage waiting_;
  int part_ = 0, bottom_;
  std::uint64_t fragments_ = 0;
  double ms_ = 0;
};

/// A flat picture that grows row by row: an EXR in its windows, a PNG of the display window.
class PictureWriter {
 public:
  PictureWriter(std::string file, const DeepImage& header, bool asFloat,
                PngAlpha alpha = PngAlpha::OverBlack);
  double ms() const { return ms_; }

  void write(const Image& rows);
  void finish();

 private:
  int components() const { return alpha_ == PngAlpha::Straight ? 4 : 3; }
  /// Copies the part of the rows that is inside the frame.
  void place(const std::vector<std::uint8_t>& bytes, const Rect& rows);

  std::string file_;
  Rect data_, frame_;
  PngAlpha alpha_;
  std::optional<FlatExrWriter> exr_;
  std::vector<std::uint8_t> bytes_;
  int row_ = 0;
  double ms_ = 0;
};

}  // namespace fathom::deep
