// SPDX-License-Identifier: BSD-3-Clause
// The stages of a composited picture, what each of them reads (its key), and how frames are shown.
#include "app/engine/active_pixel/engine.h"

#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/scene/load_scene.h"
#include "shaders/active_pixel/show_shared.h"

namespace fathom::active_pixel {
namespace {

constexpr glm::ivec2 kSceneSize{1280, 720};  // until the window or --size says otherwise

/// Shares are dealt out again only for another input, or to other ranks.
auto shareKey(const View& view) {
  return std::tuple(view.inputCount, view.settings.parts, view.settings.split);
}

auto pictureKey(const View& view, const gpu::Context& gpu, std::optional<bool> wantsGpu) {
  const Settings& s = view.settings;
  return std::tuple(view.camera, view.size, s.mode, s.method, s.blending, s.color,
                    s.show == Show::Parts, gpu.shaderGeneration(), wantsGpu);
}

/// Color as a texture holds it: the frame's own bytes or floats, with alpha where it has none;
/// white to black by depth where it has no color.
void uploadFrame(gpu::Context& gpu, gpu::Texture& texture, const Frame& frame) {
  const bool bytes = frame.format.color == Color::Rgba8;
  const auto format = bytes ? gpu::TextureFormat::Rgba8 : gpu::TextureFormat::Rgba32f;
  if (gpu::ensure(gpu, texture, "active pixels composited", format, {frame.width, frame.height}))
    texture.setNearest(true);
  if (bytes || frame.format.color == Color::Rgba32f)
    return texture.write(frame.color.data(), std::int64_t(frame.color.size()));
  std::vector<glm::vec4> texels(frame.pixelCount());
  for (std::size_t i = 0; i < texels.size(); ++i) {
    const bool active = frame.depth[i] < 1;
    texels[i] =
        frame.format.color == Color::None ? glm::vec4(1 - frame.depth[i]) : frame.colorOf(i);
    texels[i] = active ? glm::vec4(texels[i].r, texels[i].g, texels[i].b, 1) : glm::vec4(0);
  }
  texture.write(texels.data(), std::int64_t(texels.size() * sizeof(glm::vec4)));
}

gpu::PassKey showKey(Show show) {
  return {"show", "shaders/active_pixel/show.comp", {{"SHOW", int(show)}}};
}

}  // namespace

// ---- Stages

void ActivePixelEngine::addStages() {
  stages_.add(
      "take", [this] { return shareKey(view_); },
      [this](double) { return view_.input.file || takeShare(); },
      [this] { device_->ranks.clear(); });
  stages_.add(
      "compress", [this] { return pictureKey(view_, device_->gpu, wantsGpu_); },
      [this](double) { return view_.input.file || compressRank(); },
      [this] { beginCompressing(); });
  stages_.add(
      "composite", [] { return true; },
      [this](double) {
        composite();
        return true;
      });
  stages_.add(
      "show", [this] { return std::pair(view_.settings.show, device_->gpu.shaderGeneration()); },
      [this](double) {
        show();
        ++pictures_;
        return true;
      });
}

bool ActivePixelEngine::work(gpu::Context& gpu, double budgetMs) {
  if (view_.empty()) return true;
  if (view_.input.source) frameFormat(view_.settings);  // wrong settings are refused before work
  complete_ = false;
  if (!device_ || &device_->gpu != &gpu) {
    device_.reset();
    device_ = std::make_unique<Device>(gpu);
    stages_.invalidateAll();
  }
  complete_ = stages_.run(budgetMs);
  return complete_;
}

bool ActivePixelEngine::takeShare() {
  LocalRanks& ranks = device_->ranks;
  Progress progress;
  const int count = view_.settings.parts;
  auto share = gpu::runAsync([&] {
    return view_.input.source->take(int(ranks.count()), count, view_.settings.split, progress);
  });
  for (const std::string& warning : share->warnings) log::warn("{}", warning);
  if (ranks.count() == 0) warnOfLeftOut(view_.input.names[0], *share, view_.settings);
  ranks.add(std::move(share));
  return ranks.count() == std::size_t(count);
}

void ActivePixelEngine::beginCompressing() {
  config_ = resolveAuto(view_.settings);
  next_ = 0;
  order_ = orderOfCompositing();
  const Settings& settings = view_.settings;
  onGpu_ = view_.input.source && config_.mode == Mode::Gpu && config_.method == Method::Fused &&
           settings.color != ColorDepth::None &&
           wantsGpu_.value_or(!device_->gpu.device().software);
  std::vector<gpu::PassKey> keys{showKey(settings.show)};
  if (onGpu_) keys.push_back(decodeKey(frameFormat(settings)));
  device_->gpu.request(keys);
  device_->ranks.drop();
}

/// The image stays on the device, where it is composited with those before; what the pages say
/// about the rank before comes to the host meanwhile.
bool ActivePixelEngine::compressRankOnGpu() {
  Device& d = *device_;
  const DeviceImage& image =
      d.ranks.begin(std::size_t(order_[next_]), view_.rankView(), config_.method);
  if (next_ == 0) {
    // A copy of it: an image of nothing behind it.
    d.next.reserve(d.gpu, image.format, image.width, image.height, {});
    d.next.writeEmpty();
    d.compositor.composite(image, d.next, d.whole);
  } else {
    d.compositor.composite(d.whole, image, d.next);
    std::swap(d.whole, d.next);
    d.ranks.take();
  }
  return ++next_ == d.ranks.count();
}

bool ActivePixelEngine::compressRank() {
  const gpu::NoYield measured;
  if (onGpu_) return compressRankOnGpu();
  device_->ranks.compress(next_, view_.rankView(), config_.mode, config_.method);
  return ++next_ == device_->ranks.count();
}

void ActivePixelEngine::composite() {
  const Stopwatch watch;
  const Input& input = view_.input;
  if (onGpu_ && input.source) {
    while (device_->ranks.underWay()) device_->ranks.take();
    decode(device_->gpu, device_->whole, glm::vec4(0), device_->decoded);
    composited_ = {};
    compositeMs_ = watch.ms();
    return;
  }
  composited_ = gpu::runAsync([&] {
    return input.file ? reference::decode(input.file->words, view_.compositing(), glm::vec4(0))
                      : compositeRanks();
  });
  compositeMs_ = watch.ms();
}

const Frame& ActivePixelEngine::composited() const {
  if (onGpu_ && composited_.width == 0 && device_ && device_->decoded.color)
    composited_ = download(device_->decoded, frameFormat(view_.settings), device_->whole.width,
                           device_->whole.height);
  return composited_;
}

Frame ActivePixelEngine::compositeRanks() const {
  const CompositorSetup setup{.format = frameFormat(view_.settings),
                              .size = view_.size,
                              .tiles = {{{0, 0, view_.size.x, view_.size.y}, 0}}};
  std::vector<TileImage> images;
  for (const SparseWords& words : sparseImages()) images.push_back({words, nullptr, {}});
  return compositeInProcess(setup, setup.tiles[0], images, order());
}

// ---- The picture

std::vector<std::uint32_t> ActivePixelEngine::overlayCodes() const {
  if (view_.settings.show == Show::Active) return activeCounts(sparseImages());
  if (view_.settings.show == Show::Runs)
    return frontRuns(sparseImages(), view_.compositing(), order());
  return {};
}

void ActivePixelEngine::show() {
  gpu::Context& gpu = device_->gpu;
  Device& d = *device_;
  if (!onGpu_) uploadFrame(gpu, d.frame, composited_);
  const bool bytes =
      onGpu_ ? view_.settings.color == ColorDepth::Rgba8 : composited_.format.color == Color::Rgba8;
  gpu::ensure(gpu, d.shown, "active pixels shown", gpu::TextureFormat::Rgba32f, view_.size);
  gpu::ensure(gpu, d.codes, "active pixels codes", gpu::TextureFormat::R32ui, view_.size);
  const std::vector<std::uint32_t> codes = overlayCodes();
  if (!codes.empty()) d.codes.write(codes.data(), std::int64_t(codes.size() * 4));
  std::vector<shared::ShowRegion> regions;
  for (const LocalRank& rank : ranks())
    regions.push_back({{rank.region.x, rank.region.y, rank.region.width, rank.region.height},
                       glm::vec4(rankColor(int(regions.size())), 1)});
  const gpu::Buffer<shared::ShowRegion> regionBuffer(gpu, "active pixels regions", regions);
  const shared::ShowParams params{std::uint32_t(view_.size.x), std::uint32_t(view_.size.y),
                                  bytes ? 1u : 0u, std::uint32_t(regions.size())};
  gpu::Pass& pass = gpu.pass(showKey(view_.settings.show));
  pass.texture(AP_SHOW_TEXTURE_FRAME, onGpu_ ? d.decoded.color : d.frame)
      .texture(AP_SHOW_TEXTURE_CODES, d.codes)
      .storage(AP_SHOW_BIND_REGIONS, regionBuffer)
      .image(AP_SHOW_IMAGE_RESULT, d.shown)
      .params(AP_SHOW_BIND_PARAMS, params);
  // The rectangle of every rank is looked at.
  pass.dispatchGrid(view_.size, gpu::Each{60 + 20.0 * double(regions.size())});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
}

fathom::Frame ActivePixelEngine::frame() const {
  const bool shown = device_ && device_->shown;
  return {.picture = shown ? &device_->shown : nullptr, .size = view_.size};
}

Image ActivePixelEngine::reference() const {
  return gpu::runAsync(
      [images = sparseImages(), fromFront = order(), compositing = view_.compositing()] {
        std::vector<Frame> frames;
        for (std::size_t i = 0; i < images.size(); ++i) {
          // Of equal depths the later rank's pixel wins, so their order counts without blending
          // too.
          const bool blends = compositing == Compositing::Blend;
          const std::size_t rank = blends ? std::size_t(fromFront[i]) : i;
          frames.push_back(reference::decode(images[rank], compositing, glm::vec4(0)));
        }
        return imageOf(reference::compositeAll(frames));
      });
}

// ---- What it is made of

const std::vector<LocalRank>& ActivePixelEngine::ranks() const {
  static const std::vector<LocalRank> none;
  return device_ && view_.input.source ? device_->ranks.all() : none;
}

/// Of equal depths the later rank's pixel wins, so without blending ranks come as they stand.
std::vector<int> ActivePixelEngine::orderOfCompositing() const {
  if (view_.input.source && view_.compositing() == Compositing::Blend) return order();
  std::vector<int> all(ranks().size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> ActivePixelEngine::order() const {
  std::vector<Box> bounds;
  for (const LocalRank& rank : ranks()) bounds.push_back(rank.share->bounds);
  if (view_.input.file) bounds.resize(1);
  return frontToBack(bounds, view_.camera);
}

std::vector<SparseWords> ActivePixelEngine::sparseImages() const {
  if (view_.input.file) return {view_.input.file->words};
  std::vector<SparseWords> images;
  for (const LocalRank& rank : ranks()) images.push_back(rank.sparse.words);
  return images;
}

// ---- What is shown

bool accepts(const std::vector<std::string>& inputs) {
  return std::ranges::all_of(
      inputs, [](const std::string& input) { return acceptsInput(input) || isIcetFile(input); });
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.size() != 1)
    failUsage(
        "active-pixel: expected one scene, folder of scene files or .icet file, found {} inputs",
        inputs.size());
  auto input = std::make_unique<Input>();
  input->names = inputs;
  if (isIcetFile(inputs[0])) {
    input->file = std::make_shared<const SparseImage>(readIcet(inputs[0]));
    const auto& words = input->file->words;
    input->facts = reference::check(words, compositingOf(words), inputs[0]);
  } else {
    input->source = openInput(inputs[0], progress);
  }
  return input;
}

void View::open(Input next) {
  input = std::move(next);
  ++inputCount;
  if (input.file) {
    size = {input.facts.width, input.facts.height};
  } else {
    camera = input.source->whole.camera;
    if (size.x <= 0) size = kSceneSize;
  }
}

Compositing View::compositing() const {
  return input.file ? input.facts.format.compositing : frameFormat(settings).compositing;
}

RankView View::rankView() const {
  return {camera, size, frameFormat(settings), settings.show == Show::Parts};
}

// ---- The engine

void ActivePixelEngine::describe(FieldVisitor& field) {
  active_pixel::describe(view_.settings, field);
}

void ActivePixelEngine::adopt(std::unique_ptr<LoadedInputs> inputs) {
  view_.open(std::move(ownInputs<Input>(*inputs)));
}

void ActivePixelEngine::setSize(int width, int height) {
  if (!view_.input.file) view_.size = {width, height};  // files have their own
}

std::vector<std::pair<std::string, std::string>> ActivePixelEngine::chosen() const {
  if (!view_.input.source || ranks().empty()) return {};
  return {{"mode", kModeNames[int(config_.mode)]},
          {"method", config_.method == Method::Fused ? "fused" : "five-step"}};
}

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"active-pixel", "Active pixels",
       "Draw parts of a scene, compress them on the GPU, composite them as a cluster does.",
       "Lipinski, Moreland, Papka, Marrinan, \"GPU-based Image Compression for Efficient "
       "Compositing in Distributed Rendering Applications\", LDAV 2021",
       sceneEndings({".icet"})},
      accepts,
      read,
      defaultSettings<Settings>,
      makeEngine<ActivePixelEngine>};
  return entry;
}

}  // namespace fathom::active_pixel
