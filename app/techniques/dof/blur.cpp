// SPDX-License-Identifier: BSD-3-Clause
// The stages of a blurred picture, what each of them reads (its key), and the same from the CPU.
#include "app/techniques/dof/blur.h"

#include "app/gpu/pass.h"
#include "app/techniques/dof/splats/reference.h"

#include <algorithm>
#include <tuple>

namespace fathom::dof {
namespace {

// Keys
// -------------------------------------------------------------------------------------------------

/// What the captured picture depends on.
auto captureKey(const Shot& shot) {
  const Settings& s = shot.settings;
  const bool flat = bool(shot.input.flat);
  return std::tuple(shot.inputCount, shot.size, shot.input.scene ? shot.camera : Camera(),
                    s.depthForm, s.near, s.far, s.snapDepth,
                    flat && s.depthForm == DepthForm::Radial ? shot.tangentPerPixel() : 0.0);
}

/// What the blurred picture depends on: all settings but those of later stages.
Settings blurKey(const Shot& shot) {
  const Settings defaults;
  Settings key = shot.settings;
  key.show = defaults.show;
  key.differenceGain = defaults.differenceGain;
  if (key.op != Operator::Lens) key.lensPoints = defaults.lensPoints;
  return key;
}

auto truthKey(const Shot& shot) { return std::tuple(shot.needsTruth(), shot.settings.lensPoints); }

auto showKey(const Shot& shot) {
  return std::tuple(shot.settings.show, shot.settings.differenceGain);
}

// Passes over all pixels
// -------------------------------------------------------------------------------------------------

void dispatchTiles(gpu::Pass& pass, glm::ivec2 size, const shared::Optics& optics) {
  shared::Params p{};
  p.width = std::uint32_t(size.x), p.height = std::uint32_t(size.y);
  pass.params(DOF_BIND_PARAMS, p).params(DOF_BIND_OPTICS, optics);
  pass.dispatchGrid(unsigned(tilesOver(size.x)), unsigned(tilesOver(size.y)));
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

void gather(gpu::Context& gpu, const gpu::Texture& sharp, const shared::Optics& optics,
            const gpu::Texture& blurred) {
  gpu::Pass& pass = gpu.pass({"gather", "shaders/dof/gather.comp", {}});
  pass.texture(DOF_TEXTURE_PICTURE, sharp).image(DOF_IMAGE_RESULT, blurred);
  dispatchTiles(pass, {sharp.width(), sharp.height()}, optics);
}

// From the CPU
// -------------------------------------------------------------------------------------------------

/// The mean over lens points; rasterizing them remains the device's.
Image meanOfViews(gpu::Context& gpu, SceneRenderer& renderer, const Shot& shot, const Lens& lens) {
  PictureCapture capture(gpu);
  Image mean(shot.size.x, shot.size.y);
  const std::vector<glm::dvec2> points =
      lensPoints(apertureOf(shot.settings), shot.settings.lensPointCount());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Camera moved = throughLensPoint(shot.sceneCamera(), lens, points[k], shot.size);
    const Image view = capture.draw(renderer, moved, shot.size, k + 1).downloadImage();
    for (std::size_t i = 0; i < mean.pixels.size(); ++i)
      mean.pixels[i] += glm::vec4(glm::vec3(view.pixels[i]), 1) / float(points.size());
  }
  return mean;
}

}  // namespace

Blur::Device::Device(gpu::Context& context)
    : gpu(context), capture(context), pipeline(context), runner(context), sampler(context) {}

Blur::Blur(const Shot& shot) : shot_(shot) { addStages(); }
Blur::~Blur() = default;

// Stages
// -------------------------------------------------------------------------------------------------

void Blur::addStages() {
  stages_.add(
      "capture", [this] { return captureKey(shot_); },
      [this](double) {
        capture();
        return true;
      });
  stages_.add(
      "blur", [this] { return blurKey(shot_); }, [this](double) { return blurStep(); },
      [this] { beginBlur(); });
  stages_.add(
      "truth", [this] { return truthKey(shot_); },
      [this](double) {
        return !shot_.needsTruth() || device_->sampler.step(device_->capture.renderer());
      },
      [this] {
        if (shot_.needsTruth()) beginLensPoints();
      });
  stages_.add(
      "show", [this] { return showKey(shot_); },
      [this](double) {
        if (shot_.settings.show != Show::Picture) show();
        ++generation_;
        return true;
      });
}

bool Blur::run(gpu::Context& gpu, double budgetMs) {
  if (shot_.empty()) return true;
  if (!device_ || &device_->gpu != &gpu) {
    device_.reset();
    device_ = std::make_unique<Device>(gpu);
    stages_.invalidateAll();
  }
  complete_ = false;
  complete_ = stages_.run(budgetMs, [&] { gpu.pace(); });
  return complete_;
}

void Blur::capture() {
  device_->source.reset();
  device_->capture.take(shot_);
}

void Blur::beginBlur() {
  gpu::Context& gpu = device_->gpu;
  choice_.update(gpu, device_->runner, shot_);
  usedVariant_.clear();
  gpu::ensure(gpu, device_->blurred, "dof blurred", gpu::TextureFormat::Rgba32f, shot_.size);
  gpu::ensure(gpu, device_->shown, "dof shown", gpu::TextureFormat::Rgba32f, shot_.size);
  if (shot_.settings.op == Operator::Lens) beginLensPoints();
  if (shot_.splats()) beginLists();
}

bool Blur::blurStep() {
  switch (shot_.settings.op) {
    case Operator::Lens:
      return device_->sampler.step(device_->capture.renderer());
    case Operator::Gather:
      gather(device_->gpu, *sharp(), listRequest().optics, device_->blurred);
      return true;
    default:
      return accumulateBand();
  }
}

void Blur::beginLensPoints() {
  if (!shot_.input.scene)
    throw Error(fmt::format("{}: expected a scene for operator lens, found a file",
                            shot_.input.names.empty() ? "dof" : shot_.input.names[0]));
  device_->sampler.begin(shot_.sceneCamera(), lens(), apertureOf(shot_.settings),
                         shot_.settings.lensPointCount(), shot_.size);
}

// Tile lists
// -------------------------------------------------------------------------------------------------

ListRequest Blur::listRequest() const {
  const Settings& s = shot_.settings;
  const Aperture aperture = apertureOf(s);
  ListRequest request;
  request.optics = opticsOf(lens(), aperture, s);
  request.mirrored = aperture.mirrors();
  // Over multiplies transmittances itself.
  request.thin = s.op == Operator::Coverage || s.op == Operator::Slabs;
  request.radius = s.radius();
  request.sort = s.sort;
  if (!shot_.shaped()) request.nodes = {nodeKind(variant()), variant()[kAlpha] == kLoadedAlpha};
  return request;
}

void Blur::beginLists() {
  if (!device_->source || device_->sourceLayered != shot_.layered())
    device_->source = device_->capture.source(shot_);
  device_->sourceLayered = shot_.layered();
  device_->pipeline.begin(*device_->source, listRequest());
  band_ = 0;
}

bool Blur::accumulateBand() {
  Pipeline& pipeline = device_->pipeline;
  const TileLists& lists = pipeline.build(band_);
  shared::Optics optics = listRequest().optics;
  // What early out leaves away carries at most epsilon of the weight, and the brightest color.
  optics.epsilon /= std::max(1.0f, lists.brightest);
  if (shot_.shaped()) {
    accumulateShaped(device_->gpu, pipeline, optics, shot_.settings.op, device_->blurred);
  } else {
    usedVariant_ = kSpace.id(variant());
    device_->runner.run(variant(), *lists.tileBegin, *lists.nodes, lists.params, optics,
                        device_->blurred, shot_.layered());
    gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // display
  }
  return ++band_ == pipeline.bands().size();
}

// The picture
// -------------------------------------------------------------------------------------------------

void Blur::show() {
  const bool lensPicture = shot_.settings.op == Operator::Lens;
  const gpu::Texture& blurred = lensPicture ? device_->sampler.mean() : device_->blurred;
  // A file has no truth: its difference is that of the picture with itself.
  const bool compared = shot_.input.scene && shot_.settings.show == Show::Difference;
  const gpu::Texture& truth = compared ? device_->sampler.mean() : blurred;
  gpu::Pass& pass =
      device_->gpu.pass({"show", "shaders/dof/show.comp", {{"SHOW", int(shot_.settings.show)}}});
  pass.texture(DOF_TEXTURE_PICTURE, *sharp())
      .texture(DOF_TEXTURE_TRUTH, truth)
      .texture(DOF_TEXTURE_BLURRED, blurred)
      .image(DOF_IMAGE_RESULT, device_->shown);
  dispatchTiles(pass, shot_.size, listRequest().optics);
}

const gpu::Texture& Blur::result() const {
  static const gpu::Texture none;
  if (!device_) return none;
  if (shot_.settings.show != Show::Picture && complete_) return device_->shown;
  const gpu::Texture& mean = device_->sampler.mean();
  return shot_.settings.op == Operator::Lens && mean ? mean : device_->blurred;
}

float Blur::focusAt(int x, int y) const {
  return device_->capture.focusAt(x, y, shot_.settings.mmPerUnit);
}

std::pair<std::size_t, std::size_t> Blur::lensProgress() const {
  if (!device_ || shot_.settings.op != Operator::Lens) return {0, 0};
  return {device_->sampler.pointsDone(), device_->sampler.pointCount()};
}

// The same from the CPU
// -------------------------------------------------------------------------------------------------

Image Blur::reference() const {
  FATHOM_CHECK(sharp());
  const Operator op = shot_.settings.op;
  if (op == Operator::Gather) return reference::gather(sharp()->downloadImage(), lens());
  if (op == Operator::Lens)
    return meanOfViews(device_->gpu, device_->capture.renderer(), shot_, lens());
  const Aperture aperture = apertureOf(shot_.settings);
  if (!shot_.layered())
    return reference::blur(reference::splatsOf(sharp()->downloadImage(), lens(), aperture), op,
                           aperture);
  return reference::blur(capturedSplats(), op, aperture);
}

/// What the device captured, band by band, without the rows that bands share.
SplatList Blur::capturedSplats() const {
  SplatList splats;
  splats.size = shot_.size;
  Pipeline& pipeline = device_->pipeline;
  pipeline.begin(*device_->source, listRequest());
  for (std::size_t band = 0; band < pipeline.bands().size(); ++band) {
    const TileRows rows = pipeline.build(band).rows;
    for (const Splat& s : pipeline.downloadSplats().splats)
      if (s.pixel.y >= rows.first * DOF_TILE && s.pixel.y < rows.end() * DOF_TILE)
        splats.splats.push_back(s);
  }
  return splats;
}

}  // namespace fathom::dof
