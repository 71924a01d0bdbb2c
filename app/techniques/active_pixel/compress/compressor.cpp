// SPDX-License-Identifier: BSD-3-Clause
// A ring of slots, each a frame on its way to the host: the size is read back first, then exactly
// that many bytes. An image without active pixels needs no pass on the GPU.
#include "app/techniques/active_pixel/compress/compressor.h"

#include "app/techniques/active_pixel/compress/five_step.h"
#include "app/techniques/active_pixel/compress/image_writer.h"
#include "app/techniques/active_pixel/compress/texture_source.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fathom::active_pixel {
namespace {

constexpr std::int64_t kFactsRead = offsetof(shared::Facts, groups);

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
  enum class Stage { Idle, Sizing, Copying, Done } stage = Stage::Idle;
  DeviceImage image;
  TextureSource source;  // lives as long as the passes may read it
  gpu::ReadBack facts;   // the first words of shared::Facts
  gpu::ReadBack bytes;   // the image
  std::size_t byteCount = 0;
  std::uint64_t active = 0, runs = 0;
};

struct Compressor::State {
  explicit State(gpu::Context& context) : gpu(context), writer(context), fiveStep(context) {}

  void reserve(Slot& slot, const CompressRequest& request, const Region& region) {
    slot.image.reserve(gpu, request.format, request.width, request.height, region);
    const std::int64_t room = slot.image.words.bytes();
    if (slot.bytes.capacity() != room)
      slot.bytes =
          gpu::ReadBack(gpu, "sparse image to read", room, gpu::ReadBack::Access::ReadAndWrite);
    if (slot.facts.capacity() == 0)
      slot.facts = gpu::ReadBack(gpu, "sparse image facts to read", kFactsRead);
  }

  void fuse(Slot& slot, const Placement& placement) {
    DeviceImage& image = slot.image;
    std::vector<gpu::Define> defines = definesOf(image.format);
    for (const gpu::Define& define : slot.source.defines()) defines.push_back(define);
    defines.push_back(writer.spreadDefine());
    const auto withSource = [&](shared::Params params) {
      params.sourceX = placement.source.x;
      params.sourceY = placement.source.y;
      return params;
    };
    gpu::Pass& classify =
        gpu.pass({"classify pixels", "shaders/active_pixel/classify.comp", defines});
    classify.storage(AP_BIND_MASKS, image.masks)
        .params(AP_BIND_PARAMS, withSource(paramsOf(image)));
    slot.source.bind(classify);
    classify.dispatchGroups((image.maskCount() + AP_SIZE - 1) / AP_SIZE);
    gpu::barrier(gpu::Reader::Storage);  // count runs
    writer.number(image);

    defines.push_back(windowedDefine(gpu, image));
    writer.writePayloads(image,
                         {"write payloads", "shaders/active_pixel/write_payloads.comp", defines},
                         [&](gpu::Pass& pass, const shared::Params& params) {
                           pass.params(AP_BIND_PARAMS, withSource(params));
                           slot.source.bind(pass);
                         });
    writer.writePairs(image);
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

  /// The size has arrived: exactly that many bytes follow.
  void copy(Slot& slot) {
    std::uint32_t facts[kFactsRead / 4];
    std::copy_n(slot.facts.data().data(), kFactsRead, reinterpret_cast<std::byte*>(facts));
    slot.active = facts[0];
    slot.runs = facts[1];
    slot.byteCount = facts[2];
    FATHOM_CHECK_OP(std::int64_t(slot.byteCount), <=, slot.bytes.capacity());
    slot.bytes.request(slot.image.words, facts[2]);
    slot.stage = Slot::Stage::Copying;
  }

  gpu::Context& gpu;
  ImageWriter writer;
  FiveStep fiveStep;
  std::array<Slot, kSlots> slots;
  int next = 0;
};

Compressor::Compressor(gpu::Context& gpu) : state_(std::make_unique<State>(gpu)) {}
Compressor::~Compressor() = default;

void Compressor::setSpread(bool spread) { state_->writer.setSpread(spread); }

int Compressor::compress(const CompressRequest& request, Method method) {
  FATHOM_CHECK(request.format.valid());
  const Placement placement = placementOf(request);
  const int index = state_->next;
  state_->next = (index + 1) % kSlots;
  Slot& slot = state_->slots[std::size_t(index)];
  state_->reserve(slot, request, placement.target);
  if (slot.image.region.empty()) {
    state_->writeEmpty(slot);
    return index;
  }
  slot.source = TextureSource(state_->gpu, request);
  if (method == Method::Fused)
    state_->fuse(slot, placement);
  else
    state_->fiveStep.compress(slot.image, slot.source, placement.source.x, placement.source.y);
  slot.facts.request(slot.image.facts, kFactsRead);
  slot.stage = Slot::Stage::Sizing;
  return index;
}

void Compressor::poll() {
  for (Slot& slot : state_->slots) {
    if (slot.stage == Slot::Stage::Sizing && slot.facts.ready()) state_->copy(slot);
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
