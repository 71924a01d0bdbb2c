// SPDX-License-Identifier: BSD-3-Clause
// Names, ranges and help of the settings, in the order in which the panel shows them.
#include "app/engine/active_pixel/settings.h"

namespace fathom::active_pixel {

void describe(Settings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  const auto input = under(Section::Input, field);
  field(s.mode, choice("mode", {"generic", "roi", "gpu", "auto"}, "Where parts are compressed.")
                    .label("Compression")
                    .titled({"CPU, whole frame", "CPU, bounding box", "GPU", "Automatic"})
                    .explain({"the whole frame is read back, the CPU compresses",
                              "the bounding box is read back, the CPU compresses",
                              "the GPU compresses, only active pixels are read back",
                              "gpu; roi on software renderers"}));
  field(s.method, choice("method", {"fused", "five-step", "auto"}, "How the GPU compresses.")
                      .titled({"Fused scan", "Five steps", "Automatic"})
                      .explain({"one scan of two sums, nothing kept per pixel",
                                "the paper's five steps with an array for each", "fused"})
                      .onlyIf(s.mode == Mode::Gpu || s.mode == Mode::Auto, "the CPU compresses"));
  picture(s.blending, choice("compositing", {"z-buffer", "blend"}, "How parts are composited.")
                          .titled({"Nearest pixel", "Front to back"})
                          .explain({"the nearest", "all, front to back, by alpha"}));
  field(s.color,
        choice("color", {"rgba8", "rgba32f", "none"}, "Color of a pixel in compressed form.")
            .label("Pixel format")
            .titled({"RGBA8", "Four floats", "Depth only"}));
  field(s.strategy,
        choice("strategy", {"automatic", "bswap", "tree", "radixk", "radixkr", "bswap-folding"},
               "How IceT passes images between ranks.")
            .titled({"Automatic", "Binary swap", "Tree", "Radix-k", "Radix-kr",
                     "Binary swap, folding"}));
  field(s.interlace, toggle("interlace", "Let IceT spread rows evenly over ranks."));
  input(s.parts, range("parts", 1, 64, "Parts of the scene inside one process."));
  input(s.split, choice("split", {"objects", "triangles"}, "How a scene is divided into parts.")
                     .explain({"whole objects in turn", "equal numbers of triangles"}));
  field(s.tiles, text("tiles", "Displays, columns x rows: \"2x1\".").label("Display tiles"));
  picture(s.show,
          choice("show", {"picture", "parts", "active", "runs", "regions"}, "What the image shows.")
              .titled({"Image", "Parts", "Active pixels", "Runs", "Bounding boxes"})
              .explain({"the composited scene", "a color for each part",
                        "which pixels are active, and in how many parts",
                        "runs of active pixels in alternating colors",
                        "the bounding box of each part"}));
  picture(s.turn, toggle("turn", "Rotate the scene automatically."));
}

CompressionConfig resolveAuto(const Settings& settings, bool softwareRenderer) {
  CompressionConfig config;
  if (softwareRenderer) config.mode = Mode::Roi;  // reading back costs nothing there
  if (settings.mode != Mode::Auto) config.mode = settings.mode;
  if (settings.method != Method::Auto) config.method = settings.method;
  return config;
}

}  // namespace fathom::active_pixel
