// SPDX-License-Identifier: BSD-3-Clause
// The passes over deep images, which share one store: capture or upload, sort, merge, edit,
// composite, download. Each call works on one region; a region that does not fit the device's
// buffers throws gpu::DoesNotFit and the caller cuts it. Source: Archer, Leach, van Schyndel, "GPU
// based techniques for deep image merging", Computational Visual Media 2018.
#pragma once

#include "app/engine/deep/lists/list_arranger.h"
#include "app/engine/deep/lists/list_editor.h"
#include "app/engine/deep/lists/list_merger.h"
#include "app/engine/deep/lists/list_packer.h"
#include "app/engine/deep/lists/list_sorter.h"
#include "app/engine/deep/lists/list_store.h"
#include "app/engine/deep/lists/list_transfer.h"
#include "app/engine/deep/lists/scene_capture.h"

namespace fathom::deep {

struct Pipeline {
  explicit Pipeline(gpu::Context& gpu) : store(gpu) {}

  ListStore store;
  ListSorter sorter{store};
  ListArranger arranger{store};
  SceneCapture scenes{store, arranger, sorter};
  ListTransfer transfer{store, arranger, sorter};
  ListMerger merger{store};
  ListEditor editor{store, arranger, sorter};
  ListPacker packer{store, arranger};
};

}  // namespace fathom::deep
