// SPDX-License-Identifier: BSD-3-Clause
// IceT as this program uses it: functions that its core library exports without naming them in its
// public headers (images over our own buffers, compositing of images that were compressed
// elsewhere; taken from IceT 2.2, and icet::acceptsCompressed() compares bytes before any is relied
// upon), and a context as an object. IceT has one current context per process: makeCurrent() before
// any call, and one thread for all of them.
#pragma once

#include "app/engine/active_pixel/image/model.h"
#include "app/engine/active_pixel/settings.h"

#include <IceT.h>

extern "C" {

/// A compressed image: a pointer to its header. Passed by value, like IceTImage.
struct IceTSparseImage {
  IceTVoid* opaque_internals;
};

// Sizes in bytes of the buffers below; formats are those of the current context.
IceTSizeType icetSparseImageBufferSize(IceTSizeType width, IceTSizeType height);
IceTSizeType icetImageBufferSize(IceTSizeType width, IceTSizeType height);

// Images over buffers of the caller.
IceTSparseImage icetSparseImageAssignBuffer(IceTVoid* buffer, IceTSizeType width,
                                            IceTSizeType height);
IceTImage icetImageAssignBuffer(IceTVoid* buffer, IceTSizeType width, IceTSizeType height);
/// The image whose bytes the buffer holds; null when its header is refused.
IceTSparseImage icetSparseImageUnpackageFromReceive(IceTVoid* buffer);
IceTSparseImage icetSparseImageNull(void);
IceTSizeType icetSparseImageGetCompressedBufferSize(const IceTSparseImage image);

void icetCompressImage(const IceTImage image, IceTSparseImage compressed);

/// Composites within a group of ranks (front to back when ordered); each rank of it then holds a
/// piece that begins at an offset in the whole.
void icetSingleImageCompose(const IceTInt* group, IceTInt groupSize, IceTInt destIndex,
                            IceTSparseImage input, IceTSparseImage* piece, IceTSizeType* offset);
/// Brings the pieces together on one rank; called by every rank of the communicator.
void icetSingleImageCollect(const IceTSparseImage piece, IceTInt destRank, IceTSizeType offset,
                            IceTImage result);

// State that only the public drawing calls set otherwise.
void icetStateSetBoolean(IceTEnum name, IceTBoolean value);
void icetStateSetInteger(IceTEnum name, IceTInt value);
void icetStateSetFloatv(IceTEnum name, IceTSizeType count, const IceTFloat* values);
void icetStateResetTiming(void);

}  // extern "C"

namespace fathom::active_pixel::icet {

// ---- A context, with formats, errors and images as types of this program

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

 private:
  int width_, height_;
  std::vector<std::uint32_t> memory_;
  IceTImage image_;
};

/// Copies an image of IceT's into a frame, in the memory that it has.
void copyFrame(IceTImage image, const Format& format, Frame& frame);

}  // namespace fathom::active_pixel::icet
