// SPDX-License-Identifier: BSD-3-Clause
// Flat EXR: colors as pictures, and channels of any name and type (layers, IDs, mattes) row by row.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"

namespace fathom {

/// None when the file is no flat EXR ("not mine"); throws Error when it is one but broken, or has
/// no color channel. `part`: number, name or view; empty: the first flat part with color.
std::optional<Picture> loadFlatExr(const fs::path& file, const std::string& part = {});

/// One channel of a flat part (its number), float[height][width] of the part's data window; with
/// `idBits` uint channels keep their bits. Throws Error.
std::vector<float> loadExrChannel(const fs::path& file, int part, const std::string& channel,
                                  bool idBits = false);
/// The same of several channels, in their own types.
std::vector<DeepChannel> loadExrChannels(const fs::path& file, int part,
                                         std::span<const std::string> channels);

struct FlatExrOptions {
  bool asFloat = false;  // half otherwise
  bool withAlpha = true;
  Rect dataWindow{}, displayWindow{};  // empty: (0, 0, width, height)
  float pixelAspect = 1.0f;
  std::span<const float> depth = {};  // float[height][width] written as Z; empty: no Z
  SharedAttributes attributes{};      // of what it was made of, but for how that was stored
};

/// Writes channels row by row: zip compression, beside and renamed. Throws Error.
class FlatChannelWriter {
 public:
  /// Windows, aspect and attributes are those of `like`; the names and types of `channels` count.
  FlatChannelWriter(const fs::path& file, const DeepImage& like,
                    std::span<const DeepChannel> channels);
  ~FlatChannelWriter();  // without finish() no file appears
  /// The next rows, top first, in full width: channels as above, values[height][width] each.
  void writeRows(std::span<const DeepChannel> rows, int height);
  /// After the last row: puts the file in place.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A picture that way.
class FlatExrWriter {
 public:
  /// Of the options, `depth` is not looked at: writeRows() is given it, for all rows or for none.
  FlatExrWriter(const fs::path& file, int width, int height, bool withDepth,
                const FlatExrOptions& options = {});
  /// The next rows, top first, in full width. `depth`: float[rows.height][width].
  void writeRows(const Image& rows, std::span<const float> depth = {});
  /// After the last row: puts the file in place.
  void finish();

 private:
  std::vector<DeepChannel> channels_;  // R, G, B and A, Z last; values of the rows at hand
  std::optional<FlatChannelWriter> out_;
};

/// The whole picture that way.
void writeFlatExr(const fs::path& file, const Image& image, const FlatExrOptions& options = {});

}  // namespace fathom
