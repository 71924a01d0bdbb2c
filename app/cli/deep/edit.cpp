// SPDX-License-Identifier: BSD-3-Clause
// fathom deep resize | transform | crop | recolor | grade | expression: the same image elsewhere,
// or with other values.
#include "app/cli/deep/inputs_outputs.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/lists/resample_lists.h"
#include "app/engine/deep/operations/color_edit.h"
#include "app/engine/deep/operations/id_filter.h"
#include "app/engine/deep/operations/resample.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/picture.h"

#include <glm/gtc/constants.hpp>

namespace fathom::deep {
namespace {

constexpr double kUsualThinning = 1.0 / 2048, kUsualDepth = 1.0 / 1024;

PixelFilter filterOf(const CommandContext& context) {
  const std::string& name = context.text("filter");
  const char* const names[] = {"box", "tent", "gaussian", "mitchell"};
  for (int i = 0; i < 4; ++i)
    if (name == names[i]) return PixelFilter(i);
  throw UsageError(
      fmt::format("--filter: expected box, tent, gaussian or mitchell, found \"{}\"", name));
}

/// Where lists are resampled: on a GPU there is, when it is worth the way there.
std::unique_ptr<ListResampler> resamplerFor(CommandContext& context, std::uint64_t fragments) {
  constexpr std::uint64_t kWorthAsking = 1 << 20;  // a context takes about 100 ms
  const std::string& on = context.text("on");
  if (on != "auto" && on != "cpu" && on != "gpu")
    throw UsageError(fmt::format("--on: expected auto, cpu or gpu, found \"{}\"", on));
  if (on == "cpu" || (on == "auto" && fragments < kWorthAsking && !context.hasGpu()))
    return nullptr;
  try {
    if (on == "auto" && context.gpu().device().software) return nullptr;
    return std::make_unique<ListResampler>(context.gpu());
  } catch (const NoDeviceError&) {
    if (on == "gpu") throw;
    return nullptr;
  }
}

/// What a picture that lies elsewhere no longer has: the place of the world in it.
void dropPlaces(DeepImage& image) {
  if (!image.attributes) return;
  Attributes all = *image.attributes;
  const std::size_t before = all.size();
  std::erase_if(all, [](const Attribute& a) { return a.name == "worldToNDC"; });
  if (all.size() == before) return;
  log::warn("worldToNDC is left out: it would name other places than before");
  image.attributes = std::make_shared<const Attributes>(std::move(all));
}

/// Every list where it is, thinned as asked.
DeepImage moved(const DeepImage& image, const Settings& settings, ThinReport& report) {
  MergeEdit edit;
  edit.thinError = thinErrorOf(settings.thinError),
  edit.thinDepth = thinErrorOf(settings.thinDepth);
  edit.tidy = edit.thinError > 0 && image.hasZBack;
  DeepImage out = mergeEdited(withEdits(std::span(&image, 1)), edit, &report);
  out.attributes = image.attributes;
  return out;
}

/// Without `how` the windows are what is new.
void writeResampled(CommandContext& context, const DeepImage& image, std::optional<Resampling> how,
                    std::uint64_t fragmentsIn) {
  const Settings& settings = context.as<DeepEngine>().settingsStruct();
  const auto boundOf = [&](const std::string& text, double usual) {
    return context.on("keep-all") ? 0 : text.empty() ? usual : thinErrorOf(text);
  };
  if (how) {
    how->thinError = boundOf(settings.thinError, kUsualThinning);
    how->thinDepth = boundOf(settings.thinDepth, kUsualDepth);
  }
  const std::unique_ptr<ListResampler> device = how ? resamplerFor(context, fragmentsIn) : nullptr;
  const Stopwatch watch;
  ThinReport report;
  context.progress.begin("resampling", 0);
  const DeepImage out =
      how ? resampled(image, *how, &report, device.get()) : moved(image, settings, report);
  context.record.addPhase("resample", watch.ms());
  DeepWriteOptions options = writeOptions(context);
  options.progress = &context.progress;
  writeDeepExr(context.output, out, options);
  context.record.size = {out.dataWindow.width, out.dataWindow.height};
  context.record.set("largest_error", report.error);
  context.record.set("flat_error", report.flatError);
  context.record.set("largest_depth_move", report.depth);
  context.print(
      fmt::format("{} fragments of {}; thinned within {:.6g}, depths within {:.6g} of "
                  "themselves",
                  out.fragmentCount(), fragmentsIn, report.error, report.depth));
  reportFragments(context, fragmentsIn, out.fragmentCount());
}

}  // namespace

void runResize(CommandContext& context) {
  const PixelFilter filter = filterOf(context);
  const std::optional<glm::ivec2> size = context.size;
  if (size.has_value() == context.given("scale"))
    throw UsageError("expected one of --size and --scale, found both or none");
  const double scale = size ? 1 : context.real("scale", 1e-4, 1e4);
  std::uint64_t fragmentsIn = 0;
  const DeepImage image = mergedImage(context, fragmentsIn);
  const Rect& frame = image.displayWindow;
  const glm::ivec2 wanted =
      size ? *size
           : glm::max(glm::ivec2(1),
                      glm::ivec2(glm::round(glm::dvec2(frame.width, frame.height) * scale)));
  writeResampled(context, image, resizing(image, wanted, filter), fragmentsIn);
}

void runTransform(CommandContext& context) {
  const PixelFilter filter = filterOf(context);
  std::optional<std::array<glm::dvec2, 4>> corners;
  if (context.given("corner-pin")) {
    const std::vector<double> n = numbersOf(context, "corner-pin", 8);
    corners = {{{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}, {n[6], n[7]}}};
  }
  const std::vector<double> move = numbersOf(context, "translate", 2);
  const double angle = context.real("rotate", -36000, 36000) * glm::pi<double>() / 180;
  const double scale = context.real("scale", 1e-4, 1e4);
  std::uint64_t fragmentsIn = 0;
  DeepImage image = mergedImage(context, fragmentsIn);
  const glm::ivec2 whole(glm::clamp(glm::dvec2(move[0], move[1]), -1e6, 1e6));
  if (!corners && angle == 0 && scale == 1 && glm::dvec2(whole) == glm::dvec2(move[0], move[1])) {
    dropPlaces(image);
    image.dataWindow.x += whole.x, image.dataWindow.y += whole.y;
    return writeResampled(context, image, std::nullopt, fragmentsIn);
  }
  const Rect& frame = image.displayWindow;
  // About the middle of the frame: scaled, turned (counter-clockwise; y runs down), moved.
  const glm::dvec2 middle(frame.x + frame.width * 0.5, frame.y + frame.height * 0.5);
  const double c = scale * std::cos(angle), s = scale * std::sin(angle);
  const glm::dvec2 to = middle + glm::dvec2(move[0], move[1]);
  glm::dmat3 map(c, -s, 0, s, c, 0, 0, 0, 1);
  map[2] = glm::dvec3(to.x - c * middle.x - s * middle.y, to.y + s * middle.x - c * middle.y, 1);
  if (corners) map = map * cornerPin(frame, *corners);
  dropPlaces(image);
  writeResampled(context, image, transforming(image, map, filter), fragmentsIn);
}

void runCrop(CommandContext& context) {
  const std::vector<double> n = numbersOf(context, "window", 4);
  const Rect wanted{int(n[0]), int(n[1]), int(n[2]), int(n[3])};
  if (wanted.empty())
    throw UsageError(
        fmt::format("--window: expected X,Y,WIDTH,HEIGHT of at least one pixel, found {}",
                    context.text("window")));
  std::uint64_t fragmentsIn = 0;
  const DeepImage image = mergedImage(context, fragmentsIn);
  const Rect left = intersect(image.dataWindow, wanted);
  if (left.empty())
    fail("{}: expected a window that meets {},{} {}x{}, found {}", context.inputs[0],
         image.dataWindow.x, image.dataWindow.y, image.dataWindow.width, image.dataWindow.height,
         context.text("window"));
  DeepImage out = mergeEdited(withEdits(std::span(&image, 1)), {}, nullptr, left);
  out.attributes = image.attributes;
  if (context.on("reformat")) out.displayWindow = wanted;
  writeDeepExr(context.output, out, writeOptions(context));
  context.record.size = {left.width, left.height};
  reportFragments(context, fragmentsIn, out.fragmentCount());
}

namespace {

/// The merged inputs, changed by `change`, as the output.
template <class Change>
void writeChanged(CommandContext& context, const Change& change) {
  std::uint64_t fragmentsIn = 0;
  DeepImage image = mergedImage(context, fragmentsIn);
  const Stopwatch watch;
  context.progress.begin("changing fragments", 0);
  change(image);
  context.record.addPhase("change", watch.ms());
  DeepWriteOptions options = writeOptions(context);
  options.progress = &context.progress;
  writeDeepExr(context.output, image, options);
  context.record.size = {image.dataWindow.width, image.dataWindow.height};
  reportFragments(context, fragmentsIn, image.fragmentCount());
}

/// Of --only.
std::optional<IdFilter> filterSaid(const CommandContext& context, const DeepImage& image) {
  const std::string& ids = context.text("only");
  if (ids.empty()) return std::nullopt;
  for (const DeepChannel& channel : image.channels)
    if (channel.type == ChannelType::Uint) {
      IdFilter filter(image, ids);
      warnUnmatched(context.inputs[0], filter);
      return filter;
    }
  fail("{}: expected an ID channel (uint) for --only, found none", context.inputs[0]);
}

void sayRepairs(CommandContext& context, const ColorRepairs& repairs) {
  context.record.set("values_not_finite", std::uint64_t(repairs.notFinite));
  context.record.set("alphas_brought_in", std::uint64_t(repairs.alphaOutside));
  if (repairs.notFinite > 0)
    log::warn("{}: {} values were not finite: colors became 0, depths infinite", context.output,
              repairs.notFinite);
  if (repairs.alphaOutside > 0)
    log::warn("{}: {} alphas were brought into 0..1", context.output, repairs.alphaOutside);
}

/// One number for all colors, or three.
ColorTriple tripleOf(const CommandContext& context, const std::string& flag) {
  const std::string& text = context.text(flag);
  const bool several = text.find(',') != std::string::npos;
  const std::vector<double> n = numbersOf(context, flag, several ? 3 : 1);
  return several ? ColorTriple{n[0], n[1], n[2]} : ColorTriple{n[0], n[0], n[0]};
}

Grade gradeOf(const CommandContext& context) {
  Grade grade;
  grade.black = tripleOf(context, "black"), grade.white = tripleOf(context, "white");
  grade.lift = tripleOf(context, "lift"), grade.gain = tripleOf(context, "gain");
  grade.multiply = tripleOf(context, "multiply"), grade.offset = tripleOf(context, "offset");
  grade.gamma = tripleOf(context, "gamma");
  grade.channels = context.text("channels");
  for (std::size_t c = 0; c < 3; ++c) {
    if (grade.black[c] == grade.white[c])
      throw UsageError(fmt::format("--white: expected another value than --black, found {}",
                                   context.text("white")));
    if (!(grade.gamma[c] > 0))
      throw UsageError(
          fmt::format("--gamma: expected numbers above 0, found \"{}\"", context.text("gamma")));
  }
  return grade;
}

}  // namespace

void runGrade(CommandContext& context) {
  Grade grade = gradeOf(context);
  writeChanged(context, [&](DeepImage& image) {
    const std::optional<IdFilter> only = filterSaid(context, image);
    grade.only = only ? &*only : nullptr;
    ColorRepairs repairs;
    gradeFragments(image, grade, repairs);
    sayRepairs(context, repairs);
  });
}

void runExpression(CommandContext& context) {
  writeChanged(context, [&](DeepImage& image) {
    const std::optional<IdFilter> only = filterSaid(context, image);
    ColorRepairs repairs;
    evaluateFragments(image, {context.text("expression"), only ? &*only : nullptr}, repairs);
    sayRepairs(context, repairs);
  });
}

void runRecolor(CommandContext& context) {
  const std::vector<std::string> inputs = context.inputs;
  const std::string file = inputs.back();
  const Picture picture = readPicture(file);
  context.inputs.pop_back();
  writeChanged(context, [&](DeepImage& image) {
    RecolorReport report;
    if (!picture.hasAlpha && context.on("target-alpha"))
      fail("{}: expected an alpha for --target-alpha, found none", file);
    recolor(image, picture, context.on("target-alpha") ? RecolorAlpha::Target : RecolorAlpha::Keep,
            report);
    if (report.pixelsOutside > 0)
      log::warn("{}: {} pixels with fragments are outside of the picture and became black", file,
                report.pixelsOutside);
    if (report.pixelsLost > 0)
      log::warn("{}: {} pixels with color have no fragments, their color is left out", file,
                report.pixelsLost);
    context.record.set("pixels_outside", std::uint64_t(report.pixelsOutside));
    context.record.set("pixels_lost", std::uint64_t(report.pixelsLost));
  });
  context.inputs = inputs;
}

}  // namespace fathom::deep
