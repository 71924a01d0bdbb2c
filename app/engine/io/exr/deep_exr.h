// SPDX-License-Identifier: BSD-3-Clause
// Deep EXR files: what they hold, reading them into a DeepImage and writing one, whole or in bands
// of rows. The OpenEXR library parses headers and finds chunks; their payload is decoded and
// encoded here, on all cores, straight between the file's planes and the words of DeepImage, so
// that nothing is allocated before the sizes were checked and fragments keep every bit.
//
//   DeepImage image = readDeepExr("smoke.exr");      writeDeepExr("copy.exr", image);
//
//   DeepExrReader in("smoke.exr");                   DeepExrWriter out("copy.exr",
//   in.emptyImage()); for (each band) out.writeRows(in.readRows(first, last)); out.finish();
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/progress.h"

namespace fathom {

struct DeepReadOptions {
  std::string part{};          // number or name of the part; empty: the first deep one
  bool keepBadValues = false;  // NaN and infinite color and odd alpha stay; NaN depth never does
  bool asStored = false;       // nothing is repaired or sorted: for looking at the file itself
  std::uint64_t memoryBudget = 0;  // bytes the image may take; 0: deepMemoryBudget()
  Progress* progress = nullptr;    // told in rows; its cancel() ends the work with Cancelled
};

/// What deep images may take in memory unless told otherwise: three quarters of this machine's.
std::uint64_t deepMemoryBudget();

/// One part of an EXR file, flat or deep, as its header describes it.
struct ExrPartInfo {
  struct Channel {
    std::string name;
    ChannelType type = ChannelType::Half;
  };
  int index = 0;
  std::string name, view;   // empty when the file does not say
  std::string type;         // "scanlineimage", "tiledimage", "deepscanline", "deeptile"
  std::string compression;  // "none", "rle", "zips", ...
  std::string state;        // deepImageState: "messy", "sorted", "non-overlapping", "tidy" or empty
  bool deep = false, tiled = false;
  Rect dataWindow, displayWindow;
  float pixelAspect = 1.0f;
  std::vector<Channel> channels;  // in the file's (alphabetical) order
  int tileWidth = 0, tileHeight = 0, levelCount = 1;
  SharedAttributes attributes;  // all of them, as the file has them

  bool has(std::string_view channel) const;
  /// By its number, name or view.
  bool is(const std::string& wish) const {
    return name == wish || view == wish || std::to_string(index) == wish;
  }
  /// Its name, else its view, else its number.
  std::string label() const {
    return !name.empty() ? name : !view.empty() ? view : std::to_string(index);
  }
  /// "A, B, G, R, Z"
  std::string channelNames() const;
};

/// "FILE#PART" as file and part; a file that exists under the whole name has no part.
std::pair<std::string, std::string> splitPart(const std::string& input, char separator = '#');
/// The file is that of one of the inputs, by this or another name: writing it would replace that.
bool isInput(const std::string& file, const std::vector<std::string>& inputs);

/// What a deep part holds, from its count tables alone.
struct DeepTotals {
  std::uint64_t fragmentCount = 0;
  std::uint64_t emptyPixels = 0;
  std::uint32_t maxPerPixel = 0;
  std::uint64_t memoryBytes = 0;  // what readDeepExr will allocate
};

struct ExrFileInfo {
  fs::path file;
  std::uint64_t fileBytes = 0;
  std::vector<ExrPartInfo> parts;
  std::vector<std::optional<DeepTotals>> totals;  // per part; none where nothing deep can be read
};

/// Describes a flat or deep EXR without loading pixels. Throws Error.
ExrFileInfo describeExr(const fs::path& file, Progress* progress = nullptr);

/// The parts alone, from the headers. Throws Error.
std::vector<ExrPartInfo> exrParts(const fs::path& file);

/// True when the file starts as an EXR file does and its deep flag is set; false for anything else.
bool looksLikeDeepExr(const fs::path& file);
bool looksLikeExr(const fs::path& file);

class DeepExrReader {
 public:
  /// Opens the file, checks the header of the chosen part and the declared sizes against the file's
  /// length. Throws Error: not an EXR, flat, no "Z", damaged.
  explicit DeepExrReader(const fs::path& file, const DeepReadOptions& options = {});
  ~DeepExrReader();
  DeepExrReader(DeepExrReader&&) noexcept;

  const ExrPartInfo& part() const;
  /// Rows that the file stores together, from the top of the data window: 1, or a tile's height.
  int rowStep() const;
  /// Windows, channels and format of what readRows() will return, without fragments.
  DeepImage emptyImage() const;
  /// Fragments in each row of the data window, top first. Reads every count table at the first
  /// call.
  const std::vector<std::uint64_t>& rowCounts();
  /// The same of a part of the data window, of whose rows alone count tables are read.
  std::vector<std::uint64_t> rowCounts(const Rect& within);
  const DeepTotals& totals();

  /// The rows first <= y < last (image coordinates, inside the data window) as an image whose data
  /// window is cut to them; lists are sorted by (Z, ZBack), equal ones in the file's order.
  DeepImage readRows(int first, int last);
  DeepImage readAll() { return readRows(part().dataWindow.y, part().dataWindow.bottom()); }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

DeepImage readDeepExr(const fs::path& file, const DeepReadOptions& options = {});

/// By the numbers of the file; OpenEXR reads zstd from 3.5 on.
enum class DeepCompression { None = 0, Rle = 1, Zips = 2, Zstd = 12 };
inline constexpr std::pair<const char*, DeepCompression> kDeepCompressions[] = {
    {"none", DeepCompression::None},
    {"rle", DeepCompression::Rle},
    {"zips", DeepCompression::Zips},
    {"zstd", DeepCompression::Zstd}};
/// Throws UsageError: "WHAT: expected none, rle, zips or zstd, found ...".
DeepCompression deepCompressionNamed(const std::string& name, const std::string& what);

struct DeepWriteOptions {
  /// None: that of the header the image came from, else zips.
  std::optional<DeepCompression> compression{};
  int level = 1;  // zips, zstd: 1 (fast) .. 12 (small)
  bool tiled = false;
  int tileSize = 64;
  /// The header as the image's attributes have it: state, compression, order, tiles and all.
  bool asStored = false;
  Progress* progress = nullptr;
};

/// Whether a file of this name is packed: blocks of 16 rows by deep_pack, behind the header that it
/// would have as an EXR file. The reader knows by what is in the file.
inline bool isPackedName(const fs::path& file) { return file.extension() == ".fdp"; }

/// Writes deep EXR, or a packed file.
class DeepExrWriter {
 public:
  /// Writes the header: windows, aspect, channels (with their types), order and attributes of
  /// `like`; its fragments are not looked at. An Rgba8 image is written as premultiplied half RGBA
  /// with float Z. Rows are stored in the order that the attributes name.
  DeepExrWriter(const fs::path& file, const DeepImage& like, const DeepWriteOptions& options = {})
      : DeepExrWriter(file, std::span(&like, 1), options) {}
  /// A file of several parts, which need different names ("name" among their attributes).
  DeepExrWriter(const fs::path& file, std::span<const DeepImage> parts,
                const DeepWriteOptions& options = {});
  ~DeepExrWriter();  // without finish() no file appears
  DeepExrWriter(DeepExrWriter&&) noexcept;

  /// Bands end at multiples of this many rows from the top of the data window (1, or those of a
  /// tile or block).
  int rowStep() const;
  /// The next rows of a part: `band` covers the full width of the data window and starts where the
  /// last one of the part ended.
  void writeRows(const DeepImage& band, int part = 0);
  /// The same of rows that a DeepExrPacker has packed. Throws Error when they are not the next
  /// ones.
  void storeRows(std::span<const std::byte> packed, int part = 0);
  /// After the last row of all: puts the file in place.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Packs rows as the file stores them, in any process that has them: where many share the work,
/// only the bytes go to the one that writes.
class DeepExrPacker {
 public:
  /// As the writer is made; `file` is named in messages only.
  DeepExrPacker(const fs::path& file, const DeepImage& like, const DeepWriteOptions& options = {});
  ~DeepExrPacker();
  DeepExrPacker(DeepExrPacker&&) noexcept;

  /// Whether they are whole chunks of full width; others cannot be packed.
  bool fits(const Rect& rows) const;
  std::vector<std::byte> pack(const DeepImage& band) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

void writeDeepExr(const fs::path& file, const DeepImage& image,
                  const DeepWriteOptions& options = {});

}  // namespace fathom
