// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of fathom active-pixel: composite (in this process or over the ranks of mpirun),
// and those that turn pictures into compressed files and back, on the GPU, or by the reference when
// the settings ask for the processor.
#include "app/cli/command.h"

#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/distribute/distributed.h"
#include "app/engine/active_pixel/engine.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/engine/core/error.h"
#include "app/engine/core/launch.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"

namespace fathom::active_pixel {
namespace {

constexpr int kMaxFrames = 100000;

bool writesExr(const CommandContext& context) {
  return fs::path(context.output).extension() == ".exr";
}

/// What the technique shows of the parts inside one process, beyond the picture.
bool isOverlay(const Settings& settings) {
  return settings.show != Show::Picture && settings.show != Show::Parts;
}

void writeOverlay(CommandContext& context, const CompositeRequest& request) {
  auto& technique = context.as<ActivePixelEngine>();
  context.readBesideGpu([&] { return read(context.inputs, context.progress); });
  technique.setSize(request.size.x, request.size.y);
  technique.step(context.gpu(), INFINITY);
  if (!context.output.empty())
    writePicture(context.output, technique.frame().picture->downloadImage(), FlatExrOptions{});
}

void writeFrame(CommandContext& context, const std::string& file, const Frame& picture) {
  FlatExrOptions options{.asFloat = context.as<ActivePixelEngine>().settingsStruct().color ==
                                    ColorDepth::Rgba32f};
  const std::vector<float> depth = depthOf(picture);
  if (writesExr(context)) options.depth = depth;
  writePicture(file, imageOf(picture), options);
}

CompositeRequest requestOf(CommandContext& context) {
  CompositeRequest request;
  request.input = context.inputs.front();
  request.settings = context.as<ActivePixelEngine>().settingsStruct();
  if (isOverlay(request.settings) && (startedByMpirun() || context.given("figures")))
    throw UsageError("--show: expected picture or parts under mpirun and with --figures");
  request.size = context.size.value_or(glm::ivec2(1280, 720));
  request.frames = context.number("frames", 1, kMaxFrames);
  request.depthToo = writesExr(context);
  if (placesCamera(context))
    request.place = [&context](Camera& camera) { placeCamera(context, camera); };
  if (const auto pattern = FramePattern::of(context.output))
    request.each = [&context, pattern](int frame, const Frame& picture) {
      writeFrame(context, pattern->at(frame), picture);
    };
  request.gpu = [&context]() -> gpu::Context& { return context.gpu(); };
  request.progress = &context.progress;
  frameFormat(request.settings);  // wrong settings are refused before any work
  return request;
}

/// The mean over frames of the slowest rank's time (as in the paper's table 1).
double meanOfSlowest(const Composited& done, double FrameFigures::*field) {
  double sum = 0;
  const std::size_t ranks = std::size_t(done.ranks);
  for (std::size_t i = 0; i < done.figures.size(); i += ranks)
    sum += std::ranges::max(std::span(done.figures).subspan(i, ranks), {}, field).*field;
  return sum / double(done.figures.size() / ranks);
}

void reportFigures(RunRecord& record, const CompositeRequest& request, const Composited& done) {
  record.size = {request.size.x, request.size.y};
  record.set("ranks", done.ranks);
  record.set("over_mpi", startedByMpirun());
  record.set("frames", request.frames);
  record.set("frames_per_second", 1000.0 * request.frames / done.wallMs);
  record.set("render_ms", meanOfSlowest(done, &FrameFigures::render));
  record.set("read_ms", meanOfSlowest(done, &FrameFigures::read));
  record.set("compress_ms", meanOfSlowest(done, &FrameFigures::compress));
  record.set("compose_ms", meanOfSlowest(done, &FrameFigures::compose));
  record.set("collect_ms", meanOfSlowest(done, &FrameFigures::collect));
  double phases = 0;
  for (const FrameFigures& figures : done.figures) phases += figures.phases();
  // Of all processes; parts in turn are one.
  record.set("overlap", phases / done.wallMs / (startedByMpirun() ? done.ranks : 1));
  const auto perFrame = [&](double FrameFigures::*field) {
    double sum = 0;
    for (const FrameFigures& figures : done.figures) sum += figures.*field;
    return std::int64_t(sum / request.frames);
  };
  record.set("raw_bytes", perFrame(&FrameFigures::rawBytes));
  record.set("region_bytes", perFrame(&FrameFigures::regionBytes));
  record.set("sparse_bytes", perFrame(&FrameFigures::sparseBytes));
  record.set("bytes_sent", perFrame(&FrameFigures::sentBytes));
}

void writeResults(CommandContext& context, const CompositeRequest& request,
                  const Composited& done) {
  const PhaseTimer timer(context.record, "write");
  if (context.given("figures")) writeFile(context.text("figures"), figuresCsv(request, done));
  if (!context.output.empty() && !request.each) writeFrame(context, context.output, done.picture);
}

void runComposite(CommandContext& context) {
  const CompositeRequest request = requestOf(context);
  if (isOverlay(request.settings)) return writeOverlay(context, request);
  if (!startedByMpirun()) {
    const Composited done = compositeParts(request);
    writeResults(context, request, done);
    reportFigures(context.record, request, done);
    return;
  }
  bool first = true;
  Job::run([&](Job& job) {
    first = job.rank() == 0;
    const Composited done = compositeOverMpi(job, request);
    job.collective([&] {
      if (first) writeResults(context, request, done);
    });
    reportFigures(context.record, request, done);
  });
  if (!first) throw PeerFailed(0);
}

DepthRange rangeFlag(const CommandContext& context) {
  const std::string& text = context.text("depth-range");
  const std::optional<DepthRange> range = parseDepthRange(text);
  if (!range) failUsage("--depth-range: expected NEAR,FAR with NEAR < FAR, found \"{}\"", text);
  return *range;
}

/// The picture as a frame to be encoded. Reports the depth range.
Frame readFrame(CommandContext& context, const std::string& file, const Format& format) {
  Picture picture = readPicture(file);
  if (format.compositing == Compositing::Blend) {
    if (!picture.hasAlpha) fail("{}: expected an alpha channel to blend by, found none", file);
    return frameOf(picture.image, {}, format);
  }
  if (picture.depth.empty())
    fail("{}: expected a Z channel, found none (--compositing blend needs none)", file);
  // Where a picture has no alpha there is nothing, whatever its Z says.
  for (std::size_t i = 0; picture.hasAlpha && i < picture.depth.size(); ++i)
    if (picture.image.pixels[i].a == 0) picture.depth[i] = std::numeric_limits<float>::infinity();
  const DepthRange range =
      context.given("depth-range") ? rangeFlag(context) : losslessRange(picture.depth);
  for (float& z : picture.depth) z = range.depthOf(z);
  context.record.set("near", range.near);
  context.record.set("far", range.far);
  context.print(fmt::format("Z of depth 0 and 1: --depth-range {},{}", range.near, range.far));
  return frameOf(picture.image, picture.depth, format);
}

/// The frame as textures, bit for bit, and compressed from them.
SparseImage encodeOnGpu(CommandContext& context, const Frame& frame, Method method) {
  gpu::Context& gpu = context.gpu();
  gpu::Texture color, depth;
  context.timed("upload", [&] {
    if (frame.format.color != Color::None) {
      color = gpu::Texture(gpu, "color",
                           frame.format.color == Color::Rgba8 ? gpu::TextureFormat::Rgba8
                                                              : gpu::TextureFormat::Rgba32f,
                           frame.width, frame.height);
      color.write(frame.color.data(), std::int64_t(frame.color.size()));
    }
    if (frame.format.depth != Depth::None) {
      depth = gpu::Texture(gpu, "depth", gpu::TextureFormat::R32f, frame.width, frame.height);
      depth.write(frame.depth.data(), std::int64_t(frame.depth.size() * 4));
    }
  });
  const PhaseTimer timer(context.record, "gpu");
  Compressor compressor(gpu);
  const Compressor::Result result =
      compressor.result(compressor.compress({color ? &color : nullptr, depth ? &depth : nullptr,
                                             frame.format, frame.width, frame.height, std::nullopt},
                                            method));
  return {{result.words.begin(), result.words.end()}};
}

void reportFacts(CommandContext& context, const SparseFacts& facts) {
  context.record.size = {facts.width, facts.height};
  context.record.set("active", facts.active);
  context.record.set("runs", facts.runs);
  context.record.set("bytes", facts.bytes);
  context.record.set("ratio", facts.ratio);
}

void runEncode(CommandContext& context) {
  const Settings settings = context.as<ActivePixelEngine>().settingsStruct();
  const Format format = frameFormat(settings);
  if (!format.valid()) throw UsageError("--color none: expected a color to blend, found none");
  const Frame frame =
      context.timed("read", [&] { return readFrame(context, context.inputs[0], format); });
  const CompressionConfig config = resolveAuto(settings);
  const SparseImage image =
      config.mode == Mode::Gpu
          ? encodeOnGpu(context, frame, config.method)
          : context.timed("compress", [&] { return reference::encode(frame); });
  const SparseFacts facts = reference::check(image.words, format.compositing, context.inputs[0]);
  context.timed("write", [&] { writeIcet(context.output, image.words); });
  reportFacts(context, facts);
}

Frame decodeOnGpu(CommandContext& context, const SparseImage& image, Compositing compositing) {
  gpu::Context& gpu = context.gpu();
  const auto maxSize = std::uint64_t(gpu.limits().textureSize);
  if (image.words[3] > maxSize || image.words[4] > maxSize)
    fail("{}: expected at most {} x {} pixels, as textures of this GPU, found {} x {}",
         context.inputs[0], maxSize, maxSize, image.words[3], image.words[4]);
  ImageWriter writer(gpu);
  const DeviceImage onDevice = context.timed(
      "upload", [&] { return writer.upload(image.words, compositing, context.inputs[0]); });
  Decoded decoded;
  context.timed("gpu", [&] {
    decode(gpu, onDevice, glm::vec4(0), decoded);
    gpu.finish();
  });
  return context.timed("download", [&] {
    return download(decoded, onDevice.format, onDevice.width, onDevice.height);
  });
}

void runDecode(CommandContext& context) {
  const DepthRange range = rangeFlag(context);
  const Mode mode = context.as<ActivePixelEngine>().settingsStruct().mode;
  const bool onGpu = mode == Mode::Gpu || mode == Mode::Auto;
  const SparseImage image = context.timed("read", [&] { return readIcet(context.inputs[0]); });
  const Compositing compositing = compositingOf(image.words);
  const SparseFacts facts = reference::check(image.words, compositing, context.inputs[0]);
  if (facts.width == 0 || facts.height == 0)
    fail("{}: expected pixels, found {} x {}", context.inputs[0], facts.width, facts.height);
  const Frame frame = onGpu ? decodeOnGpu(context, image, compositing)
                            : reference::decode(image.words, compositing, glm::vec4(0));
  if (frame.format.depth != Depth::None && !context.given("depth-range"))
    log::warn("{}: Z is written from {} to {}; --depth-range as encode printed it restores Z",
              context.output, range.near, range.far);
  context.timed("write", [&] {
    std::vector<float> z = depthOf(frame);
    for (float& value : z) value = range.zOf(value);
    writePicture(context.output, imageOf(frame), {.asFloat = true, .depth = z});
  });
  reportFacts(context, facts);
}

}  // namespace

Command compositeCommand() {
  return {"composite",
          "Composite a scene that is split over ranks, through IceT (MPI under mpirun).",
          "fathom active-pixel composite station --parts 4 --mode gpu -o station.png",
          {"SCENE", 1, 1, "A scene, or a folder of scene files."},
          {writtenEndings(), true},
          withCamera(withColor(
              {{"frames", "N",
                "Number of frames; the scene rotates by 2 degrees per frame. The last is written, "
                "or each where the output has a place for its number: k.%02d.png",
                "1"},
               {"figures", "FILE.csv", "Times and bytes of each frame and rank"}})),
          runComposite};
}

Command encodeCommand() {
  return {"encode",
          "Compress an image to its active pixels, as IceT does.",
          "fathom active-pixel encode chess.exr -o chess.icet",
          {"IN", 1, 1, "An EXR with color and Z; for blending, an image with alpha", true},
          {{".icet"}},
          {{"depth-range", "NEAR,FAR",
            "Z that becomes depth 0 and 1; without it, 0 and a power of two beyond all Z, which "
            "loses nothing. Images that are to be composited need the same one"}},
          runEncode};
}

Command decodeCommand() {
  return {"decode",
          "Decompress an IceT image to color and depth.",
          "fathom active-pixel decode chess.icet --depth-range 0,32 -o chess.exr",
          {"IN", 1, 1, "A .icet file, or IceT's memory of an image"},
          {writtenEndings()},
          withColor({{"depth-range", "NEAR,FAR",
                      "Z of depth 0 and 1, as encode reported them; Z is infinite where nothing is",
                      "0,1"}}),
          runDecode};
}

const std::vector<Command>& commands() {
  static const std::vector<Command> list{encodeCommand(), decodeCommand(), compositeCommand()};
  return list;
}

}  // namespace fathom::active_pixel
