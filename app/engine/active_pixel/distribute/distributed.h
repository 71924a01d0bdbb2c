// SPDX-License-Identifier: BSD-3-Clause
// A scene dealt out to the ranks of a job, or to parts inside this process: each draws its share,
// the images are composited, and rank 0 ends up with the picture. A painter is one rank before
// compositing: it draws its share, reads back or compresses as its mode asks, and keeps the times.
// The next frame is begun while the one before is composited.
#pragma once

#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/ranks/job.h"

namespace fathom::active_pixel {

/// A rank's frame in numbers: milliseconds, and bytes of its image in three forms (Lipinski et al.
/// 2021, table 2 and figure 4). Times on the GPU are those of its own clock; software renderers
/// finish drawing within the first pass of compressing.
struct FrameFigures {
  double render = 0, read = 0, compress = 0, compose = 0, collect = 0;
  double rawBytes = 0;     // of the whole frame
  double regionBytes = 0;  // of the region that was drawn
  double sparseBytes = 0;  // compressed; 0 where IceT compresses, which does not report it
  double sentBytes = 0;    // over MPI, by IceT
  double phases() const { return render + read + compress + compose + collect; }
};

struct PaintSetup {
  Format format;
  glm::ivec2 size{0};  // of the global picture
  std::vector<Tile> tiles;
  std::optional<glm::vec3> rankColor;
};

/// Shared by all painters of a process: a compressor and the textures that are drawn into. Images
/// of two frames are under way, one that is begun and one that was taken.
struct PaintBox {
  PaintBox(gpu::Context& context, const CompressionConfig& compression, std::size_t tiles)
      : gpu(context), compressor(context, 2 * int(tiles)), config(compression) {}
  gpu::Context& gpu;
  Compressor compressor;
  CompressionConfig config;
  /// Software renderers draw beside other work but compute at once: there, a frame is compressed
  /// when it is taken, and drawn while the one before is composited.
  bool compressesLate = gpu.device().software;
  std::shared_ptr<ShareTargets> targets = std::make_shared<ShareTargets>();
  TextureSource source;        // views of the targets ...
  std::uint64_t sourceOf = 0;  // ... of this number
};

class Painter {
 public:
  Painter(PaintBox& box, std::shared_ptr<const Share> share, const PaintSetup& setup);

  /// Queues drawing and compressing a frame (see PaintBox::compressesLate), without waiting. What
  /// was taken last stays.
  void begin(const Camera& camera);
  /// Waits for the frame begun before: what a compositor wants of this rank, by tile; without
  /// sparse or frame where nothing was drawn (nothing is read back or compressed then). Lasts until
  /// the next take(), and until another painter of the box has taken.
  const std::vector<TileInput>& take();
  /// Of the frame taken last.
  FrameFigures& figures() { return figures_; }

 private:
  void compressTiles();
  void compress(std::size_t tile, const Region& shown);
  TileInput readTile(std::size_t tile);

  PaintBox& box_;
  ShareRenderer renderer_;
  PaintSetup setup_;
  gpu::SliceTimer renderTimer_{box_.gpu}, compressTimer_{box_.gpu};
  ShareRenderer::Drawn drawn_{};
  bool begun_ = false;
  std::vector<int> slots_;              // by tile, of the frame begun; -1: nothing is shown
  std::vector<std::size_t> lastBytes_;  // by tile, of the frame taken
  std::vector<TileInput> taken_;        // by tile
  Frame picture_;                       // of the whole picture, read back
  std::vector<Frame> tileFrames_;       // cut from it, when there are several tiles
  FrameFigures figures_;
};

using ranks::Job;

struct CompositeRequest {
  std::string input;
  Settings settings;
  glm::ivec2 size{0};
  glm::vec4 background{0};
  int frames = 1;                      // the scene turns from one to the next
  float turnDeg = 2;                   // per frame (Lipinski et al. 2021, sec. 4)
  std::function<void(Camera&)> place;  // to where the scene is seen from; none: its own camera
  /// Is handed each frame's picture, on rank 0; none: the last is in what is returned.
  std::function<void(int frame, const Frame& picture)> each;
  bool depthToo = true;  // whether the picture has depth; costs time in IceT
  std::function<gpu::Context&()> gpu;
  Progress* progress = nullptr;
};

struct Composited {
  Frame picture;  // the last frame, all tiles put together; empty on ranks other than 0
  int ranks = 0;
  Mode mode = Mode::Gpu;              // how this rank has compressed
  double wallMs = 0;                  // of all frames
  std::vector<FrameFigures> figures;  // [frame][rank]; on every rank
};

/// With IceT, one share for each rank. All ranks call it with the same request. Throws as
/// Job::collective() does.
Composited compositeOverMpi(Job& job, const CompositeRequest& request);
/// settings.parts shares one after the other, folded inside this process.
Composited compositeParts(const CompositeRequest& request);

/// The rows of figure 4 with a line of names above: workload, size, ranks, mode, frame, rank, times
/// and bytes.
std::string figuresCsv(const CompositeRequest& request, const Composited& done);

}  // namespace fathom::active_pixel
