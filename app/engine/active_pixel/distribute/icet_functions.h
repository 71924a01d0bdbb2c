// SPDX-License-Identifier: BSD-3-Clause
// Functions that IceT's core library exports without naming them in its public headers: images over
// our own buffers, and compositing of images that were compressed elsewhere. Taken from IceT 2.2;
// icet::acceptsCompressed() compares bytes before any of them is relied upon.
#pragma once

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
IceTBoolean icetSparseImageIsNull(const IceTSparseImage image);
IceTSizeType icetSparseImageGetCompressedBufferSize(const IceTSparseImage image);

void icetCompressImage(const IceTImage image, IceTSparseImage compressed);
void icetDecompressImage(const IceTSparseImage compressed, IceTImage image);

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
