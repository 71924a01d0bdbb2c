// SPDX-License-Identifier: BSD-3-Clause
// fathom dof render | variants
#include "app/cli/command.h"

#include "app/cli/flags.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/dof/engine.h"
#include "app/engine/dof/focus_pull.h"
#include "app/engine/dof/variants/accumulate.h"
#include "app/engine/dof/variants/space.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/id_filter.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"

namespace fathom::dof {
namespace {

void openInputs(CommandContext& context) {
  auto& technique = context.as<DofEngine>();
  if (context.size) technique.setSize(context.size->x, context.size->y);
  const auto readAll = [&] {
    return read(context.inputs, context.progress, context.text("roles"),
                {context.text("channels"), context.text("straight"), context.on("float")});
  };
  if (technique.inputs().empty())
    context.readBesideGpu(readAll);
  else if (technique.inputs() != context.inputs)
    technique.adopt(readAll());
  context.record.size = {technique.frame().size.x, technique.frame().size.y};
}

/// What the first frame of a sequence says about the scale holds for all, whoever renders them.
void keepScale(CommandContext& context) {
  auto& technique = context.as<DofEngine>();
  Settings& s = technique.settingsStruct();
  if (context.firstInputs.empty() || s.mmPerUnit > 0) return;
  if (context.firstInputs == technique.inputs()) {
    s.mmPerUnit = float(technique.shot().mmPerUnit());
    return;
  }
  Shot first;
  first.size = technique.frame().size;
  first.open(std::move(
      ownInputs<Input>(*read(context.firstInputs, context.progress, context.text("roles")))));
  s.mmPerUnit = float(first.mmPerUnit());
}

/// What has changed is what its keys say.
void renderAll(CommandContext& context, DofEngine& technique) {
  const PhaseTimer timer(context.record, "gpu");
  context.progress.begin("blurring", 0);
  std::size_t shown = 0;
  makeWholePicture(context.gpu(), technique, [&] {
    const auto [done, all] = technique.lensProgress();
    if (all > 0 && shown == 0) context.progress.begin("drawing lens points", double(all));
    context.progress.advance(double(done - std::min(done, shown)));
    shown = done;
  });
  context.gpu().finish();
}

/// What the settings cut, and which of them would not.
void warnOfCuts(const DofEngine& technique, const Pipeline::Totals& totals) {
  constexpr double kWorthSaying = 0.01;
  const Settings& s = technique.shot().settings;
  const int samples = technique.shot().samples(), most = 512 / samples;
  const double asked = totals.widest / samples;
  if (totals.clampedShare() > kWorthSaying && s.radius() < most)
    log::warn(
        "{:.0f} % of the splats are blurred less than the lens asks for, up to {:.0f} px: try "
        "--max-radius {}",
        100 * totals.clampedShare(), asked,
        asked < most ? std::max(16, int(std::bit_ceil(unsigned(std::ceil(asked))))) : most);
  if (technique.shot().mask && (s.op == Operator::Lens || technique.shot().needsTruth()))
    log::warn("{}: lens samples ignore the focus mask", s.mask);
}

/// What the file holds and the blurred picture does not; said once for a sequence.
void warnOfOtherChannels(const CommandContext& context, const DofEngine& technique) {
  const std::string& name = technique.inputs()[0];
  if (!context.firstInputs.empty() && context.firstInputs[0] != name) return;
  const std::shared_ptr<const Aovs>& aovs = technique.shot().input.aovs;
  if (aovs && !aovs->left.empty() && !context.given("channels"))
    log::warn("{}: color and alpha are blurred; with --channels, these would be, too: {}", name,
              fmt::join(aovs->left, ", "));
}

/// With the channels that --channels chooses, in the types that the input has.
void writeChannels(CommandContext& context, DofEngine& technique, const std::string& file) {
  const Image picture = context.download();
  const PhaseTimer timer(context.record, "write");
  const Aovs& aovs = *technique.shot().input.aovs;
  DeepImage like = technique.deepHeader();
  const Image color = hasOutputColor() ? exported(picture, like.attributes) : picture;
  Attributes attributes = like.attributes ? *exportedAttributes(like.attributes) : Attributes();
  for (const Attribute& described : aovs.described) setAttribute(attributes, described);
  std::vector<DeepChannel> all;
  for (int c = 0; c < 4; ++c) {
    all.push_back({std::string(1, "RGBA"[c]), aovs.colorType, {}});
    all.back().values.resize(color.pixels.size() * bytesPerValue(aovs.colorType));
    for (std::size_t i = 0; i < color.pixels.size(); ++i)
      setChannelValue(all.back(), i, color.pixels[i][c]);
  }
  std::vector<MatteRanks> mattes;
  std::size_t ids = 0;
  if (AovBlur* const blurred = technique.aovs()) {
    std::ranges::move(blurred->averaged, std::back_inserter(all));
    for (std::size_t i = 0; i < aovs.mattes.size(); ++i) {
      mattes.emplace_back(aovs.mattes[i].layer, std::move(blurred->mattes[i]));
      if (const std::string& numbers = aovs.mattes[i].numbers; !numbers.empty())
        mattes[i].nameIds(numbers, attributes);
      mattes[i].warnOfMore(file);
      ids += mattes[i].idCount();
    }
    context.record.set("matte_passes", blurred->passes);
  }
  like.attributes = std::make_shared<const Attributes>(std::move(attributes));
  std::vector<DeepChannel> row;
  std::optional<FlatChannelWriter> writer;
  for (int y = 0; y < picture.height; ++y) {
    row.clear();
    for (const DeepChannel& c : all) {
      const auto bytes = std::ptrdiff_t(bytesPerValue(c.type)) * picture.width;
      row.push_back(
          {c.name, c.type, {c.values.begin() + y * bytes, c.values.begin() + (y + 1) * bytes}});
    }
    const auto width = std::size_t(picture.width);
    for (MatteRanks& ranks : mattes)
      std::ranges::copy(ranks.rows(std::size_t(y) * width, width), std::back_inserter(row));
    if (!writer) writer.emplace(file, like, row);
    writer->writeRows(row, 1);
  }
  writer->finish();
  context.record.set("channels", std::uint64_t(row.size()));
  context.record.set("ids", std::uint64_t(ids));
}

void writeResult(CommandContext& context, DofEngine& technique, const std::string& file) {
  if (context.given("channels")) return writeChannels(context, technique, file);
  const Image picture = context.download();
  const PhaseTimer timer(context.record, "write");
  FlatExrOptions options{.asFloat = context.on("float"),
                         .dataWindow = {technique.frame().origin.x, technique.frame().origin.y,
                                        picture.width, picture.height},
                         .displayWindow = technique.shot().displayWindow(),
                         .pixelAspect = technique.shot().pixelAspect()};
  const Input& input = technique.shot().input;
  if (input.flat) options.attributes = input.flat->attributes;
  if (!input.deep) return writePicture(file, picture, options);
  // The data window of the files, and what blur reaches around it.
  const Rect whole = options.dataWindow;
  Rect& window = options.dataWindow = input.dataWindow;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      if (!window.contains(whole.x + x, whole.y + y) && picture.at(x, y) != glm::vec4(0))
        window = unite(window, {whole.x + x, whole.y + y, 1, 1});
  options.attributes = input.deep->attributes;
  writePicture(file, inWindow(picture, whole, window, file), options);
}

/// Depth of what has one of these IDs, by number or name: the median of its fragments.
double depthOfIds(const DofEngine& technique, const std::string& ids) {
  const auto& deep = technique.shot().input.deep;
  const std::string& name = technique.inputs()[0];
  if (!deep || !hasIds(deep->channels))
    fail("{}: expected a deep EXR with a channel of IDs (uint), found none", name);
  const IdFilter filter(*deep, ids);
  std::vector<float> depths;
  for (std::size_t i = 0; i < deep->fragmentCount(); ++i)
    if (const float z = decodeFragment(*deep, i).z; filter.has(*deep, i, 0) && !isBackground(z))
      depths.push_back(z);
  if (depths.empty()) fail("{}: expected fragments of ID {}, found none", name, ids);
  const auto middle = depths.begin() + std::ptrdiff_t(depths.size() / 2);
  std::nth_element(depths.begin(), middle, depths.end());
  return *middle;
}

/// As --focus says, or a file of keys among the inputs.
FocusPull pullOf(const CommandContext& context) {
  if (context.given("focus")) return parsePull(context.text("focus"));
  const auto file = std::find_if(context.inputs.begin(), context.inputs.end(), looksLikePull);
  return file == context.inputs.end() ? FocusPull() : parsePull(*file);
}

/// The file of --deep, of this frame; empty: none is asked for.
std::string deepFileOf(const CommandContext& context) {
  std::string file = context.text("deep");
  if (file.empty() && context.given("deep-samples"))
    failUsage("--deep-samples: expected --deep FILE with it");
  if (file.empty()) return file;
  commands::checkOutput(file, {".exr", ".fdp"});
  const auto numbered = FramePattern::of(file);
  if (context.frame && !numbered)
    failUsage("--deep: expected a place for the frame's number, found {}", file);
  if (context.frame) file = numbered->at(*context.frame);
  commands::refuseInput("--deep", file, context.inputs);
  return file;
}

/// Renders, and writes the blurred deep image on the way.
void renderDeep(CommandContext& context, DofEngine& technique, const std::string& file) {
  DeepExrWriter writer(file, technique.deepHeader());
  technique.makeDeep(context.number("deep-samples", 2, 64),
                     [&](DeepImage&& rows) { writer.writeRows(rows); });
  technique.restartBlur();
  renderAll(context, technique);
  technique.makeDeep(0, nullptr);
  writer.finish();
}

/// What another file must be given to be merged with this one.
void warnOfOwnLens(const DofEngine& technique, bool ownScale) {
  const bool ownFocus = technique.shot().settings.focusDistance <= 0;
  if (!ownFocus && !ownScale) return;
  const Lens lens = technique.lens();
  log::warn(
      "--deep: {} from this input: blur what it is merged with by "
      "--focus-distance {} --mm-per-unit {}",
      !ownFocus   ? "the scale follows"
      : !ownScale ? "the focus follows"
                  : "focus and scale follow",
      float(lens.focus), float(lens.mmPerUnit));
}

/// What is asked for and has no effect, as the command line has it.
void warnOfUnused(const CommandContext& context, const DofEngine& technique) {
  const Settings& s = technique.shot().settings;
  const std::string& name = technique.inputs()[0];
  if (s.supersample != Supersample::S1 && !technique.shot().input.scene)
    log::warn("{}: expected a scene for --supersample {}, found a file of one sample per pixel",
              name, s.supersamples());
  if (const glm::ivec2 size = technique.frame().size; context.size && *context.size != size)
    log::warn("{}: expected a scene for --size {}x{}, found a file: it keeps its {}x{} pixels",
              name, context.size->x, context.size->y, size.x, size.y);
  const bool pulled = context.frame && !pullOf(context).focus.empty();
  if (pulled && context.given("focus-id"))
    log::warn("--focus-id: ignored, the focus pull sets the focus");
  if (s.focusDistance > 0 && (pulled || context.given("focus-id")))
    log::warn("--focus-distance {}: {} sets the focus instead", s.focusDistance,
              pulled ? "the focus pull" : "--focus-id");
}

/// Focus and f-number of a frame.
void focus(CommandContext& context, DofEngine& technique) {
  Settings& s = technique.settingsStruct();
  if (context.given("focus-id"))
    s.focusDistance = float(depthOfIds(technique, context.text("focus-id")));
  if (context.frame) applyPull(pullOf(context), *context.frame, s);
}

void describeResult(CommandContext& context, const DofEngine& technique) {
  const Pipeline::Totals totals = technique.totals();
  context.record.set("variant", technique.usedVariant());
  context.record.set("entries", totals.entries);
  context.record.set("mean_list", totals.meanList());
  context.record.set("longest_list", std::uint64_t(totals.longest));
  context.record.set("splats", totals.splats);
  context.record.set("clamped_share", totals.clampedShare());
  context.record.set("overflow_redos", std::int64_t(totals.overflowRedos));
  context.record.set("focus", technique.lens().focus);
  context.record.set("focal_length_mm", technique.lens().focalLength);
  context.record.set("mm_per_unit", technique.lens().mmPerUnit);
}

void runRender(CommandContext& context) {
  pullOf(context);  // what is wrong with it comes first
  if (context.given("channels") && endingOf(context.output) != ".exr")
    failUsage("--channels: expected an EXR as output, found {}", context.output);
  if (context.given("straight") && !context.given("channels"))
    failUsage("--straight: expected --channels LIST with it");
  const std::string deepFile = deepFileOf(context);
  if (!context.frame && (context.given("focus") || context.given("frames")))
    failUsage("--output: expected a place for the frame's number, as in focus.%04d.exr, found {}",
              context.output);
  auto& technique = context.as<DofEngine>();
  const bool first = technique.inputs().empty();
  openInputs(context);
  if (first) warnOfUnused(context, technique);
  const bool ownScale = technique.settingsStruct().mmPerUnit <= 0;
  keepScale(context);
  technique.shot().frameNumber = context.frame;
  focus(context, technique);
  if (context.given("channels")) technique.restartBlur();  // what another frame was given is gone
  if (deepFile.empty())
    renderAll(context, technique);
  else
    renderDeep(context, technique, deepFile);
  if (first && !deepFile.empty()) warnOfOwnLens(technique, ownScale);
  writeResult(context, technique, context.output);
  describeResult(context, technique);
  warnOfCuts(technique, technique.totals());
  warnOfOtherChannels(context, technique);
}

/// --source: text instead of the list.
void printSource(CommandContext& context) {
  const std::string text = variantSource(kSpace.parse(context.text("source")), WarpBackEnd::Arb);
  if (context.output.empty())
    context.print(text);
  else
    writeFile(context.output, text);
}

void listVariants(CommandContext& context) {
  if (context.given("source")) return printSource(context);
  if (!context.output.empty()) throw UsageError("--output: expected --source ID with it");
  for (int d = 0; d < kSpace.dimensionCount(); ++d) {
    const VariantDimension& dimension = kSpace.dimensions[d];
    context.print(fmt::format("{}: {}", dimension.name, dimension.about));
    for (int v = 0; v < dimension.count(); ++v)
      context.print(fmt::format("  {:<8} {}{}", dimension.values[v].name, dimension.values[v].about,
                                dimension.values[v].extension ? " (not among the 320)" : ""));
  }
  for (const VariantConstraint& constraint : kSpace.constraints)
    if (constraint.holds) context.print(fmt::format("{}: {}", constraint.name, constraint.reason));
  context.print("");
  int counted = 0;
  for (const Variant& variant : allVariants(kSpace)) {
    if (kSpace.extension(variant)) continue;
    context.print(kSpace.id(variant));
    ++counted;
  }
  context.record.set("count", std::int64_t(counted));
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"render",
       "Render depth of field for a scene, deep EXRs or an image with depth.",
       "fathom dof render atrium --focus-distance 4 --f-number 1.4 --size 1280x720 -o focus.png",
       {"IN", 1, -1, "A scene, deep EXRs, an EXR with Z, or an image and its depth image.", true},
       {writtenEndings()},
       withCamera(
           withColor({{"float", "", "Write float instead of half to the EXR.", "off"},
                      {"roles", "ROLES",
                       "Per input: add, hold-out (a deep EXR that stays sharp and takes away what "
                       "it covers) or blurred-hold-out (is blurred along), like add,hold-out"},
                      {"deep", "FILE", "Also write a deep EXR: flattened, the blurred image", "",
                       false, true},
                      {"deep-samples", "N", "Most fragments per pixel of --deep, 2 to 64.", "16"},
                      {"channels", "LIST",
                       "For EXR output: blur these, too: all, or names and layers with * and ?, "
                       "like N,diffuse.*; IDs become a Cryptomatte"},
                      {"straight", "LIST",
                       "Which of them are not premultiplied; default: vectors of flat EXRs"},
                      {"focus", "PULL", "Focus pull: FROM:TO@FIRST-LAST, or a JSON file of keys"},
                      {"focus-id", "IDS",
                       "Focus on the object with this ID or name in a deep EXR: 12, hero*"}})),
       runRender,
       true,
       true,
       [](const CommandContext& context) {
         const FocusPull pull = pullOf(context);
         return context.given("frames") ? std::vector<int>() : pull.frames();
       }},
      {"variants",
       "List the 320 accumulation variants of the paper.",
       "fathom dof variants --source warp.peel.a.copy.each.l1.load.ftb.int -o kernel.glsl",
       {"", 0, 0, ""},
       {{".glsl"}, true},
       {{"source", "ID", "Print the generated source of a variant"}},
       listVariants,
       false},
  };
  return list;
}

}  // namespace fathom::dof
