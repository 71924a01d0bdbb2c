// SPDX-License-Identifier: BSD-3-Clause
// Numbered files of a shot: names with a place for the frame and the view, lists of frames, and
// which of them are there.
#pragma once

namespace fathom {

/// "1001-1100x2,1200": ranges with steps, in the order given, each frame once. Throws UsageError.
std::vector<int> parseFrames(const std::string& text);

/// A file name with a frame number in it, as %d, %04d, #### or @@@@ (as many digits as signs), and
/// %V or %v for the view: "left" and "l". "1001-1100#" is those frames alone. A file that has the
/// name as it is, is no pattern.
class FramePattern {
 public:
  static std::optional<FramePattern> of(const std::string& name);
  /// True when the name has %V or %v.
  static bool hasView(const std::string& name);
  static std::string withView(std::string name, const std::string& view);

  std::string at(int frame) const;
  /// The frames whose files are there, ascending.
  std::vector<int> found() const;
  bool listsFrames() const { return !frames_.empty(); }
  /// Those that the name lists, else those that are there.
  std::vector<int> frames() const { return frames_.empty() ? found() : parseFrames(frames_); }

 private:
  std::string before_, after_, frames_;
  int digits_ = 1;
};

/// "shot.####.exr" of "shot.1001.exr": the last digits of the file's name; empty: it has none.
std::string patternOfNumbered(const std::string& input);

/// Inputs of which some have a number in their names, and the frames that all of those have.
struct NumberedInputs {
  std::vector<std::string> patterns;  // per input: with a place for the frame, or the file itself
  std::vector<int> frames;            // ascending; empty when there are not two
  std::size_t given = 0;              // which of them the inputs are

  NumberedInputs() = default;
  explicit NumberedInputs(const std::vector<std::string>& inputs);
  std::vector<std::string> filesOf(int frame) const;
};

}  // namespace fathom
