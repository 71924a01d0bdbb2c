// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/deep/settings.h"

namespace fathom::deep {

Method resolve(Method method, bool software) {
  if (method != Method::Auto) return method;
  return software ? Method::Stepwise : Method::RegisterBlock;
}

void describe(Settings& s, FieldVisitor& field) {
  field(s.layout,
        choice("layout", {"ll", "la", "ia", "bia"}, "How fragments lie in memory.")
            .explain({"linked list per pixel: one pass to capture, scattered reads",
                      "linearized array: each pixel's list in one piece",
                      "interleaved array: 32 neighboring lists share cache lines",
                      "blocked interleaved array: interleaved in blocks of the block size"})
            .rebuilds());
  field(s.method, choice("method", {"stepwise", "rbm", "auto"}, "How two lists are merged.")
                      .explain({"reads a fragment when it is compared",
                                "register block merge: reads blocks into registers, merges there",
                                "rbm on GPUs, stepwise on software renderers"}));
  field(s.blockSize,
        choice("block-size", {"4", "8", "16"}, "Fragments per block of bia and rbm.")
            .onlyIf(s.layout == Layout::BlockInterleaved || s.method != Method::Stepwise,
                    "only bia and rbm work in blocks")
            .rebuilds());
  field(s.slots, choice("slots", {"raster", "tile2x8"}, "The order of pixels in memory.")
                     .explain({"row by row", "tiles 2 wide and 8 high, as GPUs rasterize"})
                     .rebuilds());
  field(s.saveMerged, toggle("save-merged",
                             "Write the merged deep image to memory, then flatten it; "
                             "off: composite while merging."));
  field(s.links, choice("links", {"push", "forward"}, "How a merged linked list is written.")
                     .explain({"one atomic per fragment, the list comes out back to front (paper)",
                               "one atomic per pixel, nodes in order"})
                     .onlyIf(s.layout == Layout::LinkedList, "only linked lists have links"));
  field(s.earlyOut,
        choice("early-out", {"off", "exact", "display"}, "When compositing leaves a list.")
            .explain({"never: every fragment is read", "when nothing behind can show (alpha 1)",
                      "below 1/512 of transmittance, half a step of 8 bits"}));
  field(s.captureFormat,
        choice("capture-format", {"rgba8", "half"}, "How fragments of a scene are stored.")
            .explain({"8 bytes: RGBA8 and float Z (paper)",
                      "16 bytes: half RGBA and float Z, as in EXR files"})
            .rebuilds());
  field(s.sort,
        choice("sort", {"auto", "network", "in-place"}, "How lists of up to 512 are sorted.")
            .explain({"network on GPUs, in-place on software renderers",
                      "in registers by sorting networks, runs of 32 merged (register block sort)",
                      "where the list lies, by Shell's sort or relinking: short code"})
            .rebuilds());
  field(s.show, choice("show", {"picture", "heat-map"}, "What the picture shows.")
                    .explain({"the composited colors", "fragments per pixel, by length class"}));
}

}  // namespace fathom::deep
