// SPDX-License-Identifier: BSD-3-Clause
// Small pictures of a film's frames, kept in memory while they still show what is there now. Which
// frame is worth drawing next, and which has to go when memory runs out, follows from where the
// film is being played. No GPU and no window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <glm/vec2.hpp>

namespace fathom::flame {

/// Frames that are played: whole numbers from `first` to `last`, both included.
struct FrameRange {
  int first = 0, last = 0;
  int count() const { return last - first + 1; }
  bool operator==(const FrameRange&) const = default;
};

/// Those of a film between two times: a loop ends one frame early, as its end is its beginning.
FrameRange framesBetween(double firstTime, double lastTime, bool loop);

/// sRGB and alpha, premultiplied in linear light: uint8_t[height][width][4].
struct SmallFrame {
  std::uint64_t key = 0;  // what the picture depends on
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgba;
};

class FrameCache {
 public:
  explicit FrameCache(std::size_t budgetBytes) : budget_(budgetBytes) {}
  /// The key that a frame's picture must have to be shown.
  using KeyOf = std::function<std::uint64_t(int frame)>;

  bool has(int frame) const { return frames_.contains(frame); }
  /// Null when there is none, or it shows something else.
  const SmallFrame* find(int frame, std::uint64_t key) const;
  /// Takes the place of an older one. Frames that are played latest from `playhead` on go first
  /// when the budget is exceeded.
  void put(int frame, SmallFrame picture, int playhead, const FrameRange& range);
  /// The first one missing from the playhead on, around the end and on from the beginning, as far
  /// as there is memory for; none: all are there.
  std::optional<int> missing(int playhead, const FrameRange& range, const KeyOf& keyOf) const;
  void clear();

  std::size_t bytes() const { return bytes_; }
  std::size_t count() const { return frames_.size(); }

 private:
  std::size_t budget_, bytes_ = 0;
  std::map<int, SmallFrame> frames_;
};

}  // namespace fathom::flame
