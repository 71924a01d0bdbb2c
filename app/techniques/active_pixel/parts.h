// SPDX-License-Identifier: BSD-3-Clause
// The parts of a scene inside one process: each drawn and compressed as a rank would, by any of the
// three modes, with the time that each step takes.
#pragma once

#include "app/techniques/active_pixel/compressor.h"
#include "app/techniques/active_pixel/overlay.h"
#include "app/techniques/active_pixel/share.h"

#include <memory>
#include <vector>

namespace fathom::active_pixel {

/// Milliseconds of one part.
struct ModeTimes {
  double render = 0, read = 0, compress = 0;
};

struct Part {
  std::shared_ptr<const Share> share;
  std::unique_ptr<ShareRenderer> renderer;
  Region region;       // of the last picture
  SparseImage sparse;  // likewise
  SparseFacts facts;
  RunLengths lengths{};
  ModeTimes times;
};

/// How parts are drawn.
struct PartView {
  Camera camera;
  glm::ivec2 size{0};
  Format format;
  bool partColors = false;  // each in its own
};

class Parts {
 public:
  explicit Parts(gpu::Context& gpu);
  /// Forgets all parts.
  void clear() { parts_.clear(); }
  void add(std::shared_ptr<const Share> share);
  void setSpread(bool spread) { compressor_.setSpread(spread); }
  std::size_t count() const { return parts_.size(); }
  const std::vector<Part>& all() const { return parts_; }

  /// Draws a part and compresses it; everything about it is then of this picture. The processor
  /// does so once, into the place that the part has in the whole picture.
  void compress(std::size_t part, const PartView& view, Mode mode, Method method);
  /// The same for the times alone, by IceT's own compressor on the processor; the part keeps what
  /// it has. Bytes are what crossed from the device to the host.
  struct Measured {
    ModeTimes times;
    std::uint64_t bytes = 0;
  };
  Measured measure(std::size_t part, const PartView& view, Mode mode, Method method);

 private:
  Measured run(std::size_t part, const PartView& view, Mode mode, Method method,
               SparseImage* sparse, Region& region);
  gpu::Context& gpu_;
  Compressor compressor_;
  std::shared_ptr<ShareTargets> targets_ = std::make_shared<ShareTargets>();
  std::vector<Part> parts_;
  Frame frame_;  // what was read back last
};

}  // namespace fathom::active_pixel
