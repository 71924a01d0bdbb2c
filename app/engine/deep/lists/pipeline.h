// SPDX-License-Identifier: BSD-3-Clause
// The passes over deep images, functions over one store, in the order of the data's way: capture or
// upload, sort, edit, merge, composite, download. Each call works on one region; a region that does
// not fit the device's buffers throws gpu::DoesNotFit and the caller cuts it. Source: Archer,
// Leach, van Schyndel, "GPU based techniques for deep image merging", Computational Visual Media
// 2018.
#pragma once

#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/edit_lists.h"
#include "app/engine/deep/lists/list_store.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/lists/transfer_lists.h"

namespace fathom::deep {

/// The store, and the capture of scenes, which keeps a target and counters of its own.
struct Pipeline {
  explicit Pipeline(gpu::Context& gpu) : store(gpu) {}

  ListStore store;
  SceneCapture scenes{store};
};

}  // namespace fathom::deep
