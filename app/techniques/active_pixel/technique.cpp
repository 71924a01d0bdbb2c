// SPDX-License-Identifier: BSD-3-Clause
// Inputs, stages of work and the picture. What is told about a picture stands in report.cpp.
#include "app/techniques/active_pixel/technique.h"

#include "app/core/log.h"
#include "app/gpu/pass.h"
#include "app/techniques/active_pixel/command.h"
#include "app/techniques/active_pixel/icet_file.h"
#include "app/techniques/active_pixel/in_process.h"
#include "app/techniques/active_pixel/picture.h"
#include "app/techniques/active_pixel/reference.h"
#include "shaders/active_pixel/show_shared.h"

#include <algorithm>
#include <cmath>

#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

namespace fathom::active_pixel {
namespace {

constexpr double kTurnSeconds = 1.0 / 30;     // no picture of a turning scene comes sooner
constexpr std::size_t kRounds = 24;           // of measuring a picture that rests
constexpr std::chrono::seconds kPageOpen(2);  // a page drawn longer ago is closed

/// Color as a texture holds it: the frame's own bytes or floats, with alpha where it has none;
/// white to black by depth where it has no color.
void upload(gpu::Context& gpu, gpu::Texture& texture, const Frame& frame) {
  const bool bytes = frame.format.color == Color::Rgba8;
  const auto format = bytes ? gpu::TextureFormat::Rgba8 : gpu::TextureFormat::Rgba32f;
  if (!texture || texture.width() != frame.width || texture.height() != frame.height ||
      texture.format() != format) {
    texture = gpu::Texture(gpu, "active pixels composited", format, frame.width, frame.height);
    texture.setNearest(true);
  }
  if (bytes || frame.format.color == Color::Rgba32f) {
    texture.write(frame.color.data(), std::int64_t(frame.color.size()));
    return;
  }
  std::vector<glm::vec4> texels(frame.pixelCount());
  for (std::size_t i = 0; i < texels.size(); ++i) {
    const bool active = frame.depth[i] < 1;
    texels[i] =
        frame.format.color == Color::None ? glm::vec4(1 - frame.depth[i]) : frame.colorOf(i);
    texels[i] = active ? glm::vec4(texels[i].r, texels[i].g, texels[i].b, 1) : glm::vec4(0);
  }
  texture.write(texels.data(), std::int64_t(texels.size() * sizeof(glm::vec4)));
}

}  // namespace

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"active-pixel",
       "Active pixels",
       "Draw parts of a scene, compress them on the GPU, composite them as a cluster does.",
       "Lipinski, Moreland, Papka, Marrinan, \"GPU-based Image Compression for Efficient "
       "Compositing in Distributed Rendering Applications\", LDAV 2021",
       {".obj", ".icet"}},
      accepts,
      read,
      defaultSettings<Settings>,
      makeTechnique<ActivePixelTechnique>,
      {"parts", "modes"},
      commands,
      benches,
      tunables};
  return entry;
}

void ActivePixelTechnique::describe(FieldVisitor& field) {
  active_pixel::describe(settings_, field);
}

// Inputs
// -------------------------------------------------------------------------------------------------

bool accepts(const std::vector<std::string>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const std::string& input) {
    return acceptsInput(input) || isIcetFile(input);
  });
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.size() != 1)
    throw UsageError(fmt::format(
        "active-pixel: expected one scene, folder of OBJ files or .icet file, found {} inputs",
        inputs.size()));
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

void ActivePixelTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  input_ = std::move(ownInputs<Input>(*inputs));
  if (input_.file) {
    size_ = {input_.facts.width, input_.facts.height};
  } else {
    camera_ = input_.source->whole().camera;
    if (size_.x <= 0) size_ = {1280, 720};
  }
  stale_ = true;
}

void ActivePixelTechnique::setSize(int width, int height) {
  if (input_.file) return;  // files have their own
  if (size_ != glm::ivec2(width, height)) size_ = {width, height}, stale_ = true;
}

Compositing ActivePixelTechnique::compositing() const {
  return input_.file ? input_.facts.format.compositing : frameFormat(settings_).compositing;
}

PartView ActivePixelTechnique::view() const {
  return {camera_, size_, frameFormat(settings_), settings_.show == Show::Parts};
}

const std::vector<Part>& ActivePixelTechnique::parts() const {
  static const std::vector<Part> none;
  return parts_ && input_.source ? parts_->all() : none;
}

std::vector<int> ActivePixelTechnique::order() const {
  std::vector<Box> bounds;
  for (const Part& part : parts()) bounds.push_back(part.share->bounds());
  if (input_.file) bounds.resize(1);
  return frontToBack(bounds, camera_);
}

std::vector<Words> ActivePixelTechnique::sparseImages() const {
  if (input_.file) return {input_.file->words};
  std::vector<Words> images;
  for (const Part& part : parts()) images.push_back(part.sparse.words);
  return images;
}

// Work
// -------------------------------------------------------------------------------------------------

bool ActivePixelTechnique::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  if (!input_.source && !input_.file) return true;
  if (gpu_ != &gpu) {
    gpu_ = &gpu;
    parts_ = std::make_unique<Parts>(gpu);
    stale_ = true;
  }
  if (stale_ || effect != Effect::None) startPicture();
  const auto start = std::chrono::steady_clock::now();
  while (stage_ != Stage::Done) {
    step();
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    if (stage_ != Stage::Done && spent.count() >= budgetMs) return false;
  }
  return true;
}

/// All parts are drawn again; shares are taken again only when they are dealt out otherwise.
void ActivePixelTechnique::startPicture() {
  if (input_.source) frameFormat(settings_);  // says what does not go together before anything is drawn
  const bool taken = takenParts_ == settings_.parts && takenSplit_ == settings_.split;
  if (stale_ || !taken || parts_->count() != std::size_t(takenParts_)) {
    parts_->clear();
    modes_.clear();
    takenParts_ = settings_.parts, takenSplit_ = settings_.split;
    stage_ = Stage::Take;
  } else {
    stage_ = Stage::Compress;
  }
  if (input_.file) stage_ = Stage::Composite;
  way_ = tunedWay(*gpu_, settings_, size_, tuned_);
  parts_->setSpread(way_.spread);
  stale_ = false;
  next_ = 0;
}

void ActivePixelTechnique::step() {
  switch (stage_) {
    case Stage::Take:
      takeShare();
      break;
    case Stage::Compress:
      parts_->compress(next_, view(), way_.mode, way_.method);
      if (++next_ == parts_->count()) stage_ = Stage::Composite;
      break;
    case Stage::Composite:
      composite();
      stage_ = Stage::Show;
      break;
    case Stage::Show:
      show();
      ++pictures_;
      stage_ = Stage::Done;
      break;
    case Stage::Done:
      break;
  }
}

void ActivePixelTechnique::takeShare() {
  Progress progress;
  auto share = input_.source->take(int(next_), takenParts_, takenSplit_, progress);
  for (const std::string& warning : share->warnings()) log::warn("{}", warning);
  parts_->add(std::move(share));
  if (++next_ < std::size_t(takenParts_)) return;
  stage_ = Stage::Compress;
  next_ = 0;
}

void ActivePixelTechnique::composite() {
  const auto start = std::chrono::steady_clock::now();
  if (input_.file) {
    composited_ = reference::decode(input_.file->words, input_.facts.format.compositing, glm::vec4(0));
  } else {
    EngineSetup setup;
    setup.format = frameFormat(settings_);
    setup.size = size_;
    setup.tiles = {{{0, 0, size_.x, size_.y}, 0}};
    std::vector<TileInput> inputs;
    for (const Part& part : parts_->all()) {
      TileInput input;
      // Only read here: nothing is written to parts that are composited in this process.
      input.sparse = std::span(const_cast<SparseImage&>(part.sparse).words);
      inputs.push_back(input);
    }
    composited_ = compositeInProcess(setup, setup.tiles[0], inputs, order());
  }
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  compositeMs_ = spent.count();
}

void ActivePixelTechnique::show() {
  upload(*gpu_, frame_, composited_);
  if (!shown_ || shown_.width() != size_.x || shown_.height() != size_.y) {
    shown_ =
        gpu::Texture(*gpu_, "active pixels shown", gpu::TextureFormat::Rgba32f, size_.x, size_.y);
    codes_ =
        gpu::Texture(*gpu_, "active pixels codes", gpu::TextureFormat::R32ui, size_.x, size_.y);
  }
  std::vector<std::uint32_t> codes;
  if (settings_.show == Show::Active) codes = activeCounts(sparseImages());
  if (settings_.show == Show::Runs) codes = frontRuns(sparseImages(), compositing(), order());
  if (!codes.empty()) codes_.write(codes.data(), std::int64_t(codes.size() * 4));
  std::vector<shared::ShowRegion> regions;
  for (const Part& part : parts())
    regions.push_back({{part.region.x, part.region.y, part.region.width, part.region.height},
                       glm::vec4(partColor(int(regions.size())), 1)});
  const gpu::Buffer<shared::ShowRegion> regionBuffer(*gpu_, "active pixels regions", regions);
  const shared::ShowParams params{std::uint32_t(size_.x), std::uint32_t(size_.y),
                                  composited_.format.color == Color::Rgba8 ? 1u : 0u,
                                  std::uint32_t(regions.size())};
  gpu::Pass& pass =
      gpu_->pass({"show", "shaders/active_pixel/show.comp", {{"SHOW", int(settings_.show)}}});
  pass.texture(AP_SHOW_TEXTURE_FRAME, frame_)
      .texture(AP_SHOW_TEXTURE_CODES, codes_)
      .storage(AP_SHOW_BIND_REGIONS, regionBuffer)
      .image(AP_SHOW_IMAGE_RESULT, shown_)
      .params(AP_SHOW_BIND_PARAMS, params);
  const auto groups = [](int pixels) {
    return unsigned((pixels + AP_SHOW_TILE - 1) / AP_SHOW_TILE);
  };
  pass.dispatchGrid(groups(size_.x), groups(size_.y));
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

Image ActivePixelTechnique::reference() const {
  std::vector<Frame> frames;
  for (const int k : order())
    frames.push_back(
        reference::decode(sparseImages()[std::size_t(k)], compositing(), glm::vec4(0)));
  if (compositing() == Compositing::ZBuffer) {  // equal depths go to the later part
    frames.clear();
    for (const Words& image : sparseImages())
      frames.push_back(reference::decode(image, compositing(), glm::vec4(0)));
  }
  return imageOf(reference::compositeAll(frames));
}

bool ActivePixelTechnique::modesPageOpen() const {
  return std::chrono::steady_clock::now() - modesSeen_ < kPageOpen;
}

Effect ActivePixelTechnique::takeChange() {
  const auto now = std::chrono::steady_clock::now();
  if (!settings_.turn || !input_.source || stage_ != Stage::Done || pictures_ == 0) return Effect::None;
  if (modesPageOpen() && !modes_.measured(pictures_)) return Effect::None;
  if (now - turned_ < std::chrono::duration<double>(kTurnSeconds)) return Effect::None;
  turned_ = now;
  camera_.orbit(glm::radians(kTurnDeg), 0);
  return Effect::Rebuild;
}

bool ActivePixelTechnique::backgroundStep(gpu::Context&, double budgetMs) {
  const bool turning = animated();  // the window must not fall asleep
  if (!modesPageOpen() || !input_.source || stage_ != Stage::Done || pictures_ == 0) return turning;
  modes_.begin(pictures_, parts_->count(), turning ? 1 : kRounds);
  const auto start = std::chrono::steady_clock::now();
  while (modes_.step(*parts_, view(), way_.method)) {
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    if (spent.count() >= budgetMs) return true;
  }
  return turning;
}

std::optional<glm::vec3> ActivePixelTechnique::pick(int x, int y) {
  if (!input_.source || composited_.depth.empty() || x < 0 || y < 0 || x >= composited_.width ||
      y >= composited_.height)
    return std::nullopt;
  const int row = composited_.height - 1 - y;
  const float depth =
      composited_.depth[std::size_t(row) * std::size_t(composited_.width) + std::size_t(x)];
  if (!(depth < 1)) return std::nullopt;
  Camera camera = camera_;
  camera.fitDepth(input_.source->whole().bounds);
  const glm::mat4 fromClip =
      glm::inverse(camera.projection(float(size_.x) / float(size_.y)) * camera.view());
  const glm::vec4 p =
      fromClip * glm::vec4((float(x) + 0.5f) / float(size_.x) * 2 - 1,
                           (float(row) + 0.5f) / float(size_.y) * 2 - 1, depth * 2 - 1, 1);
  return glm::vec3(p) / p.w;
}

}  // namespace fathom::active_pixel
