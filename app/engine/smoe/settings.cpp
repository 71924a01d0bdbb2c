// SPDX-License-Identifier: BSD-3-Clause
// Names, ranges and help of the settings, then the step from settings to the decoder's arguments.
#include "app/engine/smoe/settings.h"

#include "app/engine/core/error.h"

namespace fathom::smoe {
namespace {

constexpr int kMaxSide = 16384;  // px on a side
constexpr int kMaxSamplesPerAxis = 8;

void describeDecoding(Settings& s, FieldVisitor& field) {
  const auto limits = under(Section::Limits, field);
  field(s.mode,
        choice("mode", {"record", "paper-fast", "paper-slow"}, "How a component is evaluated.")
            .label("Evaluation")
            .titled({"Whitened records", "Inverse covariance", "Cholesky and QR"})
            .explain({"whitened records, factored in float64 on load",
                      "the paper's: an inverse covariance in float32",
                      "the paper's: Cholesky and QR in float32, per component"}));
  field(s.relevance,
        choice("relevance", {"bounded", "budget", "window"}, "Which components a tile evaluates.")
            .titled({"Exact bounds", "Error budget", "Window"})
            .explain({"components that can matter anywhere in the tile, by exact bounds",
                      "as few as keep the certified error below half a step of the bits",
                      "the paper's rule: centers in the tile and a border; no bound"}));
  const bool bounded = s.relevance != Relevance::Window;
  limits(s.bits, choice("bits", {"8", "10", "12", "14"}, "Color depth that the lists must serve.")
                     .label("Bit depth")
                     .onlyIf(bounded, "the window rule has no threshold"));
  field(s.tile, choice("tile", {"8", "16", "32", "auto"}, "Side of a tile in pixels.")
                    .label("Tile size")
                    .titled({"", "", "", "Automatic"})
                    .explain({"short lists, many of them", "the middle", "the paper's blocks",
                              "the tuned one, else 16"}));
  field(s.masks,
        choice("masks", {"off", "on", "auto"}, "Skipping components cell by cell inside a tile.")
            .label("Cell masks")
            .titled({"Off", "On", "Automatic"})
            .explain({"every entry of a list is evaluated",
                      "a bit per cell of 8 x 4 samples says where", "as tuned, else on"})
            .onlyIf(bounded && (s.tile == TileSize::Sixteen || s.tile == TileSize::Auto),
                    "masks belong to tiles of 16 with bounds"));
  limits(s.windowBorder, range("window-border", 0, 256, "Border of the window rule.")
                             .in("px")
                             .onlyIf(!bounded, "only the window rule has a border"));
}

void describeFit(Settings& s, FieldVisitor& field) {
  const auto ofFit = [&](auto& value, auto info) { field(value, info.editedOn("fit")); };
  ofFit(s.components, range("components", 1, kMaxComponents, "Components of a fit.")
                          .under(Section::Limits)
                          .shortFlag('k'));
  ofFit(s.steps,
        range("steps", 0, 20000, "Gradient steps of a fit, after EM.").under(Section::Limits));
  ofFit(s.ssim, range("ssim", 0.0f, 1.0f, "Weight of SSIM in the loss, next to the squared error.")
                    .under(Section::Limits));
  ofFit(s.encoding, choice("encoding", {"f32", "archive", "compact", "packed"}, "File encoding.")
                        .titled({"float32", "Archive", "Compact", "Packed"})
                        .explain({"float32, 480 bits per component of an image",
                                  "16 bits per value: 240 bits, loses below 0.02 dB",
                                  "14 and 12 bits per value: 184 bits, loses about 0.1 dB",
                                  "as few bits as the loss allows, about 90"}));
  ofFit(s.packingLoss, range("packing-loss", 0.01f, 3.0f, "PSNR that packing may cost.")
                           .under(Section::Limits)
                           .in("dB")
                           .log()
                           .onlyIf(s.encoding == Encoding::Packed, "only packed files have it"));
}

}  // namespace

void describe(Settings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  const auto limits = under(Section::Limits, field);
  describeDecoding(s, field);
  picture(s.window,
          text("window", "Part of the model that is shown, X,Y,W,H in its pixels; empty: all.")
              .ofInputs());
  picture(s.view,
          text("view", "View of a light field, A1,A2 in steps from the middle; frame of a video.")
              .ofInputs()
              .editedOn("model"));
  limits(s.samples,
         range("samples", 0, 8, "Samples per pixel and axis; 0: 1, and more when zoomed out.")
             .zeroMeans("From the zoom", 2));
  picture(s.show,
          choice("show",
                 {"picture", "lists", "winner", "certificate", "error", "disparity", "weight",
                  "beside"},
                 "What the image shows.")
              .titled({"Image", "Components per tile", "Winning component", "Certified error",
                       "Error", "Disparity", "Sum of weights", "Source, model and error"})
              .explain({"the decoded image", "how many components each tile evaluates",
                        "the component with the largest gate", "the certified error, per tile",
                        "difference from the source, where one is known",
                        "shift per view step (light fields)", "the sum of all weights",
                        "the source, the decoded image and their difference, side by side"}));
  picture(s.errorGain,
          range("error-gain", 1.0f, 256.0f, "Amplifies the error that is shown.").log());
  picture(s.ellipses, toggle("ellipses", "Draw the components over the image."));
  picture(s.orbit, toggle("orbit", "Let the view orbit by itself; videos play."));
  limits(s.beyond,
         toggle("beyond", "Let drags leave the grid by three steps instead of half a step.")
             .label("Views beyond the grid"));
  field(s.source, text("source",
                       "Image, folder of views or scene that the model is compared with and "
                       "fitted to; empty: the one that the model names.")
                      .under(Section::Input)
                      .ofInputs()
                      .editedOn("fit"));
  describeFit(s, field);
}

ViewWindow windowFor(const Model& model, const Settings& settings, glm::ivec2 size) {
  const ModelRect part =
      parseWindow(settings.window)
          .value_or(ModelRect{{0, 0}, {double(model.width), double(model.height)}});
  ViewWindow window;
  window.size = size;
  if (size.x <= 0 || size.y <= 0) {
    if (std::max(part.extent.x, part.extent.y) > kMaxSide)
      failUsage("--window: expected at most {} px, found \"{}\"", kMaxSide, settings.window);
    window.size = glm::max(glm::ivec2(glm::round(part.extent)), glm::ivec2(1));
  }
  const glm::dvec2 pixels(window.size);
  window.step = std::max(part.extent.x / pixels.x, part.extent.y / pixels.y);
  // One model pixel is one picture pixel exactly where rounding the size was all that happened.
  if (size.x <= 0 || size.y <= 0) window.step = 1;
  const glm::dvec2 room =
      size.x > 0 && size.y > 0 ? (pixels * window.step - part.extent) / 2.0 : glm::dvec2(0);
  window.corner = part.corner - room;
  window.samples = settings.samples > 0
                       ? settings.samples
                       : std::clamp(int(std::ceil(window.step - 1e-6)), 1, kMaxSamplesPerAxis);
  window.at = parseView(settings.view, model.leading());
  return window;
}

DecodeOptions optionsOf(const Settings& settings) {
  DecodeOptions options{
      .mode = settings.mode, .relevance = settings.relevance, .bits = settings.bitCount()};
  const TileSize tile = settings.tile == TileSize::Auto ? TileSize::Sixteen : settings.tile;
  options.tilePixels = 8 << int(tile);
  options.masks = settings.masks != Masks::Off && settings.relevance != Relevance::Window &&
                  options.tilePixels == 16;
  options.windowBorder = settings.windowBorder;
  return options;
}

}  // namespace fathom::smoe
