// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of fathom deep and what they read and write: inputs opened as flags say, a deep
// EXR from bands, a flat picture from rows; and what they report of it.
#pragma once

#include "app/cli/command.h"
#include "app/engine/deep/engine.h"
#include "app/engine/deep/read/inputs.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/id_filter.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"

namespace fathom::deep {

extern const CommandFlag kPart, kKeepBad, kStream, kCompression, kTiled;

/// By the flags of the command.
DeepReadOptions readOptions(CommandContext& context);
/// Reads files (with the flags of the command) or a scene. The GPU is brought up meanwhile.
DeepEngine& openInputs(CommandContext& context);
/// Opens inputs as openInputs() does, but files stay on the disk unless --stream=off says
/// otherwise; for bandMerger() alone.
DeepEngine& openForBands(CommandContext& context);

/// The same, of files that `open` opens; it may put other names into context.inputs.
using RowsOpener = std::function<std::vector<std::unique_ptr<DeepRows>>(
    const std::vector<std::string>& files, const DeepReadOptions& options)>;
DeepEngine& openRowsForBands(CommandContext& context, const RowsOpener& open);

/// Opens inputs for one pixel: of files only its row is read. Throws Error when they have no such
/// pixel.
DeepEngine& openForPixel(CommandContext& context, glm::ivec2 pixel);
[[noreturn]] void failOutside(const CommandContext& context, const Rect& window, glm::ivec2 pixel);

/// Inputs that are files by the parts of the output that they belong to (read/inputs.h); what
/// is left out is said.
std::vector<PartGroup> groupsSaid(CommandContext& context);
/// The header of the output; where attributes of inputs differ, that is said, once per sequence.
DeepImage headerSaid(CommandContext& context, const MergeSetup& setup);
/// Phases and bands of what a merger did in `totalMs`, into the record.
void reportStages(CommandContext& context, BandMerger& merger, double totalMs, double writeMs);
/// Where inputs have several parts and none is named: the first, and the others are named.
void takeOnePart(CommandContext& context);

/// fragments_in, fragments_out and the size of the output.
void reportFragments(CommandContext& context, std::uint64_t in, std::uint64_t out);

void runHeatmap(CommandContext& context);
void runInspect(CommandContext& context);
void runCapture(CommandContext& context);
void runMerge(CommandContext& context);
void runFlatten(CommandContext& context);
/// Color alone, of one part: what deep composite writes too.
void runFlattenColor(CommandContext& context);
Command compositeCommand();  // composite.cpp
/// fathom deep capture --with-ids: each part of the scene with its ID.
void captureWithIds(CommandContext& context, const DeepWriteOptions& options);
void runCryptomatte(CommandContext& context);
/// The command is a chain of the step of its name.
void runStep(CommandContext& context);
void runRecolor(CommandContext& context);
void runChain(CommandContext& context);
void runPack(CommandContext& context);
void runCheck(CommandContext& context);
void runPoints(CommandContext& context);

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

/// A flat picture that grows row by row: an EXR in its windows, others of the display window.
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
  void place(const std::vector<std::uint8_t>& values, const Rect& rows);

  std::string file_;
  SharedAttributes attributes_;
  Rect data_, frame_;
  PngAlpha alpha_;
  std::optional<FlatExrWriter> exr_;
  std::vector<std::uint8_t> values_;
  int row_ = 0;
  double ms_ = 0;
};

}  // namespace fathom::deep
