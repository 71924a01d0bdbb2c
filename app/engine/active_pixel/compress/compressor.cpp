// SPDX-License-Identifier: BSD-3-Clause
// A ring of slots, each a frame on its way to the host. Where its size can be guessed, that many bytes
// and some more are copied with it; else the size is read back first, then exactly that many bytes.
// An image without active pixels needs no pass on the GPU.
#include "app/engine/active_pixel/compress/compressor.h"

#include "app/engine/active_pixel/compress/five_step.h"
#include "app/engine/active_pixel/compress/image_writer.h"
#include "app/engine/active_pixel/compress/texture_source.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fathom::active_pixel {
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
  // Guessed: size and bytes are under way together.
  enum class Stage { Idle, Sizing, Guessed, Copying, Done } stage = Stage::Idle;
  DeviceImage image;
  TextureSource source;  // lives as long as the passes may read it
  gpu::ReadBack facts;   // the first words of shared::Facts
  gpu::ReadBack bytes;   // the image
  std::size_t byteCount = 0;
  std::size_t copied = 0;  // bytes that are under way
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
          gpu::ReadBack(gpu, "sparse image to read", room, gpu::ReadBack::Access::ReadAndWrite);
    if (slot.facts.capacity() == 0)
      slot.facts = gpu::ReadBack(gpu, "sparse image facts to read", kFactsRead);
  }

  void fuse(DeviceImage& image, const TextureSource& source, const Placement& placement) {
    std::vector<gpu::Define> defines = definesOf(image.format);
    for (const gpu::Define& define : source.defines()) defines.push_back(define);
    defines.push_back(writer.spreadDefine());
    const auto bind = [&](gpu::Pass& pass, shared::Params params) {
      params.sourceX = placement.source.x;
      params.sourceY = placement.source.y;
      pass.params(AP_BIND_PARAMS, params);
      source.bind(pass);
    };
    gpu::Pass& classify =
        gpu.pass({"classify pixels", "shaders/active_pixel/classify.comp", defines});
    bind(classify, writer.params(image));
    writer.mark(image, classify);
    writer.scan(image);
    defines.push_back(windowedDefine(gpu, image));
    writer.writeRuns(image, {"write payloads", "shaders/active_pixel/write_payloads.comp", defines},
                     bind);
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

  /// Size and image leave together; the copy of the size is done when that of the image is.
  void guess(Slot& slot, std::size_t expectedBytes) {
    slot.copied = std::min(expectedBytes + expectedBytes / 8 + 4096,
                           std::size_t(slot.bytes.capacity()));
    slot.bytes.request(slot.image.words, std::int64_t(slot.copied));
    slot.stage = Slot::Stage::Guessed;
  }

  /// Both have arrived; an image that was larger than guessed comes again.
  void takeGuessed(Slot& slot) {
    slot.facts.ready();
    takeFacts(slot);
    slot.stage = Slot::Stage::Copying;
    if (slot.byteCount > slot.copied)
      slot.bytes.request(slot.image.words, std::int64_t(slot.byteCount));
  }

  /// The size has arrived: exactly that many bytes follow.
  void copy(Slot& slot) {
    takeFacts(slot);
    slot.bytes.request(slot.image.words, std::int64_t(slot.byteCount));
    slot.stage = Slot::Stage::Copying;
  }

  void takeFacts(Slot& slot) {
    std::uint32_t facts[kFactsRead / 4];
    std::copy_n(slot.facts.data().data(), kFactsRead, reinterpret_cast<std::byte*>(facts));
    slot.active = facts[0];
    slot.runs = facts[1];
    slot.byteCount = facts[2];
    FATHOM_CHECK_OP(std::int64_t(slot.byteCount), <=, slot.bytes.capacity());
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
  slot.facts.request(slot.image.facts, kFactsRead);
  slot.stage = Slot::Stage::Sizing;
  if (request.expectedBytes > 0) state_->guess(slot, request.expectedBytes);
  return index;
}

void Compressor::poll() {
  for (Slot& slot : state_->slots) {
    if (slot.stage == Slot::Stage::Sizing && slot.facts.ready()) state_->copy(slot);
    if (slot.stage == Slot::Stage::Guessed && slot.bytes.ready()) state_->takeGuessed(slot);
    if (slot.stage == Slot::Stage::Copying && slot.bytes.ready()) slot.stage = Slot::Stage::Done;
  }
}

bool Compressor::ready(int index) {
  poll();
  return state_->slots[std::size_t(index)].stage == Slot::Stage::Done;
}

Compressor::Result Compressor::result(int index) {
  Slot& slot = state_->slots[std::size_t(index)];
  FATHOM_CHECK(slot.stage != Slot::Stage::Idle);
  if (slot.stage == Slot::Stage::Sizing) {
    slot.facts.wait();
    state_->copy(slot);
  } else if (slot.stage == Slot::Stage::Guessed) {
    slot.bytes.wait();
    state_->takeGuessed(slot);
  }
  slot.bytes.wait();
  slot.stage = Slot::Stage::Done;
  auto* const words = reinterpret_cast<std::uint32_t*>(slot.bytes.memory().data());
  return {{words, slot.byteCount / 4}, std::size_t(slot.bytes.capacity()), slot.active, slot.runs};
}

const gpu::RawBuffer& Compressor::buffer(int index) const { return image(index).words; }

const DeviceImage& Compressor::image(int index) const {
  return state_->slots[std::size_t(index)].image;
}

}  // namespace fathom::active_pixel
