// SPDX-License-Identifier: BSD-3-Clause
// Names, ranges and help of the settings, in the order in which the panel shows them.
#include "app/techniques/active_pixel/settings.h"

namespace fathom::active_pixel {

void describe(Settings& s, FieldVisitor& field) {
  field(s.mode, choice("mode", {"generic", "roi", "gpu", "auto"}, "Who compresses.")
                    .explain({"the whole frame is read back, the processor compresses",
                              "the drawn region is read back, the processor compresses",
                              "the GPU compresses, only active pixels are read back",
                              "the tuned one, else gpu"}));
  field(s.method,
        choice("method", {"fused", "five-step", "auto"}, "How the GPU compresses.")
            .explain({"one scan of two sums, nothing kept per pixel",
                      "the paper's five steps with an array for each", "the tuned one, else fused"})
            .onlyIf(s.mode == Mode::Gpu || s.mode == Mode::Auto, "the processor compresses"));
  field(s.blending, choice("compositing", {"z-buffer", "blend"}, "Which pixel wins.")
                        .explain({"the nearest", "all, front to back, by alpha"}));
  field(s.color,
        choice("color", {"rgba8", "rgba32f", "none"}, "Color of a pixel in compressed form."));
  field(s.strategy,
        choice("strategy", {"automatic", "bswap", "tree", "radixk", "radixkr", "bswap-folding"},
               "How IceT passes images between ranks."));
  field(s.interlace, toggle("interlace", "Let IceT deal rows out evenly between ranks."));
  field(s.parts, range("parts", 1, 64, "Parts of the scene inside one process.").rebuilds());
  field(s.split, choice("split", {"objects", "triangles"}, "How a scene is dealt out.")
                     .explain({"whole objects in turn", "equal numbers of triangles"})
                     .rebuilds());
  field(s.tiles, text("tiles", "Displays, columns x rows: \"2x1\"."));
  field(s.show,
        choice("show", {"picture", "parts", "active", "runs", "regions"}, "What the picture shows.")
            .explain({"the composited scene", "a color for each part",
                      "which pixels are active, and in how many parts",
                      "runs of active pixels in turning colors", "the region of each part"}));
  field(s.turn, toggle("turn", "Turn the scene by itself."));
}

}  // namespace fathom::active_pixel
