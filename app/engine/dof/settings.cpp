// SPDX-License-Identifier: BSD-3-Clause
// Names, ranges and help of the settings, in the order in which the panel shows them.
#include "app/engine/dof/settings.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/json.h"
#include "app/engine/io/picture.h"

namespace fathom::dof {
namespace {

void describeLens(Settings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  picture(s.focalLength,
          range("focal-length", 0.0f, 2000.0f, "Focal length; 0: from the field of view.")
              .zeroMeans("From the field of view", 50)
              .in("mm"));
  picture(s.fNumber, range("f-number", 0.5f, 64.0f,
                           "Focal length over aperture diameter; smaller means more blur.")
                         .label("f-number")
                         .log());
  picture(s.focusDistance,
          range("focus-distance", 0.0f, 1e6f,
                "Depth in focus, in scene units along the view; 0: at the image's center.")
              .ofInputs()
              .zeroMeans("The middle of the image", 10)
              .log());
  picture(s.sensorWidth, range("sensor-width", 1.0f, 200.0f, "Width of the sensor.").in("mm"));
  field(s.mmPerUnit,
        range("mm-per-unit", 0.0f, 1e6f, "Millimeters in one unit of depth; 0: automatic.")
            .under(Section::Input)
            .ofInputs()
            .zeroMeans("Automatic", 1000)
            .label("Scene scale (mm/unit)")
            .log());
  field(s.maxRadius, choice("max-radius", {"8", "16", "32", "64", "128", "256", "512"},
                            "Largest blur radius in pixels; larger ones are cut to it.")
                         .under(Section::Limits)
                         .label("Max. blur radius"));
  picture(s.edges, choice("edges", {"extend", "mirror", "renormalize"},
                          "What blurs into the image from beyond its border.")
                       .explain({"scenes: rendered; files: the border's pixels, repeated",
                                 "the same, but files are mirrored",
                                 "nothing: light near the border is scaled up"}));
  picture(s.blades, choice("blades", {"round", "5", "6", "7", "8", "9"}, "Blades of the aperture.")
                        .onlyIf(s.bokeh.empty(), "the bokeh image is the aperture")
                        .label("Aperture blades"));
  picture(s.bladeRotation,
          range("blade-rotation", 0.0f, 360.0f, "Rotation of the aperture.")
              .in("degrees")
              .onlyIf(s.blades != Blades::Round, "a round aperture has no corners"));
  picture(s.bladeRoundness,
          range("blade-roundness", 0.0f, 1.0f, "0: straight blades, 1: round.")
              .onlyIf(s.blades != Blades::Round, "the aperture is round already"));
}

void describeFaults(Settings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  picture(s.lens, text("lens", "Lens file (JSON) for the settings left at their defaults.")
                      .checked(FilePath{{".json"}})
                      .label("Lens file"));
  picture(s.bokeh, text("bokeh", "Image of the aperture, in place of blades; empty: none.")
                       .checked(FilePath{pictureEndings()})
                       .label("Bokeh image"));
  picture(s.mask, text("mask",
                       "Focus mask, FILE or FILE:CHANNEL: 1 is blurred as the lens says, 0 "
                       "stays sharp.")
                      .checked(FilePath{pictureEndings()})
                      .label("Focus mask"));
  picture(s.catsEye, range("cats-eye", 0.0f, 1.0f,
                           "How far the barrel cuts into the aperture in a corner of the frame.")
                         .label("Cat's eye"));
  picture(s.swirl, range("swirl", 0.0f, 1.0f,
                         "How much discs stretch along circles about the middle, in a corner."));
  picture(s.squeeze,
          range("squeeze", 0.25f, 4.0f, "Anamorphic: height over width of a round aperture's disc.")
              .label("Anamorphic squeeze")
              .log());
  picture(s.sphericalAberration,
          range("spherical-aberration", -1.0f, 1.0f,
                "Above 0: discs behind the focus have a bright rim, those before it a dark one."));
  picture(s.axialColor,
          range("axial-color", -10.0f, 10.0f,
                "How much nearer red is in focus than green, and blue farther, in thousandths "
                "of the focal length.")
              .in("per mille"));
  picture(s.lateralColor,
          range("lateral-color", -10.0f, 10.0f,
                "How much larger the red image is than the green, and blue smaller.")
              .in("per mille"));
}

void describeDepth(Settings& s, FieldVisitor& field) {
  const auto input = under(Section::Input, field);
  input(s.depthForm,
        choice("depth-form",
               {"auto", "planar", "radial", "linear", "gl", "gl-reversed", "gl-infinite"},
               "What the values of a depth channel or image mean.")
            .ofInputs()
            .titled({"Automatic", "Along the view axis", "Distance from the eye", "0 near to 1 far",
                     "OpenGL depth", "OpenGL depth, reversed", "OpenGL depth, infinite"})
            .explain({"planar for EXR, linear for a depth image", "distance along the view axis",
                      "distance from the eye", "0 at near, 1 at far",
                      "OpenGL depth buffer of a perspective, 0 at near", "the same, 1 at near",
                      "reversed with far at infinity: near / depth"}));
  input(s.near, range("near", 1e-4f, 1e6f, "Depth of the near plane, in scene units.")
                    .ofInputs()
                    .label("Near plane")
                    .log());
  input(s.far, range("far", 1e-4f, 1e9f, "Depth of the far plane, in scene units.")
                   .ofInputs()
                   .label("Far plane")
                   .log());
  input(s.snapDepth,
        toggle("snap-depth", "Snap averaged depths at edges to the nearer or farther side."));
}

}  // namespace

void describe(Settings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  const auto limits = under(Section::Limits, field);
  picture(s.op,
          choice("operator", {"over", "coverage", "slabs", "lens-cells", "gather", "lens"},
                 "Blur operator.")
              .titled({"Splats, composited", "Splats by coverage", "Splats in slabs",
                       "Splats by lens cells", "Gathered", "Lens sampling"})
              .explain({"splats composited front to back (the paper's); surfaces leak 37 %",
                        "splats fill the rest of a pixel: exact within one surface",
                        "splats of similar depth added up, slabs composited (research)",
                        "coverage for each part of the aperture: best where edges overlap, slow",
                        "64 taps around each pixel, without splats",
                        "the scene drawn from many points of the lens: ground truth"}));
  field(s.variant, text("variant",
                        "auto: smooth discs; a variant of the paper by its id, or tuned: the "
                        "fastest of them here.")
                       .editedOn("variants"));
  picture(s.layers, choice("layers", {"all", "first"}, "Which fragments of a pixel are splats.")
                        .titled({"All", "Only the first"})
                        .explain({"with layers that a blurred edge uncovers (scenes, deep EXRs)",
                                  "only the nearest, as in a flat image"}));
  describeLens(s, field);
  describeFaults(s, field);
  describeDepth(s, field);
  field(s.sort,
        choice("sort", {"auto", "bitonic", "radix"}, "How lists are sorted.")
            .titled({"Automatic", "Bitonic network", "Radix sort"})
            .explain({"the faster one on this kind of device, by measurement; radix for long lists",
                      "each list in shared memory by a network",
                      "all splats by depth, then their entries by tile"}));
  limits(s.epsilon, range("epsilon", 0.0f, 0.1f,
                          "Variants with early-out stop below this transmittance; 0: never (HDR).")
                        .label("Early termination at"));
  limits(s.supersample,
         choice("supersample", {"1", "2", "4"},
                "Samples along a pixel's side, for scenes: finer captured, blurred, averaged.")
             .titled({"1 per pixel", "2 x 2 per pixel", "4 x 4 per pixel"}));
  limits(s.lensPoints, choice("lens-points", {"64", "256", "1024", "4096", "16384", "65536"},
                              "Points on the lens for operator lens.")
                           .label("Lens samples"));
  picture(s.show, choice("show", {"picture", "circles", "focal-plane", "difference"},
                         "What the image shows.")
                      .titled({"Image", "Circles of confusion", "Focal plane", "Difference"})
                      .explain({"the blurred image", "near in blue, far in orange, by blur radius",
                                "highlights sharp pixels (radius below 1 px)",
                                "image minus ground truth around gray (scenes)"}));
  picture(s.differenceGain,
          range("difference-gain", 1.0f, 64.0f, "Amplification of the difference.")
              .log()
              .onlyIf(s.show == Show::Difference, "only the difference is amplified"));
}

namespace {

constexpr std::size_t kMaxBytes = 1 << 16;

const std::vector<std::string>& lensSettings() {
  static const std::vector<std::string> names{
      "focal-length",         "f-number",    "sensor-width", "blades", "blade-rotation",
      "blade-roundness",      "bokeh",       "cats-eye",     "swirl",  "squeeze",
      "spherical-aberration", "axial-color", "lateral-color"};
  return names;
}

std::string valueOf(const std::vector<FieldValue>& values, const std::string& name) {
  for (const FieldValue& value : values)
    if (value.name == name) return value.text;
  return {};
}

}  // namespace

void applyLens(const std::string& file, Settings& settings) {
  const Json root = parseJson(readFile(file, kMaxBytes), file, 4);
  if (!root.is_object()) fail("{}: expected a JSON object, found {}", file, shownJson(root));

  const Describe described = describing(settings);
  Settings fresh;
  const auto defaults = valuesOf(describing(fresh));
  const auto before = valuesOf(described);
  for (const auto& [key, value] : root.items()) {
    if (key == "name" || key == "note") continue;
    const std::vector<std::string>& known = lensSettings();
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail("{}: expected settings of a lens ({}), found \"{}\"", file, fmt::join(known, ", "), key);
    if (valueOf(before, key) != valueOf(defaults, key)) continue;
    std::string wanted = value.is_string() ? value.get<std::string>() : value.dump();
    if (key == "bokeh" && !wanted.empty())
      wanted = (fs::path(file).parent_path() / wanted).string();
    try {
      assign(described, key, wanted);
    } catch (const UsageError& error) {
      fail("{}: {}", file, error.what());
    }
  }
}

}  // namespace fathom::dof
