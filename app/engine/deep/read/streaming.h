// SPDX-License-Identifier: BSD-3-Clause
// Deep EXR files that stay on the disk while they are merged: opened, counted, and read a band of
// rows at a time; and the cutting of a picture into bands that fit a budget. What goes through the
// bands, and what runs beside what, is up to bands/band_merger.h.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/deep_exr.h"

namespace fathom::deep {

/// Rows first <= y < last.
struct Rows {
  int first = 0, last = 0;
  int count() const { return last - first; }
  bool operator==(const Rows&) const = default;
};

/// Where bands may be cut: at `phase`, phase + step, phase + 2 * step, ...
struct RowGrid {
  int step = 8, phase = 0;
};

/// Cuts rows 0 .. load.size() into bands, top first: each as many grid steps as sum up to at most 1
/// in `load`. A step that is more by itself is cut at multiples of 8; what is still more stays one
/// band.
std::vector<Rows> planBands(std::span<const double> load, RowGrid grid);

/// Numbers the index words across all inputs, so that a merged list identifies where each fragment
/// came from. Returns the number of all fragments. Throws Error beyond 2^32 indices.
std::uint64_t countThrough(std::vector<DeepImage>& images, const std::vector<std::string>& names);

/// Rows of fragments per row of `window`, over all images.
std::vector<std::uint64_t> rowCounts(std::span<const DeepImage> images, const Rect& window);

/// A deep image that is taken in rows, wherever it lies: on the disk, or in the memory of another
/// program (app/python). Safe from one thread at a time.
class DeepRows {
 public:
  virtual ~DeepRows() = default;
  /// Windows, channels and format, without fragments.
  virtual DeepImage header() const = 0;
  /// Fragments in each row of the data window, top first.
  virtual const std::vector<std::uint64_t>& rowCounts() = 0;
  /// Rows that are stored together, from the top of the data window.
  virtual int rowStep() const { return 1; }
  /// As DeepExrReader::readRows().
  virtual DeepImage read(int first, int last) = 0;
};

/// Opens files, each FILE or FILE#PART. `within`, when it is not empty: only its pixels are there.
std::vector<std::unique_ptr<DeepRows>> openRows(const std::vector<std::string>& files,
                                                const DeepReadOptions& options,
                                                const Rect& within = {});

class StreamedFiles {
 public:
  /// Opens all files and reads their count tables. Throws Error: see DeepExrReader, unify().
  StreamedFiles(const std::vector<std::string>& files, const DeepReadOptions& options)
      : StreamedFiles(files, openRows(files, options)) {}
  /// Images that lie anywhere.
  StreamedFiles(std::vector<std::string> names, std::vector<std::unique_ptr<DeepRows>> images);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t count() const { return images_.size(); }
  /// The merged image without fragments: windows (data windows united, the first display window),
  /// format, channels.
  const DeepImage& header() const { return header_; }
  /// Of the headers, per file.
  const std::vector<SharedAttributes>& attributes() const { return attributes_; }
  std::uint64_t fragmentCount() const { return fragmentCount_; }
  /// Fragments of all files in each row of the header's data window.
  const std::vector<std::uint64_t>& rowCounts() const { return rowCounts_; }
  /// Where bands split no tile and no block of rows of the file with the tallest ones, counted from
  /// the header's first row.
  RowGrid grid() const { return grid_; }

  /// Rows of the header's data window (0: its top) from every file, fit for each other (unify()),
  /// index words counted through. Files that have none of them give an image without pixels. Safe
  /// from any thread.
  std::vector<DeepImage> read(Rows rows) const { return read(rows, {}); }
  /// As read(rows), of some files (one flag for each; none: of all); the others give images without
  /// pixels.
  std::vector<DeepImage> read(Rows rows, const std::vector<bool>& wanted) const;
  /// What read() repaired so far, per file. Rows that were read twice count twice.
  std::vector<DeepRepairs> repairs() const {
    const std::lock_guard lock(repairsMutex_);
    return repairs_;
  }
  /// Time that read() took so far, in all threads that called it.
  double readMs() const { return readMs_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<DeepRows>> images_;
  std::vector<Rect> windows_;  // of each
  DeepImage header_;
  std::vector<SharedAttributes> attributes_;
  std::uint64_t fragmentCount_ = 0;
  std::vector<std::uint64_t> rowCounts_;
  RowGrid grid_;
  mutable std::atomic<double> readMs_{0};
  mutable std::mutex repairsMutex_;
  mutable std::vector<DeepRepairs> repairs_;
};

/// The row of a pixel (image coordinates) of every input, which are not fit for each other yet; the
/// first image spans `window`, all data windows and a pixel of the frame united. Nothing when the
/// pixel lies outside of that. Throws Error.
std::vector<DeepImage> readRow(const std::vector<std::string>& inputs,
                               const DeepReadOptions& options, glm::ivec2 pixel, Rect& window);

/// True for a file, or part of one, that can stay on the disk: not flat.
bool canStream(const std::string& input);

/// Throws Error with need and budget when the files, by their count tables, would take more memory
/// than options.memoryBudget together.
void checkMemory(const std::vector<std::string>& files, const DeepReadOptions& options);

}  // namespace fathom::deep
