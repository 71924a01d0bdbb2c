// SPDX-License-Identifier: BSD-3-Clause
// The stages from capture to what is shown, in slices, and the same from the CPU.
#include "app/core/log.h"
#include "app/techniques/dof/reference.h"
#include "app/techniques/dof/technique.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace fathom::dof {
namespace {

constexpr double kAveragedWarning = 0.005;  // share of pixels

}  // namespace

bool DofTechnique::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  if (!input_.scene && !input_.deep && !input_.flat) return true;
  if (gpu_ != &gpu) {
    gpu_ = &gpu;
    renderer_.reset();
    source_.reset();
    capture_ = std::make_unique<PictureCapture>(gpu);
    pipeline_ = std::make_unique<Pipeline>(gpu);
    runner_ = std::make_unique<VariantRunner>(gpu);
    sampler_ = std::make_unique<LensSampler>(gpu);
    stale_ = true;
  }
  if (stale_ || effect == Effect::Rebuild)
    stage_ = Stage::Capture;
  else if (effect == Effect::Redraw)
    planLists();
  if (stage_ == Stage::Done) return true;
  stale_ = false;

  const auto start = std::chrono::steady_clock::now();
  while (stage_ != Stage::Done) {
    step();
    if (stage_ == Stage::Done || std::isinf(budgetMs)) continue;
    gpu.finish();  // the clock must see what the device did
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    if (spent.count() >= budgetMs) return false;
  }
  ++generation_;
  return true;
}

void DofTechnique::step() {
  switch (stage_) {
    case Stage::Capture:
      capture();
      planLists();
      break;
    case Stage::Lists:
      accumulate();
      break;
    case Stage::Gather:
      gather();
      nextAfterBlur();
      break;
    case Stage::Lens:
      if (sampler_->step(*renderer_)) nextAfterBlur();
      break;
    case Stage::Truth:
      if (sampler_->step(*renderer_)) stage_ = Stage::Show;
      break;
    case Stage::Show:
      show();
      stage_ = Stage::Done;
      break;
    case Stage::Done:
      break;
  }
}

/// Color and depth of every pixel, by drawing or from the file; the middle's depth for auto focus.
void DofTechnique::capture() {
  source_.reset();
  if (input_.scene) {
    if (!renderer_) renderer_ = std::make_unique<SceneRenderer>(*gpu_, input_.scene);
    picture_ = &capture_->draw(*renderer_, sceneCamera(), size_);
  } else {
    const double tangentPerPixel = lens().sensorWidth / (lens().focalLength * lens().pictureWidth);
    const Image image = input_.deep ? colorAndDepth(*input_.deep)
                                    : colorAndDepth(*input_.flat, settings_, tangentPerPixel);
    if (input_.flat && !settings_.snapDepth) {
      const double share = averagedShare(image);
      if (share > kAveragedWarning)
        log::warn("{}: depth looks averaged at edges ({:.1f} % of the pixels): try --snap-depth",
                  input_.flat->name, 100 * share);
    }
    upload_ = gpu::Texture(*gpu_, "dof picture", gpu::TextureFormat::Rgba32f, size_.x, size_.y);
    upload_.setNearest(true);
    upload_.upload(image);
    picture_ = &upload_;
  }
  autoFocus_ = focusAt(size_.x / 2, size_.y / 2).value_or(1);
}

std::unique_ptr<Source> DofTechnique::makeSource() const {
  if (!layered()) return std::make_unique<PictureSource>(*gpu_, *picture_);
  if (input_.deep) return std::make_unique<DeepSource>(*gpu_, *input_.deep, *picture_);
  return std::make_unique<CaptureSource>(*gpu_, *renderer_, sceneCamera(), *picture_);
}

ListRequest DofTechnique::listRequest() const {
  const Aperture aperture = apertureOf(settings_);
  ListRequest request;
  request.optics = opticsOf(lens(), aperture, settings_);
  request.mirrored = aperture.mirrors();
  request.thin = settings_.op == Operator::Coverage || settings_.op == Operator::Slabs;
  request.radius = settings_.radius();
  request.sort = settings_.sort;
  if (!shaped()) request.nodes = {nodeKind(variant()), variant()[kAlpha] == kLoadedAlpha};
  return request;
}

/// Everything after capture starts over.
void DofTechnique::planLists() {
  chooseVariant();
  if (!blurred_ || blurred_.width() != size_.x || blurred_.height() != size_.y) {
    blurred_ = gpu::Texture(*gpu_, "dof blurred", gpu::TextureFormat::Rgba32f, size_.x, size_.y);
    shown_ = gpu::Texture(*gpu_, "dof shown", gpu::TextureFormat::Rgba32f, size_.x, size_.y);
  }
  usedVariant_.clear();
  const bool truth = settings_.show == Show::Difference && input_.scene;
  if (settings_.op == Operator::Lens || truth) {
    if (!input_.scene)
      throw Error(fmt::format("{}: expected a scene for operator lens, found a file",
                              inputs().empty() ? "dof" : inputs()[0]));
    sampler_->begin(sceneCamera(), lens(), apertureOf(settings_), settings_.lensPointCount(),
                    size_);
  }
  if (settings_.op == Operator::Lens) {
    stage_ = Stage::Lens;
  } else if (settings_.op == Operator::Gather) {
    stage_ = Stage::Gather;
  } else {
    if (!source_ || sourceLayered_ != layered()) source_ = makeSource();
    sourceLayered_ = layered();
    pipeline_->begin(*source_, listRequest());
    band_ = 0;
    stage_ = Stage::Lists;
  }
}

void DofTechnique::accumulate() {
  const TileLists& lists = pipeline_->build(band_);
  shared::Optics optics = listRequest().optics;
  // What early out leaves away carries at most epsilon of the weight, and the brightest color.
  optics.epsilon /= std::max(1.0f, lists.brightest);
  if (shaped()) {
    accumulateShaped(*gpu_, *pipeline_, optics, settings_.op, blurred_);
  } else {
    usedVariant_ = kSpace.id(variant());
    runner_->run(variant(), *lists.tileBegin, *lists.nodes, lists.params, optics, blurred_,
                 layered());
    gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // display
  }
  if (++band_ == pipeline_->bands().size()) nextAfterBlur();
}

void DofTechnique::gather() {
  shared::Params p{};
  p.width = std::uint32_t(size_.x), p.height = std::uint32_t(size_.y);
  gpu::Pass& pass = gpu_->pass({"gather", "shaders/dof/gather.comp", {}});
  pass.texture(DOF_TEXTURE_PICTURE, *picture_)
      .image(DOF_IMAGE_RESULT, blurred_)
      .params(DOF_BIND_PARAMS, p)
      .params(DOF_BIND_OPTICS, listRequest().optics);
  pass.dispatchGrid(unsigned(tilesOver(size_.x)), unsigned(tilesOver(size_.y)));
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

void DofTechnique::nextAfterBlur() {
  if (settings_.show == Show::Picture)
    stage_ = Stage::Done;
  else if (settings_.show == Show::Difference && input_.scene && settings_.op != Operator::Lens)
    stage_ = Stage::Truth;
  else
    stage_ = Stage::Show;
}

void DofTechnique::show() {
  shared::Params p{};
  p.width = std::uint32_t(size_.x), p.height = std::uint32_t(size_.y);
  const bool lensPicture = settings_.op == Operator::Lens;
  const gpu::Texture& blurred = lensPicture ? sampler_->mean() : blurred_;
  // A file has no truth: its difference is that of the picture with itself.
  const gpu::Texture& truth =
      input_.scene && settings_.show == Show::Difference ? sampler_->mean() : blurred;
  gpu::Pass& pass = gpu_->pass({"show", "shaders/dof/show.comp", {{"SHOW", int(settings_.show)}}});
  pass.texture(DOF_TEXTURE_PICTURE, *picture_)
      .texture(DOF_TEXTURE_TRUTH, truth)
      .texture(DOF_TEXTURE_BLURRED, blurred)
      .image(DOF_IMAGE_RESULT, shown_)
      .params(DOF_BIND_PARAMS, p)
      .params(DOF_BIND_OPTICS, listRequest().optics);
  pass.dispatchGrid(unsigned(tilesOver(size_.x)), unsigned(tilesOver(size_.y)));
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

const gpu::Texture& DofTechnique::result() const {
  if (settings_.show != Show::Picture && stage_ == Stage::Done) return shown_;
  return settings_.op == Operator::Lens && sampler_ && sampler_->mean() ? sampler_->mean()
                                                                        : blurred_;
}

const Pipeline::Totals& DofTechnique::totals() const {
  static const Pipeline::Totals none;
  return pipeline_ && listed() ? pipeline_->totals() : none;
}

std::pair<std::size_t, std::size_t> DofTechnique::lensProgress() const {
  if (!sampler_ || listed() || settings_.op == Operator::Gather) return {0, 0};
  return {sampler_->pointsDone(), sampler_->pointCount()};
}

// The same from the CPU
// -------------------------------------------------------------------------------------------------

Image DofTechnique::reference() const {
  FATHOM_CHECK(picture_ && pipeline_);
  if (settings_.op == Operator::Gather) return reference::gather(picture_->downloadImage(), lens());
  if (settings_.op == Operator::Lens) {
    // Rasterizing is the device's; the mean is taken again.
    PictureCapture capture(*gpu_);
    Image mean(size_.x, size_.y);
    const std::vector<glm::dvec2> points =
        lensPoints(apertureOf(settings_), settings_.lensPointCount());
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Camera moved = throughLensPoint(sceneCamera(), lens(), points[k], size_);
      const Image view = capture.draw(*renderer_, moved, size_, k + 1).downloadImage();
      for (std::size_t i = 0; i < mean.pixels.size(); ++i)
        mean.pixels[i] += glm::vec4(glm::vec3(view.pixels[i]), 1) / float(points.size());
    }
    return mean;
  }
  const Aperture aperture = apertureOf(settings_);
  if (!layered())
    return reference::blur(reference::splatsOf(picture_->downloadImage(), lens(), aperture),
                           settings_.op, aperture);
  // What the device captured, band by band, without the rows that bands share.
  SplatList splats;
  splats.size = size_;
  pipeline_->begin(*source_, listRequest());
  for (std::size_t band = 0; band < pipeline_->bands().size(); ++band) {
    const TileRows rows = pipeline_->build(band).rows;
    for (const Splat& s : pipeline_->downloadSplats().splats)
      if (s.pixel.y >= rows.first * DOF_TILE && s.pixel.y < rows.end() * DOF_TILE)
        splats.splats.push_back(s);
  }
  return reference::blur(splats, settings_.op, aperture);
}

}  // namespace fathom::dof
