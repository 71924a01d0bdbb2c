// SPDX-License-Identifier: BSD-3-Clause
// What the deep commands write into: a deep EXR from bands, a flat picture from rows.
#pragma once

#include "app/io/exr/deep_exr.h"
#include "app/io/image_file.h"
#include "app/techniques/command.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::deep {

/// Of the flags --compression and --tiled. Throws UsageError.
DeepWriteOptions writeOptions(CommandContext& context);

/// Hands bands to the writer; keeps rows that do not fill a row of tiles yet.
class BandWriter {
 public:
  BandWriter(const std::string& file, const DeepImage& like, const DeepWriteOptions& options)
      : writer_(file, like, options), bottom_(like.dataWindow.bottom()) {}

  int rowStep() const { return writer_.rowStep(); }
  std::uint64_t fragments() const { return fragments_; }
  double ms() const { return ms_; }

  void write(DeepImage&& rows);
  void finish();

 private:
  DeepExrWriter writer_;
  DeepImage waiting_;
  int bottom_;
  std::uint64_t fragments_ = 0;
  double ms_ = 0;
};

/// A flat picture that grows row by row: an EXR in its windows, a PNG of the display window.
class PictureWriter {
 public:
  PictureWriter(std::string file, const DeepImage& header, bool asFloat);
  double ms() const { return ms_; }

  void write(const Image& rows);
  void finish();

 private:
  /// Copies the part of the rows that is inside the frame.
  void place(const std::vector<std::uint8_t>& rgb, const Rect& rows);

  std::string file_;
  Rect data_, frame_;
  std::optional<FlatExrWriter> exr_;
  std::vector<std::uint8_t> bytes_;
  int row_ = 0;
  double ms_ = 0;
};

}  // namespace fathom::deep
