// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom active-pixel`, and those that turn pictures into compressed files and
// back: on the GPU, or by the reference when the settings ask for the processor.
#include "app/cli/active_pixel/command.h"

#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/compress/decoder.h"
#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/engine.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/engine/io/picture.h"

namespace fathom::active_pixel {
namespace {

const Settings& settingsOf(CommandContext& context) {
  return context.as<ActivePixelEngine>().settingsStruct();
}

DepthRange rangeFlag(const CommandContext& context) {
  const std::string& text = context.text("depth-range");
  const std::optional<DepthRange> range = parseDepthRange(text);
  if (!range)
    throw UsageError(
        fmt::format("--depth-range: expected NEAR,FAR with NEAR < FAR, found \"{}\"", text));
  return *range;
}

/// Where a picture has no alpha there is nothing, whatever its Z says.
void clearZWithoutAlpha(Picture& picture) {
  if (!picture.hasAlpha) return;
  for (std::size_t i = 0; i < picture.depth.size(); ++i)
    if (picture.image.pixels[i].a == 0) picture.depth[i] = std::numeric_limits<float>::infinity();
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
  clearZWithoutAlpha(picture);
  const DepthRange range =
      context.given("depth-range") ? rangeFlag(context) : losslessRange(picture.depth);
  for (float& z : picture.depth) z = range.depthOf(z);
  context.record.set("near", range.near);
  context.record.set("far", range.far);
  return frameOf(picture.image, picture.depth, format);
}

/// The frame as textures, bit for bit, and compressed from them.
SparseImage encodeOnGpu(CommandContext& context, const Frame& frame, Method method) {
  gpu::Context& gpu = context.gpu();
  gpu::Texture color, depth;
  {
    const PhaseTimer timer(context.record, "upload");
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
  }
  const PhaseTimer timer(context.record, "gpu");
  Compressor compressor(gpu);
  const Compressor::Result result =
      compressor.result(compressor.compress({color ? &color : nullptr, depth ? &depth : nullptr,
                                             frame.format, frame.width, frame.height, std::nullopt},
                                            method));
  return {{result.words.begin(), result.words.end()}};
}

SparseImage encodeOnProcessor(CommandContext& context, const Frame& frame) {
  const PhaseTimer timer(context.record, "compress");
  return reference::encode(frame);
}

void reportFacts(CommandContext& context, const SparseFacts& facts) {
  context.record.size = {facts.width, facts.height};
  context.record.set("active", facts.active);
  context.record.set("runs", facts.runs);
  context.record.set("bytes", facts.bytes);
  context.record.set("ratio", facts.ratio);
}

void runEncode(CommandContext& context) {
  const Settings settings = settingsOf(context);
  const Format format = frameFormat(settings);
  if (!format.valid()) throw UsageError("--color none: expected a color to blend, found none");
  Frame frame;
  {
    const PhaseTimer timer(context.record, "read");
    frame = readFrame(context, context.inputs[0], format);
  }
  const CompressionConfig config = resolveAuto(settings);
  const SparseImage image = config.mode == Mode::Gpu ? encodeOnGpu(context, frame, config.method)
                                                     : encodeOnProcessor(context, frame);
  const SparseFacts facts = reference::check(image.words, format.compositing, context.inputs[0]);
  {
    const PhaseTimer timer(context.record, "write");
    writeIcet(context.output, image.words);
  }
  reportFacts(context, facts);
}

Frame decodeOnGpu(CommandContext& context, const SparseImage& image, Compositing compositing) {
  gpu::Context& gpu = context.gpu();
  const auto maxSize = std::uint64_t(gpu.limits().textureSize);
  if (image.words[3] > maxSize || image.words[4] > maxSize)
    fail("{}: expected at most {} x {} pixels, as textures of this GPU, found {} x {}",
         context.inputs[0], maxSize, maxSize, image.words[3], image.words[4]);
  ImageWriter writer(gpu);
  DeviceImage onDevice;
  {
    const PhaseTimer timer(context.record, "upload");
    onDevice = writer.upload(image.words, compositing, context.inputs[0]);
  }
  Decoder::Decoded decoded;
  {
    const PhaseTimer timer(context.record, "gpu");
    Decoder(gpu).decode(onDevice, glm::vec4(0), decoded);
    gpu.finish();
  }
  const PhaseTimer timer(context.record, "download");
  return download(decoded, onDevice.format, onDevice.width, onDevice.height);
}

void runDecode(CommandContext& context) {
  const DepthRange range = rangeFlag(context);
  const Mode mode = settingsOf(context).mode;
  const bool onGpu = mode == Mode::Gpu || mode == Mode::Auto;
  SparseImage image;
  {
    const PhaseTimer timer(context.record, "read");
    image = readIcet(context.inputs[0]);
  }
  const Compositing compositing = compositingOf(image.words);
  const SparseFacts facts = reference::check(image.words, compositing, context.inputs[0]);
  if (facts.width == 0 || facts.height == 0)
    fail("{}: expected pixels, found {} x {}", context.inputs[0], facts.width, facts.height);
  const Frame frame = onGpu ? decodeOnGpu(context, image, compositing)
                            : reference::decode(image.words, compositing, glm::vec4(0));
  {
    const PhaseTimer timer(context.record, "write");
    std::vector<float> z = depthOf(frame);
    for (float& value : z) value = range.zOf(value);
    FlatExrOptions options;
    options.asFloat = true;
    options.depth = z;
    writePicture(context.output, imageOf(frame), options);
  }
  reportFacts(context, facts);
}

}  // namespace

Command encodeCommand() {
  return {"encode",
          "Compresses a picture to its active pixels, byte for byte as IceT does.",
          "fathom active-pixel encode chess.exr -o chess.icet",
          {"IN", 1, 1, "An EXR with color and Z; for blending, a picture with alpha"},
          {".icet"},
          false,
          {{"depth-range", "NEAR,FAR",
            "Z that becomes depth 0 and 1; without it, 0 and a power of two beyond all Z, which "
            "loses nothing. Images that are to be composited need the same one",
            "", false}},
          runEncode};
}

Command decodeCommand() {
  return {"decode",
          "Brings a compressed image back to color and Z.",
          "fathom active-pixel decode chess.icet --depth-range 0,32 -o chess.exr",
          {"IN", 1, 1, "A file that encode wrote, or memory of IceT"},
          {".exr", ".png"},
          false,
          {{"depth-range", "NEAR,FAR",
            "Z of depth 0 and 1, as encode reported them; Z is infinite where nothing is", "0,1",
            false}},
          runDecode};
}

const std::vector<Command>& commands() {
  static const std::vector<Command> list{encodeCommand(), decodeCommand(), compositeCommand()};
  return list;
}

}  // namespace fathom::active_pixel
