// SPDX-License-Identifier: BSD-3-Clause
// Lists on the device packed for another process: what is there and no more, in the form of
// operations/packed_rows.h.
#pragma once

#include "app/engine/deep/lists/list_arranger.h"
#include "app/engine/deep/operations/packed_rows.h"

namespace fathom::deep {

class ListPacker {
 public:
  ListPacker(ListStore& store, ListArranger& arranger) : store_(store), arranger_(arranger) {}

  /// The lists' region, in image coordinates by `origin`; not of Indexed images. Throws DoesNotFit.
  PackedRows pack(const FragmentLists& lists, glm::ivec2 origin, bool hasZBack);

 private:
  void packTables(const FragmentLists& lists, PackedRows& packed);

  ListStore& store_;
  ListArranger& arranger_;
  gpu::Buffer<std::uint32_t> pixels_, starts_, rows_, runs_, counts_;
};

}  // namespace fathom::deep
