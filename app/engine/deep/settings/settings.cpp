// SPDX-License-Identifier: BSD-3-Clause
// The table of settings: names, ranges and help; regions as text; what an automatic choice stands
// for.
#include "app/engine/deep/settings/settings.h"

#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/deep/settings/variant_space.h"

namespace fathom::deep {

Rect parseRegion(const std::string& text, int width, int height) {
  const Rect all{0, 0, width, height};
  if (text.empty()) return all;
  Rect region;
  int used = 0;
  const int read = std::sscanf(text.c_str(), "%d,%d,%d,%d%n", &region.x, &region.y, &region.width,
                               &region.height, &used);
  if (read != 4 || std::size_t(used) != text.size() || region.width < 1 || region.height < 1)
    throw UsageError("region: expected X,Y,WIDTH,HEIGHT, found \"" + text + "\"");
  region = intersect(region, all);
  return region.empty() ? all : region;  // it was meant for another picture
}

std::string textOf(const Rect& region) {
  return fmt::format("{},{},{},{}", region.x, region.y, region.width, region.height);
}

void describe(DepthView& s, FieldVisitor& field, bool points) {
  const auto ofDepth = [&](auto& value, auto info) {
    field(value, info.under(Section::Picture).editedOn("depth"));
  };
  const char* const kOnlyPoints = "only points are drawn with it";
  const auto ofPoints = [&](auto& value, auto info) {
    ofDepth(value, info.onlyIf(points, kOnlyPoints));
  };
  const auto reads = [](auto parse, const char* form) {
    return [parse, form](const std::string& t) -> std::string {
      try {
        parse(t);
        return {};
      } catch (const UsageError&) {
        return form;
      }
    };
  };
  ofDepth(s.peel,
          text("peel",
               "Only fragments whose Z lies in NEAR:FAR are composited or drawn; "
               "either end may be left out.")
              .ofInputs()
              .checked(reads([](const std::string& t) { parseZRange("peel", t); }, "NEAR:FAR")));
  ofDepth(s.peelNumber, range("peel-number", 0, 512,
                              "Above 0: only the fragment with this number, counted from the front "
                              "within the peeled range, is composited.")
                            .ofInputs()
                            .onlyIf(!points, "points have no number"));
  ofPoints(s.region, text("region", "Pixels whose fragments become points: X,Y,WIDTH,HEIGHT.")
                         .ofInputs()
                         .checked(reads([](const std::string& t) { parseRegion(t, 1, 1); },
                                        "X,Y,WIDTH,HEIGHT")));
  ofPoints(s.pointColor,
           choice("point-color", {"color", "alpha", "input", "depth"}, "What colors a point.")
               .explain({"the fragment's color, alpha divided out", "its alpha",
                         "where it came from", "its Z within the shown range"}));
  ofPoints(s.pointSize, range("point-size", 1.0f, 16.0f, "Side of a point.").in("px").log());
  ofPoints(s.pointAlpha, toggle("point-alpha", "Draw points in proportion to alpha."));
  ofPoints(s.pointDepth,
           range("point-depth", 0.05f, 20.0f, "Depth-to-width ratio of the box.").log());
  field(s.pointLimit, range("point-limit", 1000, 20000000,
                            "Points at most; more fragments are thinned out evenly.")
                          .under(Section::Limits)
                          .label("Max. points")
                          .onlyIf(points, kOnlyPoints));
}

Method resolve(Method method, bool software) {
  if (method != Method::Auto) return method;
  return software ? Method::Stepwise : Method::RegisterBlock;
}

Strategy resolve(Strategy strategy, std::size_t inputCount) {
  if (inputCount < 3) return Strategy::Pairwise;
  return strategy == Strategy::Auto ? Strategy::KWay : strategy;
}

Settings resolveAuto(const Settings& settings, const gpu::Context& gpu, glm::ivec2 size,
                     TunedChoice& choice) {
  Settings now = settings;
  if (settings.layout != Layout::Auto) {
    choice.forget();
    return now;
  }
  now.layout = Layout::BlockInterleaved;
  const auto key = [&] { return TuneKey{kTunedWork, size, hashOfShaders({kTunedShaders}), ""}; };
  if (const auto tuned = choice.choose(gpu, key)) {
    const Variant& v = *tuned;
    now.layout = Layout(v[kLayout]);
    if (settings.method == Method::Auto) now.method = Method(v[kMethod]);
    now.blockSize = BlockSize(v[kBlockSize]), now.slots = Slots(v[kSlots]);
  }
  return now;
}

Settings withoutView(Settings settings) {
  settings.view = {};
  settings.show = Show::Picture;
  return settings;
}

namespace {

void describeInputs(Settings& s, FieldVisitor& field) {
  const auto list = [](const char* name, const char* help) {
    return text(name, help).under(Section::Input).ofInputs().checked([name](const std::string& t) {
      return complaintOf(name, t);
    });
  };
  field(s.visible, list("visible", "Per input: on,off,...").editedOn("inputs"));
  field(s.roles, list("roles",
                      "Per input: add, hold-out (takes away what it covers) or hold-in "
                      "(only what it covers is left); not given: add."));
  field(s.zScales, list("z-scales", "Per input: Z is multiplied by this."));
  field(s.zOffsets, list("z-offsets", "Per input: added to Z after scaling."));
  field(s.zRanges, list("z-ranges",
                        "Per input: NEAR:FAR of Z to keep, volumes cut there; either may "
                        "be left out."));
  field(s.ids, list("ids",
                    "Per input: only fragments with these IDs: numbers or names of the manifest, "
                    "with * and ?, like tree*|17."));
  field(s.order, text("order",
                      "Numbers of the inputs from first to last, like 2,1; the others follow. At "
                      "equal depths the first is in front.")
                     .under(Section::Input)
                     .ofInputs()
                     .editedOn("inputs")
                     .checked(complaintOfOrder));
  field(s.steps, text("do",
                      "Steps of a recipe, with ; between, like hold-out 2; grade gain=1.2. fathom "
                      "deep run does them, and the window.")
                     .under(Section::Input)
                     .label("Steps")
                     .ofInputs()
                     .editedOn("inputs"));
}

void describeMerged(Settings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  picture(s.tidy, choice("tidy", {"auto", "on", "off"},
                         "Volumes split where others begin and end, coincident fragments merged.")
                      .label("Tidy fragments")
                      .titled({"Automatic", "On", "Off"})
                      .explain({"images of inputs with ZBack, and saved lists that are thinned",
                                "images and saved lists", "never: ordered by Z alone (paper)"}));
  field(s.dropHidden, range("drop-hidden", 0.0f, 1.0f,
                            "Drop fragments once the alpha in front reaches this; 0: off.")
                          .under(Section::Limits)
                          .label("Drop fragments behind alpha")
                          .zeroMeans("Keep all", 1));
  picture(s.holdRule,
          choice("hold-rule", {"exact", "fragments"}, "How hold-outs attenuate fragments.")
              .label("Hold-out rule")
              .titled({"Exact", "Each fragment by itself"})
              .explain({"held images add up to the merged image",
                        "color and alpha are multiplied, as other programs do"}));
}

void describeThinning(Settings& s, FieldVisitor& field) {
  const auto limits = under(Section::Limits, field);
  limits(s.thin, range("thin", 0, 1024,
                       "Most fragments per pixel in the saved image; 0: no limit. The flat image "
                       "stays the same.")
                     .label("Max. fragments saved")
                     .zeroMeans("No limit", 16));
  limits(
      s.thinError,
      text("thin-error",
           "Thin the saved image, keeping the error of alpha and light in front of any depth below "
           "this, such as 1/512; empty: off.")
          .label("Max. error saved")
          .checked(complaintOfThinError));
  limits(s.thinRelative, toggle("thin-relative",
                                "--thin-error is relative to the pixel's alpha and light; off: "
                                "absolute.")
                             .label("Relative error")
                             .onlyIf(!s.thinError.empty(), "only with thin-error"));
  limits(
      s.thinDepth,
      text("thin-depth",
           "With thin-error, points may move by this part of their depth, such as 1/2048, so that "
           "points of one surface become one; empty: off.")
          .label("Depth tolerance")
          .checked(complaintOfThinError)
          .onlyIf(!s.thinError.empty(), "only with thin-error"));
}

void describeThickness(Settings& s, FieldVisitor& field) {
  field(s.thickness,
        range("thickness", 0.0f, 1e6f,
              "For flat EXR inputs with Z: each pixel becomes a volume from Z to Z + thickness; "
              "0: a point.")
            .under(Section::Input)
            .ofInputs()
            .label("Flat image thickness")
            .zeroMeans("None", 0.1f)
            .log());
}

/// Layout, method, block size and slots: the space of variants, with what is added to it.
void describeVariant(Settings& s, FieldVisitor& field) {
  const auto choiceOf = [](Dimension dimension) {
    const VariantDimension& d = kVariants.dimensions[dimension];
    return choice(std::string(d.name), valueNames(d), std::string(d.about)).explain(valueLines(d));
  };
  ChoiceField layout = choiceOf(kLayout);
  layout.values.emplace_back("auto");
  layout.about.emplace_back("the tuned one with its method, block size and slots, else bia");
  layout.label("List layout")
      .titled({"Linked list", "Linearized array", "Interleaved array", "Blocked interleaved array",
               "Rank-interleaved array", "Aligned blocks", "Automatic"});
  field(s.layout, layout);
  // Auto is not in the space of variants: it resolves to one of the others.
  ChoiceField method = choiceOf(kMethod);
  method.values.emplace_back("auto");
  method.about.emplace_back("rbm on GPUs, stepwise on software renderers");
  method.label("Merge method").titled({"Stepwise", "Register blocks", "Automatic"});
  field(s.method, method);
  field(s.strategy,
        choice("strategy", {"pairwise", "kway", "auto"}, "How more than two inputs are merged.")
            .titled({"Pairwise", "k-way", "Automatic"})
            .explain({"two by two, level by level (paper)",
                      "up to 16 in one pass: each fragment is read and written once", "kway"}));
  const Method blocks = s.method == Method::Stepwise ? s.method : Method::RegisterBlock;
  Settings chosen = s;
  if (s.layout == Layout::Auto) chosen.layout = Layout::BlockInterleaved;
  const std::string whyNot = kVariants.whyNot(variantOf(chosen, blocks), kBlockSize, 1);
  field(s.blockSize, choiceOf(kBlockSize).explain({}).onlyIf(whyNot.empty(), whyNot));
  field(s.slots, choiceOf(kSlots).label("Pixel order").titled({"Row by row", "Tiles of 2 x 8"}));
}

}  // namespace

void describe(Settings& s, FieldVisitor& field) {
  describeVariant(s, field);
  field(s.saveMerged, toggle("save-merged",
                             "Write the merged deep image to memory, then flatten it; "
                             "off: composite while merging."));
  field(s.links, choice("links", {"push", "forward"}, "How a merged linked list is written.")
                     .titled({"Back to front", "In order"})
                     .explain({"one atomic per fragment, the list comes out back to front (paper)",
                               "one atomic per pixel, nodes in order"})
                     .onlyIf(s.layout == Layout::LinkedList, "only linked lists have links"));
  field(s.earlyOut,
        choice("early-out", {"off", "exact", "display"}, "When to stop compositing a pixel.")
            .label("Early termination")
            .titled({"Never", "At alpha 1", "Below 1/512"})
            .explain({"never: every fragment is read", "when nothing behind can show (alpha 1)",
                      "below 1/512 of transmittance, half a step of 8 bits"}));
  field(s.captureFormat,
        choice("capture-format", {"rgba8", "half"}, "How fragments of a scene are stored.")
            .label("Captured fragments")
            .titled({"8 bytes", "16 bytes"})
            .explain({"8 bytes: RGBA8 and float Z (paper)",
                      "16 bytes: half RGBA and float Z, as in EXR files"}));
  field(s.sort,
        choice("sort", {"auto", "network", "in-place"}, "How lists of up to 512 are sorted.")
            .titled({"Automatic", "Sorting network", "In place"})
            .explain({"network on GPUs, in-place on software renderers",
                      "in registers by sorting networks, runs of 32 merged (register block sort)",
                      "where the list is stored, by Shell's sort or relinking: short code"}));
  field(s.show, choice("show", {"picture", "heat-map", "points"}, "What the image shows.")
                    .under(Section::Picture)
                    .titled({"Image", "Fragments per pixel", "Points in space"})
                    .explain({"the composited colors", "fragments per pixel, by length class",
                              "fragments of a selection as points in space"}));
  describeInputs(s, field);
  describeMerged(s, field);
  describeThinning(s, field);
  describeThickness(s, field);
  describe(s.view, field, s.show == Show::Points);
}

}  // namespace fathom::deep
