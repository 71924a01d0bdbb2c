// SPDX-License-Identifier: BSD-3-Clause
// A scene dealt out to the ranks of a job, or to parts inside this process: each draws its share,
// the images are composited, and rank 0 ends up with the picture.
#pragma once

#include "app/engine/active_pixel/distribute/painter.h"
#include "app/engine/ranks/job.h"

namespace fathom::active_pixel {

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
