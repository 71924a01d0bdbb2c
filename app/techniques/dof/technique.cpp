// SPDX-License-Identifier: BSD-3-Clause
// Inputs, stages of work and the picture. What is told about a picture stands in report.cpp.
#include "app/techniques/dof/technique.h"

#include "app/core/log.h"
#include "app/techniques/dof/reference.h"
#include "app/techniques/dof/variant_workload.h"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace fathom::dof {
namespace {

constexpr double kInfinityMm = 1e6;         // focus on the background
constexpr double kAveragedWarning = 0.005;  // share of pixels

}  // namespace

const Info& staticInfo() {
  static const Info info{
      "dof",
      "Depth of field",
      "Blur scenes, deep EXRs and pictures with depth as a lens does, by tiled splatting.",
      "Lier, Franke, Stamminger, Selgrad, \"A Case Study in Implementation-Space Exploration\", "
      "ELS 2016; Selgrad et al., \"Tiled Depth of Field Splatting\", Eurographics 2016",
      {".exr", ".obj", ".png"}};
  return info;
}

std::unique_ptr<Technique> make() { return std::make_unique<DofTechnique>(); }
const Info& DofTechnique::info() const { return staticInfo(); }
void DofTechnique::describe(FieldVisitor& field) { dof::describe(settings_, field); }
bool DofTechnique::accepts(const std::string& input) const { return acceptsInput(input); }
bool DofTechnique::acceptsAll(const std::vector<std::string>& inputs) const {
  return Technique::acceptsAll(inputs) && !(inputs.size() == 1 && lacksDepth(inputs[0]));
}

// Inputs
// -------------------------------------------------------------------------------------------------

Technique::Adopt DofTechnique::read(const std::vector<std::string>& inputs, Progress& progress) {
  Input input = readInput(inputs, progress);
  return [this, input, inputs] { adopt(input, inputs); };
}

void DofTechnique::adopt(Input input, std::vector<std::string> names) {
  input_ = std::move(input);
  inputs_ = std::move(names);
  renderer_.reset();
  source_.reset();
  stale_ = true;
  if (input_.scene) {
    camera_ = input_.scene->camera;
    if (size_.x <= 0) size_ = {1280, 720};
    for (const std::string& warning : input_.scene->warnings) log::warn("{}", warning);
  } else if (input_.deep) {
    size_ = {input_.deep->dataWindow.width, input_.deep->dataWindow.height};
  } else {
    size_ = {input_.flat->image.width, input_.flat->image.height};
  }
}

void DofTechnique::setSize(int width, int height) {
  if (input_.deep || input_.flat) return;  // files have their own
  if (size_ != glm::ivec2(width, height)) size_ = {width, height}, stale_ = true;
}

glm::ivec2 DofTechnique::origin() const {
  return input_.deep ? glm::ivec2(input_.deep->dataWindow.x, input_.deep->dataWindow.y)
                     : glm::ivec2(0);
}

bool DofTechnique::layered() const {
  return settings_.layers == Layers::All && (input_.scene || input_.deep);
}

/// Blades and slabs are not among the variants.
bool DofTechnique::shaped() const {
  return settings_.blades != Blades::Round || settings_.op == Operator::Slabs;
}

/// The variant of the settings with the order that the operator asks for, and with nodes that know
/// opacity where fragments are translucent.
gpu::Variant DofTechnique::variant() const {
  gpu::Variant v = kSpace.parse(settings_.variant == "auto" ? autoVariant_ : settings_.variant);
  const bool coverage = settings_.op == Operator::Coverage;
  if (coverage != (v[kOrder] == kCoverage))
    v = kSpace.with(v, kOrder, coverage ? kCoverage : kFrontToBack);
  if (layered() && v[kNode] == kNodeB) v = kSpace.with(v, kNode, kNodeA);
  return v;
}

void DofTechnique::chooseVariant() {
  autoVariant_ = kDefaultVariant;
  if (settings_.variant != "auto") return tuned_.forget();
  const auto key = [this] {
    return TuneKey{workloadClass(settings_.radius(), settings_.op == Operator::Coverage), size_,
                   templateHash(), nameOf(runner_->backEnd())};
  };
  if (const auto tuned = tuned_.choose(*gpu_, key)) autoVariant_ = kSpace.id(*tuned);
}

// Optics
// -------------------------------------------------------------------------------------------------

double DofTechnique::horizontalFov() const {
  if (!input_.scene || size_.y <= 0) return 0;
  const double tangent = std::tan(glm::radians(double(camera_.verticalFovDeg)) / 2);
  return 2 * std::atan(tangent * size_.x / size_.y);
}

Lens DofTechnique::lens() const {
  int width = size_.x;
  if (input_.flat) width = input_.flat->frameWidth;
  if (input_.deep && !input_.deep->displayWindow.empty()) width = input_.deep->displayWindow.width;
  return lensOf(settings_, horizontalFov(), width, autoFocus_);
}

Camera DofTechnique::sceneCamera() const {
  Camera camera = camera_;
  camera.fitDepth(input_.scene->bounds);
  return camera;
}

std::optional<float> DofTechnique::focusAt(int x, int y) const {
  if (!picture_ || !*picture_) return std::nullopt;
  std::vector<float> depths;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int px = std::clamp(x + dx, 0, picture_->width() - 1);
      const int py = std::clamp(y + dy, 0, picture_->height() - 1);
      const float z = picture_->texel(px, py).a;
      depths.push_back(isBackground(z) ? float(kInfinityMm / settings_.mmPerUnit) : z);
    }
  std::nth_element(depths.begin(), depths.begin() + 12, depths.end());
  return depths[12];
}

std::optional<glm::vec3> DofTechnique::pick(int x, int y) {
  if (!input_.scene || !picture_ || x < 0 || y < 0 || x >= size_.x || y >= size_.y)
    return std::nullopt;
  const float z = picture_->texel(x, y).a;
  if (isBackground(z)) return std::nullopt;
  const float tangent = std::tan(glm::radians(camera_.verticalFovDeg) / 2);
  const float aspect = float(size_.x) / float(size_.y);
  const glm::vec4 inView(((float(x) + 0.5f) / float(size_.x) * 2 - 1) * tangent * aspect * z,
                         (1 - (float(y) + 0.5f) / float(size_.y) * 2) * tangent * z, -z, 1);
  return glm::vec3(glm::inverse(camera_.view()) * inView);
}

// Work
// -------------------------------------------------------------------------------------------------

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
                              inputs_.empty() ? "dof" : inputs_[0]));
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
