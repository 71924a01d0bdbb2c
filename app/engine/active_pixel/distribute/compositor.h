// SPDX-License-Identifier: BSD-3-Clause
// Compositing the images of many ranks: with IceT over MPI, or folded inside this process. Both
// give the same picture; callers ask a Compositor, not a library.
#pragma once

#include "app/engine/active_pixel/image/model.h"
#include "app/engine/active_pixel/settings.h"

namespace fathom::active_pixel {

/// A display of its own in the global picture.
struct Tile {
  Region area;      // in the global picture, from the lower left corner
  int displayRank;  // the rank that gets it
};
std::vector<Tile> tilesOf(glm::ivec2 picture, glm::ivec2 columnsRows, int ranks);

struct CompositorSetup {
  Format format{};
  glm::ivec2 size{0};  // of the global picture
  std::vector<Tile> tiles{};
  Strategy strategy = Strategy::Automatic;
  bool interlace = true;
  glm::vec4 background{0};  // premultiplied
  bool depthToo = true;     // whether the composited frame has depth (not when blending)
};

/// Milliseconds of the last frame on this rank, and the bytes that it sent.
struct CompositorTimes {
  double compress = 0, composite = 0, collect = 0, blend = 0;  // ms
  std::uint64_t bytesSent = 0;
};

/// What was drawn for one tile, to be read: compressed, or a frame; neither where nothing was
/// drawn.
struct TileImage {
  std::span<const std::uint32_t> sparse;
  const Frame* frame = nullptr;  // of the tile's size
  Region valid;                  // of the frame; all else counts as inactive
};

/// The same handed over to a compositor, which works inside the buffer of a compressed image: its
/// contents are gone afterwards.
struct TileInput {
  std::span<std::uint32_t> sparse;  // at the start of a buffer of `sparseCapacity` bytes, at least
  std::size_t sparseCapacity = 0;   // bufferBytes()
  const Frame* frame = nullptr;     // or a frame that the compositor compresses
  Region valid;
  TileImage image() const { return {sparse, frame, valid}; }
};

class Compositor {
 public:
  virtual ~Compositor() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  virtual void setUp(const CompositorSetup& setup) = 0;
  /// Front to back; for blending. All ranks pass the same.
  virtual void setOrder(std::span<const int> order) = 0;
  /// Every rank calls it for every tile in the same order. On the tile's display rank `result`
  /// becomes the composited frame, in the memory that it has; elsewhere it becomes an empty one.
  /// Throws Error with IceT's message.
  virtual void composite(std::size_t tile, const TileInput& input, Frame& result) = 0;
  virtual const CompositorTimes& times() const = 0;
};

/// Whether this build has IceT and MPI; else what is missing, in one line.
bool icetAvailable();
std::string icetMissing();
/// IceT over MPI_COMM_WORLD; starts MPI unless a Job has, and must go before that Job ends. Throws
/// NotBuiltError with icetMissing() when there is none. `acceptsCompressed` false: IceT is given
/// frames only, as when it lays out sparse images differently from this program.
std::unique_ptr<Compositor> makeIcetCompositor(bool acceptsCompressed = true);

// ---- Inside this process
// The images of N ranks are folded into one frame, as IceT would composite them over MPI. The
// window needs no MPI, and neither does a program built without it.

/// Takes in the images of a tile one after the other, front to back when blending; of equal depths
/// the later one wins. Sparse images must be sound (reference::check()).
class InProcess {
 public:
  explicit InProcess(const CompositorSetup& setup);
  /// Throws Error when the image has another size or format than the tile.
  void add(std::size_t tile, const TileImage& image);
  /// The composited tile over the background.
  Frame take(std::size_t tile);

 private:
  CompositorSetup setup_;
  std::vector<Frame> frames_;  // by tile
};

/// All images of one tile. `order` is front to back, for blending; empty: as they stand.
Frame compositeInProcess(const CompositorSetup& setup, const Tile& tile,
                         std::span<const TileImage> images, std::span<const int> order = {});

/// The background behind a blended frame; both premultiplied.
void putBehind(Frame& frame, glm::vec4 background);

}  // namespace fathom::active_pixel

// ---- IceT's own compressor, without ranks: what ours is compared with, byte for byte. Built
// without IceT all of it but compression() throws Error with icetMissing().
namespace fathom::active_pixel::icet {

/// "IceT 2.2.0".
std::string version();

/// Compresses this frame each time it is called: icetCompressImage and nothing else, or the
/// reference without IceT. The format must be valid; the frame must outlive it. Throws Error.
std::function<void()> compression(const Frame& frame);

SparseImage compressFrame(const Frame& frame);

/// Whether this IceT lays out images as this program does, so that it accepts images compressed
/// elsewhere: version 2.2, and a fixed image comes out byte for byte.
bool acceptsCompressed();

}  // namespace fathom::active_pixel::icet
