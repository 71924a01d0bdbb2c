// SPDX-License-Identifier: BSD-3-Clause
// A scene dealt out to the ranks of a job, or to parts inside this process: each draws its share,
// all is composited, and one of them has the picture in the end.
#pragma once

#include "app/techniques/active_pixel/job.h"
#include "app/techniques/active_pixel/painter.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::active_pixel {

struct CompositeRequest {
  std::string input;
  Settings settings;
  glm::ivec2 size{0};
  glm::vec4 background{0};
  int frames = 1;        // the scene goes round from one to the next
  float turnDeg = 2;     // by so many degrees (Lipinski et al. 2021, sec. 4)
  bool depthToo = true;  // whether the picture has depth; costs time in IceT
  std::function<gpu::Context&()> gpu;
  Progress* progress = nullptr;
};

struct Composited {
  Frame picture;  // the last frame, all tiles put together; empty on ranks other than 0
  int ranks = 0;
  Mode mode = Mode::Gpu;              // how this rank compressed
  double wallMs = 0;                  // of all frames
  std::vector<FrameFigures> figures;  // [frame][rank]; on every rank
};

/// With IceT, one share for each rank. All ranks call it with the same request. Throws as
/// Job::together() does.
Composited compositeOverMpi(Job& job, const CompositeRequest& request);
/// settings.parts shares one after the other, folded inside this process.
Composited compositeParts(const CompositeRequest& request);

/// The rows of figure 4 with a line of names above: workload, size, ranks, mode, frame, rank, times
/// and bytes.
std::string figuresCsv(const CompositeRequest& request, const Composited& done);

}  // namespace fathom::active_pixel
