// SPDX-License-Identifier: BSD-3-Clause
// An IceT context as an object, with formats, errors and images as types of this program. IceT has
// one current context per process: makeCurrent() before any call, and one thread for all of them.
#pragma once

#include "app/engine/active_pixel/distribute/icet_functions.h"
#include "app/engine/active_pixel/image/model.h"
#include "app/engine/active_pixel/settings.h"

#include <span>
#include <string>
#include <vector>

namespace fathom::active_pixel::icet {

class Context {
 public:
  /// A single rank, without MPI.
  Context();
  /// Over a communicator of IceT's, which it duplicates.
  explicit Context(IceTCommunicator communicator);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  void makeCurrent() { icetSetContext(context_); }

 private:
  IceTContext context_;
};

IceTEnum singleImageStrategy(Strategy strategy);
/// Formats and composite mode of the current context. Throws Error for a format that IceT has no
/// rule for.
void setFormat(const Format& format);
/// The color of pixels where nothing was drawn, and behind what is blended. IceT's public calls set
/// it themselves.
void setBackground(glm::vec4 background);

/// Throws Error naming the error that IceT has reported since the last call, if any.
void throwIfFailed(const std::string& doing);

/// An uncompressed image in memory of this program, in the formats of the current context.
class FrameBuffer {
 public:
  FrameBuffer(int width, int height);
  IceTImage image() { return image_; }
  /// The same with a new header, for the next frame.
  IceTImage fresh();
  void load(const Frame& frame);
  /// The pixels; depth only where the image has it.
  Frame frame(const Format& format) const;

 private:
  int width_, height_;
  std::vector<std::uint32_t> memory_;
  IceTImage image_;
};

/// Copies an image of IceT's into a frame.
Frame frameOf(IceTImage image, const Format& format);
/// The same into a frame, in the memory that it has.
void copyFrame(IceTImage image, const Format& format, Frame& frame);

}  // namespace fathom::active_pixel::icet
