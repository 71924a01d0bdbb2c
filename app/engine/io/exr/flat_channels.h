// SPDX-License-Identifier: BSD-3-Clause
// Flat EXR with channels of any name and type, written row by row: layers, IDs, mattes.
#pragma once

#include "app/engine/core/deep_image.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace fathom {

class FlatChannelWriter {
 public:
  /// Windows, aspect and attributes are those of `like`; the names and types of `channels` count.
  FlatChannelWriter(const std::filesystem::path& file, const DeepImage& like,
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

}  // namespace fathom
