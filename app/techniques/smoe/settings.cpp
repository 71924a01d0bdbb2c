// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/settings.h"

namespace fathom::smoe {
namespace {

void describeDecoding(Settings& s, FieldVisitor& field) {
  field(s.mode,
        choice("mode", {"record", "paper-fast", "paper-slow"}, "How a component is evaluated.")
            .explain({"whitened records, factored in float64 on load",
                      "the paper's: an inverse covariance in float32",
                      "the paper's: Cholesky and QR in float32, per component"}));
  field(s.relevance,
        choice("relevance", {"bounded", "budget", "window"}, "Which components a tile evaluates.")
            .explain({"those that can matter anywhere in the tile, by exact bounds",
                      "as few as keep the certified error below half a step of the bits",
                      "the paper's rule: centers in the tile and a border; no bound"}));
  const bool bounded = s.relevance != Relevance::Window;
  field(s.bits, choice("bits", {"8", "10", "12", "14"}, "Color depth that the lists must serve.")
                    .onlyIf(bounded, "the window rule has no threshold"));
  field(s.tile, choice("tile", {"8", "16", "32", "auto"}, "Side of a tile in pixels.")
                    .explain({"short lists, many of them", "the middle", "the paper's blocks",
                              "the tuned one, else 16"}));
  field(s.masks,
        choice("masks", {"off", "on", "auto"}, "Skipping components cell by cell inside a tile.")
            .explain({"every entry of a list is evaluated",
                      "a bit per cell of 8 x 4 samples says where", "as tuned, else on"})
            .onlyIf(bounded && (s.tile == TileSize::Sixteen || s.tile == TileSize::Auto),
                    "masks belong to tiles of 16 with bounds"));
  field(s.windowBorder, range("window-border", 0, 256, "Border of the window rule.")
                            .in("px")
                            .onlyIf(!bounded, "only the window rule has a border"));
}

}  // namespace

void describe(Settings& s, FieldVisitor& field) {
  describeDecoding(s, field);
  field(s.window,
        text("window", "Part of the model that is shown, X,Y,W,H in its pixels; empty: all."));
  field(s.view,
        text("view", "View of a light field, A1,A2 in steps from the middle; frame of a video."));
  field(s.samples,
        range("samples", 0, 8, "Samples per pixel and axis; 0: 1, and more when zoomed out."));
  field(
      s.show,
      choice("show", {"picture", "lists", "winner", "certificate", "error", "disparity", "weight"},
             "What the picture shows.")
          .explain({"the decoded picture", "how many components each tile evaluates",
                    "the component with the largest gate", "the certified error, per tile",
                    "difference from the source, where one is known",
                    "shift per view step (light fields)", "the sum of all weights"}));
  field(s.errorGain, range("error-gain", 1.0f, 256.0f, "Amplifies the error that is shown.").log());
  field(s.ellipses, toggle("ellipses", "Draw the components over the picture."));
  field(s.orbit, toggle("orbit", "Let the view go round by itself; videos play."));
  field(s.beyond, toggle("beyond", "Let drags leave the grid by three steps, not by half a one."));
  field(s.source, text("source",
                       "Picture, folder of views or scene that the model is compared with and "
                       "fitted to; empty: the one that the model names."));
  field(s.components, range("components", 1, 65536, "Components of a fit.").shortly('k'));
  field(s.steps, range("steps", 0, 20000, "Steps of gradient descent of a fit."));
  field(s.encoding, choice("encoding", {"f32", "archive", "compact"}, "How a model is saved.")
                        .explain({"float32, 480 bits per component of a picture",
                                  "16 bits per value: 240 bits, loses below 0.02 dB",
                                  "14 and 12 bits per value: 184 bits, loses about 0.1 dB"}));
}

}  // namespace fathom::smoe
