// SPDX-License-Identifier: BSD-3-Clause
// Compositing the images of many ranks: with IceT over MPI, or folded inside this process. Both
// give the same picture; the engine is asked, not the library.
#pragma once

#include "app/techniques/active_pixel/model.h"
#include "app/techniques/active_pixel/settings.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

namespace fathom::active_pixel {

/// A display of its own in the global picture.
struct Tile {
  Region area;      // in the global picture, from the lower left corner
  int displayRank;  // who gets it
};
std::vector<Tile> tilesOf(glm::ivec2 picture, glm::ivec2 columnsRows, int ranks);

struct EngineSetup {
  Format format;
  glm::ivec2 size{0};  // of the global picture
  std::vector<Tile> tiles;
  Strategy strategy = Strategy::Automatic;
  bool interlace = true;
  glm::vec4 background{0};  // premultiplied
  bool depthToo = true;     // whether the composited frame has depth (not when blending)
};

/// Milliseconds of the last frame on this rank, and what went over the wire.
struct EngineTimes {
  double compress = 0, composite = 0, collect = 0, blend = 0;  // ms
  std::uint64_t bytesSent = 0;
};

/// What this rank has drawn for one tile, in one of two forms.
struct TileInput {
  std::span<std::uint32_t> sparse;  // a writable buffer of capacity bufferBytes(); its contents are
  std::size_t sparseCapacity = 0;   // gone afterwards
  const Frame* frame = nullptr;     // or a frame of the tile's size that the engine compresses
  Region valid;                     // of the frame; all else counts as inactive
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  virtual void setUp(const EngineSetup& setup) = 0;
  /// Front to back; for blending. All ranks pass the same.
  virtual void setOrder(std::span<const int> order) = 0;
  /// Every rank calls it for every tile in the same order. On the tile's display rank, the
  /// composited frame; elsewhere an empty one. Throws Error with IceT's message.
  virtual Frame composite(std::size_t tile, const TileInput& input) = 0;
  virtual const EngineTimes& times() const = 0;
};

/// Whether this build has IceT and MPI, else what is missing, in one line.
bool engineAvailable();
std::string engineMissing();
/// IceT over MPI_COMM_WORLD; starts MPI unless a Job has, and must go before that Job ends. Throws
/// NotBuiltError with engineMissing() when there is none. `handFed` false: IceT is given frames
/// only, as when it lays out sparse images in another way than this program.
std::unique_ptr<Engine> makeIcetEngine(bool handFed = true);

}  // namespace fathom::active_pixel
