// SPDX-License-Identifier: BSD-3-Clause
// From textures to sparse images: the paper's five steps, the fused scan, and a ring of slots on
// the way to the host.
#include "app/engine/active_pixel/compress/compressor.h"

#include "app/engine/gpu/sort/scan.h"

namespace fathom::active_pixel {

using gpu::TextureFormat;

namespace {

bool serves(TextureFormat texture, Color color) {
  if (color == Color::Rgba8)
    return texture == TextureFormat::Rgba8 || texture == TextureFormat::SrgbA8;
  return texture == TextureFormat::Rgba32f || texture == TextureFormat::Rgba16f;
}

}  // namespace

TextureSource::TextureSource(gpu::Context& gpu, const CompressRequest& request) {
  if (request.format.color != Color::None) {
    FATHOM_CHECK(request.color != nullptr);
    FATHOM_CHECK(serves(request.color->format(), request.format.color));
    if (gpu::WordView::possible(request.color->format()))
      colorWords_ = gpu::WordView(gpu, *request.color);
    else
      color_ = request.color;
  }
  if (request.format.depth != Depth::None) {
    FATHOM_CHECK(request.depth != nullptr);
    const TextureFormat format = request.depth->format();
    FATHOM_CHECK(format == TextureFormat::Depth32f || format == TextureFormat::R32f);
    if (gpu::WordView::possible(format))
      depthWords_ = gpu::WordView(gpu, *request.depth);
    else
      depth_ = request.depth;
  }
}

std::vector<gpu::Define> TextureSource::defines() const {
  return {{"AP_COLOR_VIEW", color_ ? 0 : 1}, {"AP_DEPTH_VIEW", depth_ ? 0 : 1}};
}

void TextureSource::bind(gpu::Pass& pass) const {
  if (color_) pass.texture(AP_TEXTURE_COLOR, *color_);
  if (depth_) pass.texture(AP_TEXTURE_DEPTH, *depth_);
  if (colorWords_.id()) pass.words(AP_TEXTURE_COLOR, colorWords_);
  if (depthWords_.id()) pass.words(AP_TEXTURE_DEPTH, depthWords_);
}

// ---- The five steps

namespace {

/// The paper's compressor (Lipinski et al. 2021, sec. 3), step by step, with an array of one word
/// per pixel for each: on the program's prefix sum and reduce-by-key. For comparison; the fused
/// form is faster and needs a fraction of the memory.
class FiveStep {
 public:
  explicit FiveStep(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu), reducer_(gpu) {}
  /// Writes words and facts of `image`, whose region is `source`'s part of the textures: texel
  /// `sourceX, sourceY` lies at the region's lower left pixel. Throws Error when an array of a word
  /// per pixel does not fit a storage block.
  void compress(DeviceImage& image, const TextureSource& source, int sourceX, int sourceY);

 private:
  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  gpu::KeyReducer reducer_;
  gpu::Words active_, run_;     // uint[N]: act; new, then the number of the run
  gpu::Words runSums_, index_;  // uint[N + 1]
  gpu::Words lengths_;          // uint[N]
};

}  // namespace

void FiveStep::compress(DeviceImage& image, const TextureSource& source, int sourceX, int sourceY) {
  const std::size_t count = std::size_t(image.width) * std::size_t(image.height);
  gpu::ensure(gpu_, active_, "active pixels", count);
  gpu::ensure(gpu_, run_, "runs of pixels", count);
  gpu::ensure(gpu_, runSums_, "sums of run starts", count + 1);
  gpu::ensure(gpu_, index_, "indices of active pixels", count + 1);
  gpu::ensure(gpu_, lengths_, "lengths of runs", count);
  shared::Params params = paramsOf(image);
  params.sourceX = sourceX;
  params.sourceY = sourceY;
  std::vector<gpu::Define> defines = definesOf(image.format);
  for (const gpu::Define& define : source.defines()) defines.push_back(define);

  // 1. Which pixels are active, and where does that change?
  gpu::Pass& mark = gpu_.pass({"mark pixels", "shaders/active_pixel/mark_pixels.comp", defines});
  mark.storage(AP_BIND_ACTIVE, active_).storage(AP_BIND_NEW, run_).params(AP_BIND_PARAMS, params);
  source.bind(mark);
  mark.dispatch(count, gpu::Each{40});
  gpu::barrier(gpu::Access::Storage);  // the scans

  // 2. The number of each pixel's run, from 1: an inclusive sum.
  scanner_.exclusive(run_, runSums_, count);
  gpu::Pass& number = gpu_.pass({"number runs", "shaders/active_pixel/number_runs.comp", {}});
  number.storage(AP_BIND_NEW, run_)
      .storage(AP_BIND_RUN_SUMS, runSums_)
      .params(AP_BIND_PARAMS, params);
  number.dispatch(count, gpu::Each{10});
  gpu::barrier(gpu::Access::Storage);  // reduce by key

  // 3. The length of each run. The sums are not needed any more, their array takes the keys.
  reducer_.reduce(run_, nullptr, count, runSums_, lengths_);

  // 4. The number of active pixels before each.
  scanner_.exclusive(active_, index_, count);

  // 5. Payloads and pairs to their places (eq. 1).
  defines.push_back(windowedDefine(gpu_, image));
  gpu::Pass& place = gpu_.pass({"place pixels", "shaders/active_pixel/place_pixels.comp", defines});
  throughWindows(gpu_, image, place, params, [&](const shared::Params& window) {
    place.storage(AP_BIND_ACTIVE, active_)
        .storage(AP_BIND_NEW, run_)
        .storage(AP_BIND_LENGTHS, lengths_)
        .storage(AP_BIND_INDEX, index_)
        .storage(AP_BIND_FACTS, image.facts)
        .params(AP_BIND_PARAMS, window);
    source.bind(place);
    place.dispatch(count, gpu::Each{60});
  });
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);
}

// ---- The compressor: slots, each a frame on its way to the host
// Where its size can be guessed, that many bytes and some more are copied with it; else the size is
// read back first, then exactly that many bytes. An image without active pixels needs no pass on
// the GPU.

namespace {

constexpr std::int64_t kFactsRead = sizeof(shared::Facts);

Placement placementOf(const CompressRequest& request) {
  const gpu::Texture* const any = request.color ? request.color : request.depth;
  FATHOM_CHECK(any != nullptr);
  const Region all{0, 0, request.width, request.height};
  return clipped(request.placement.value_or(Placement{all, all}), request.width, request.height,
                 any->width(), any->height());
}

}  // namespace

/// Where a frame is on its way to the host.
struct Slot {
  enum class Stage { Idle, Sizing, Copying } stage = Stage::Idle;
  DeviceImage image;
  TextureSource source;  // lives as long as the passes may read it
  gpu::ReadBack facts;   // the first words of shared::Facts
  gpu::ReadBack bytes;   // the image
  std::size_t byteCount = 0;
  std::size_t copied = 0;  // bytes that are under way with the size; 0: none
  std::uint64_t active = 0, runs = 0;
};

struct Compressor::State {
  State(gpu::Context& context, int count)
      : gpu(context), writer(context), fiveStep(context), slots(std::size_t(count)) {}

  void reserve(Slot& slot, const CompressRequest& request, const Region& region) {
    slot.image.reserve(gpu, request.format, request.width, request.height, region);
    const std::int64_t room = slot.image.words.bytes();
    if (slot.bytes.capacity() != room)
      slot.bytes =
          gpu::ReadBack(gpu, "sparse image to read", room, gpu::ReadBack::Mode::ReadAndWrite);
    if (slot.facts.capacity() == 0)
      slot.facts = gpu::ReadBack(gpu, "sparse image facts to read", kFactsRead);
  }

  void fuse(DeviceImage& image, const TextureSource& source, const Placement& placement) {
    std::vector<gpu::Define> defines = definesOf(image.format);
    for (const gpu::Define& define : source.defines()) defines.push_back(define);
    defines.push_back(writer.spreadDefine());
    std::vector<gpu::PassKey> keys{
        {"classify pixels", "shaders/active_pixel/classify.comp", defines},
        ImageWriter::scanKey(image.format)};
    defines.push_back(windowedDefine(gpu, image));
    keys.push_back({"write payloads", "shaders/active_pixel/write_payloads.comp", defines});
    gpu.request(keys);
    const auto bind = [&](gpu::Pass& pass, shared::Params params) {
      params.sourceX = placement.source.x;
      params.sourceY = placement.source.y;
      pass.params(AP_BIND_PARAMS, params);
      source.bind(pass);
    };
    gpu::Pass& classify = gpu.pass(keys[0]);
    bind(classify, writer.params(image));
    writer.mark(image, classify);
    writer.scan(image);
    writer.writeRuns(image, keys[2], bind);
  }

  /// Known without the GPU.
  void writeEmpty(Slot& slot) {
    slot.image.writeEmpty();
    const std::vector<std::uint32_t> words =
        emptyImage(slot.image.format, slot.image.width, slot.image.height);
    slot.byteCount = words.size() * 4;
    slot.active = slot.runs = 0;
    slot.bytes.request(slot.image.words, std::int64_t(slot.byteCount));
    slot.stage = Slot::Stage::Copying;
  }

  /// The size leaves, and with it as many bytes of the image as are expected and some more.
  void request(Slot& slot, std::size_t expectedBytes) {
    slot.facts.request(slot.image.facts, kFactsRead);
    slot.stage = Slot::Stage::Sizing;
    slot.copied = expectedBytes > 0 ? std::min(expectedBytes + expectedBytes / 8 + 4096,
                                               std::size_t(slot.bytes.capacity()))
                                    : 0;
    if (slot.copied > 0) slot.bytes.request(slot.image.words, std::int64_t(slot.copied));
  }

  /// Takes the size, whose copy is done when that of the image behind it is; an image that is
  /// larger than what came with it comes again.
  void takeSize(Slot& slot) {
    (slot.copied > 0 ? slot.bytes : slot.facts).wait();
    slot.facts.ready();
    std::uint32_t facts[kFactsRead / 4];
    std::copy_n(slot.facts.data().data(), kFactsRead, reinterpret_cast<std::byte*>(facts));
    slot.active = facts[0];
    slot.runs = facts[1];
    slot.byteCount = facts[2];
    if (std::int64_t(slot.byteCount) > slot.bytes.capacity())  // of a device about to be lost
      fail("active pixels: expected at most {} bytes, found {}", slot.bytes.capacity(),
           slot.byteCount);
    slot.stage = Slot::Stage::Copying;
    if (slot.byteCount > slot.copied)
      slot.bytes.request(slot.image.words, std::int64_t(slot.byteCount));
  }

  gpu::Context& gpu;
  ImageWriter writer;
  FiveStep fiveStep;
  std::vector<Slot> slots;
  int next = 0;
};

Compressor::Compressor(gpu::Context& gpu, int slots)
    : state_(std::make_unique<State>(gpu, slots)) {}
Compressor::~Compressor() = default;

void Compressor::setSpread(bool spread) { state_->writer.setSpread(spread); }

int Compressor::compress(const CompressRequest& request, Method method) {
  FATHOM_CHECK(request.format.valid());
  const Placement placement = placementOf(request);
  const int index = state_->next;
  state_->next = (index + 1) % int(state_->slots.size());
  Slot& slot = state_->slots[std::size_t(index)];
  state_->reserve(slot, request, placement.target);
  if (slot.image.region.empty()) {
    state_->writeEmpty(slot);
    return index;
  }
  if (!request.source) slot.source = TextureSource(state_->gpu, request);
  const TextureSource& source = request.source ? *request.source : slot.source;
  if (method == Method::Fused)
    state_->fuse(slot.image, source, placement);
  else
    state_->fiveStep.compress(slot.image, source, placement.source.x, placement.source.y);
  state_->request(slot, request.expectedBytes);
  return index;
}

Compressor::Result Compressor::result(int index) {
  Slot& slot = state_->slots[std::size_t(index)];
  FATHOM_CHECK(slot.stage != Slot::Stage::Idle);
  if (slot.stage == Slot::Stage::Sizing) state_->takeSize(slot);
  slot.bytes.wait();
  auto* const words = reinterpret_cast<std::uint32_t*>(slot.bytes.memory().data());
  return {{words, slot.byteCount / 4}, std::size_t(slot.bytes.capacity()), slot.active, slot.runs};
}

const DeviceImage& Compressor::image(int index) const {
  return state_->slots[std::size_t(index)].image;
}

}  // namespace fathom::active_pixel
