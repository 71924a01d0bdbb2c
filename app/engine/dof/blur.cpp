// SPDX-License-Identifier: BSD-3-Clause
// The stages of a blurred picture, what each of them reads (its key), and the same from the CPU.
#include "app/engine/dof/engine.h"
#include "app/engine/dof/splats/list_reader.h"
#include "app/engine/gpu/pass.h"

#include "app/engine/gpu/slices.h"

namespace fathom::dof {
namespace {

// ---- Keys

/// What the captured picture depends on.
auto captureKey(const Shot& shot) {
  const Settings& s = shot.settings;
  const bool flat = bool(shot.input.flat);
  return std::tuple(shot.inputCount, shot.size, shot.input.scene ? shot.camera : Camera(),
                    s.depthForm, s.near, s.far, s.snapDepth, shot.margin(), s.edges, shot.masksRead,
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

// ---- Passes over all pixels

void dispatchTiles(gpu::Pass& pass, glm::ivec2 size, int margin, const shared::Optics& optics,
                   const gpu::Each& pixel) {
  shared::Params p{};
  p.margin = std::uint32_t(margin);
  p.width = std::uint32_t(size.x), p.height = std::uint32_t(size.y);
  pass.params(DOF_BIND_PARAMS, p).params(DOF_BIND_OPTICS, optics);
  pass.dispatchGrid(size, pixel);
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
}

void gather(gpu::Context& gpu, const Capture& capture, const shared::Optics& optics,
            const gpu::Texture& blurred) {
  const gpu::Texture* alpha = capture.alpha();
  const gpu::Texture* mask = capture.mask();
  gpu::Pass& pass = gpu.pass({"gather",
                              "shaders/dof/gather.comp",
                              {{"HAS_ALPHA", alpha ? 1 : 0}, {"MASKED", mask ? 1 : 0}}});
  if (mask) pass.texture(DOF_TEXTURE_MASK, *mask);
  pass.texture(DOF_TEXTURE_PICTURE, *capture.picture())
      .texture(DOF_TEXTURE_ALPHA, alpha ? *alpha : *capture.picture())
      .image(DOF_IMAGE_RESULT, blurred);
  dispatchTiles(pass, blurred.size(), capture.margin(), optics, {50 + 60.0 * optics.lensPoints});
}

// ---- From the CPU

/// How much of a lens point's light passes at a pixel, for what is far and near; below 0: none
/// ever.
glm::dvec2 passing(const Aperture& aperture, const ImageFrame& frame, glm::dvec2 place,
                   glm::dvec2 pixel) {
  const glm::dvec2 field = frame.fieldAt(pixel);
  const glm::dvec2 u = aperture.fromImage(place, field);
  const glm::dvec2 passes(aperture.passes(u, false), aperture.passes(u, true));
  return !aperture.uncut(u, field) || passes == glm::dvec2(0) ? glm::dvec2(-1) : passes;
}

/// The mean over lens points; rasterizing them remains the device's. Without faults of color. What
/// passes for far and for near is made up for by itself where the aperture is cut.
Image meanOfViews(gpu::Context& gpu, SceneRenderer& renderer, const Shot& shot, const Lens& lens) {
  struct Sums {
    glm::dvec4 light[2]{};  // far, near
    glm::dvec2 passed{0};
    double points = 0;
  };
  PictureCapture capture(gpu);
  Image mean(shot.size.x, shot.size.y);
  std::vector<Sums> sums(mean.pixels.size());
  const Aperture aperture = shot.aperture();
  const std::vector<glm::dvec2> points =
      lensPoints(aperture, shot.settings.lensPointCount(), shot.frame(), shot.size);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Camera moved = throughLensPoint(shot.sceneCamera(), lens, points[k], shot.size);
    const glm::dvec2 place = placeInPixel(k, shot.samples());
    const Image view =
        capture.draw(renderer, movedByPixels(moved, place, shot.size), shot.size, k + 1)
            .downloadImage();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const glm::vec4& p = view.pixels[i];
      const glm::dvec2 pixel(int(i) % mean.width, int(i) / mean.width);
      const glm::dvec2 passes = passing(aperture, shot.frame(), points[k], pixel);
      if (passes.x < 0) continue;
      const int near = lens.unclampedRadius(p.a) < 0;
      sums[i].light[near] += passes[near] * glm::dvec4(glm::vec3(p), isBackground(p.a) ? 0.0 : 1.0);
      sums[i].passed += passes, ++sums[i].points;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const glm::dvec2 all = aperture.varies() ? sums[i].passed : glm::dvec2(sums[i].points);
    for (const int near : {0, 1})
      mean.pixels[i] += glm::vec4(sums[i].light[near] / std::max(all[near], 1e-6));
  }
  return mean;
}

}  // namespace

// ---- Stages

void DofEngine::addStages() {
  stages_.add(
      "capture", [this] { return captureKey(grid()); },
      [this](double) {
        capture();
        return true;
      });
  stages_.add(
      "blur", [this] { return blurKey(shot_); },
      [this](double leftMs) { return blurStep(!std::isfinite(leftMs)); }, [this] { beginBlur(); });
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

bool DofEngine::work(gpu::Context& gpu, double budgetMs) {
  shot_.readFiles();
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

void DofEngine::capture() {
  const Shot fine = grid();
  const glm::ivec2 size = fine.size + 2 * fine.margin();
  const auto largest = device_->gpu.limits().textureSize;
  if (shot_.samples() > 1 && std::max(size.x, size.y) > largest)
    fail("--supersample {}: expected at most {} samples along a side on this device, found {}",
         shot_.samples(), largest, std::max(size.x, size.y));
  device_->capture.take(fine);
}

Source& DofEngine::source() const { return device_->capture.source(grid(), gridLens()); }

double DofEngine::autoFocus() const {
  const bool given = shot_.settings.focusDistance > 0;
  return device_ && !given ? device_->capture.autoFocus() : 1;
}

void DofEngine::beginBlur() {
  gpu::Context& gpu = device_->gpu;
  if (shot_.input.held && !shot_.smooth())
    fail(
        "--roles: expected an operator of smooth discs for hold-outs (coverage, over, slabs, "
        "lens-cells), found another, or a variant");
  if (takeDeep_ && (!shot_.smooth() || shot_.settings.op == Operator::Slabs))
    fail("--deep: expected operator coverage, over or lens-cells, found another, or a variant");
  if (takeDeep_ && shot_.settings.show != Show::Picture)
    fail("--deep: expected --show picture, found another");
  const bool blursAovs = shot_.input.aovs && !shot_.input.aovs->empty();
  if (blursAovs && !shot_.smooth())
    fail(
        "--channels: expected operator coverage, over, slabs or lens-cells, found another, or a "
        "variant");
  if (blursAovs &&
      (shot_.settings.show != Show::Picture || shot_.layered() != bool(shot_.input.deep)))
    fail("--channels: expected --show picture and --layers all, found another");
  if (!shot_.smooth()) choice_.update(gpu, device_->runner, grid());
  usedVariant_.clear();
  gpu::ensure(gpu, device_->blurred, "dof blurred", gpu::TextureFormat::Rgba32f, grid().size);
  gpu::ensure(gpu, device_->shown, "dof shown", gpu::TextureFormat::Rgba32f, shot_.size);
  if (shot_.settings.op == Operator::Lens) beginLensPoints();
  if (shot_.splats()) beginLists();
}

/// `waits`: for the device, rather than to be called again.
bool DofEngine::blurStep(bool waits) {
  if (!blurSamples(waits)) return false;
  if (shot_.samples() > 1 && shot_.settings.op != Operator::Lens) average();
  return true;
}

void DofEngine::average() {
  gpu::Context& gpu = device_->gpu;
  const int n = shot_.samples();
  gpu::ensure(gpu, device_->averaged, "dof averaged", gpu::TextureFormat::Rgba32f, shot_.size);
  gpu::Pass& pass =
      gpu.pass({"average samples", "shaders/dof/average_samples.comp", {{"SAMPLES", n}}});
  pass.texture(DOF_TEXTURE_BLURRED, device_->blurred).image(DOF_IMAGE_RESULT, device_->averaged);
  dispatchTiles(pass, shot_.size, 0, listRequest().optics, {10.0 + 4 * n * n});
}

bool DofEngine::blurSamples(bool waits) {
  switch (shot_.settings.op) {
    case Operator::Lens:
      return device_->sampler.step(device_->capture.renderer());
    case Operator::Gather:
      gather(device_->gpu, device_->capture, listRequest().optics, device_->blurred);
      return true;
    default:
      return accumulateBand(waits);
  }
}

void DofEngine::beginLensPoints() {
  if (!shot_.input.scene)
    fail("{}: expected a scene for operator lens, found a file",
         shot_.input.names.empty() ? "dof" : shot_.input.names[0]);
  const Aperture aperture = shot_.aperture();
  device_->tables.update(aperture);
  device_->sampler.begin(shot_.sceneCamera(), lens(), aperture, device_->tables,
                         opticsOf(lens(), aperture, shot_.settings, shot_.frame()),
                         shot_.settings.lensPointCount(), shot_.frame(), shot_.size,
                         shot_.samples());
}

// ---- Tile lists

ListRequest DofEngine::listRequest() const {
  const Settings& s = shot_.settings;
  const Shot fine = grid();
  const Aperture aperture = fine.aperture();
  const Lens l = gridLens();
  ListRequest request;
  request.optics = opticsOf(l, aperture, s, fine.frame());
  request.area = shot_.smooth();
  request.mapped = !aperture.plain();
  request.varies = aperture.varies(), request.colored = aperture.colored();
  // Over multiplies transmittances itself.
  request.thin = s.op != Operator::Over;
  request.cells = s.op == Operator::LensCells;
  request.reach = reachOf(l, aperture, fine.frame());
  request.sort = s.sort;
  if (device_) request.tables = &device_->tables, request.held = device_->capture.held();
  if (takeDeep_) request.bytesPerTile = (slices_.count + 1) * kSliceBytes;
  if (!request.area) request.nodes = {nodeKind(variant()), variant()[kAlpha] == kLoadedAlpha};
  return request;
}

void DofEngine::beginLists() {
  if (takeDeep_) slices_.count = sliceCount(tilesOver(grid().size.x), slices_.most);
  if (shot_.smooth()) device_->tables.update(grid().aperture());
  device_->pipeline.begin(source(), listRequest());
  device_->aovs.reset();
  if (shot_.input.aovs && !shot_.input.aovs->empty())
    device_->aovs.emplace(device_->gpu, shot_, device_->capture.lists());
  std::vector<gpu::PassKey> keys = device_->pipeline.programs();
  if (shot_.smooth())
    keys.push_back(accumulateKey(device_->gpu, device_->pipeline, shot_.settings.op,
                                 device_->pipeline.sortsSplats() ? 1 : 2,
                                 takeDeep_ ? slices_.count : 0));
  device_->gpu.request(keys);
  band_ = 0;
  checks_ = false;
}

/// Queues a band and, in a later call, looks whether its lists had the room they need.
bool DofEngine::accumulateBand(bool waits) {
  Pipeline& pipeline = device_->pipeline;
  if (!checks_) {
    shared::Optics optics = listRequest().optics;
    if (shot_.smooth()) {
      usedVariant_ = "smooth";
      takeDeep_ || device_->aovs ? pipeline.build(band_) : pipeline.queue(band_);
      if (takeDeep_) cutSlices(device_->gpu, pipeline, slices_);
      accumulateArea(device_->gpu, pipeline, optics, shot_.settings.op, device_->blurred,
                     takeDeep_ ? &slices_ : nullptr);
      if (takeDeep_) takeDeep_(rowsOf(pipeline, slices_, deepHeader(), shot_.samples()));
      if (device_->aovs) device_->aovs->add(pipeline, optics);
    } else {
      const TileLists& lists = pipeline.build(band_);
      // What early out leaves away carries at most epsilon of the weight, and the brightest color.
      optics.epsilon /= std::max(1.0f, lists.brightest);
      runVariant(lists, optics);
    }
    checks_ = true;
  }
  const Pipeline::Check check = pipeline.check(waits);
  if (check == Pipeline::Check::Pending) return false;
  checks_ = false;
  if (check == Pipeline::Check::Again) return false;
  return ++band_ == pipeline.bands().size();
}

void DofEngine::makeDeep(int most, std::function<void(DeepImage&&)> take) {
  slices_.most = most;
  takeDeep_ = std::move(take);
}

DeepImage DofEngine::deepHeader() const {
  DeepImage header;
  header.dataWindow = {shot_.origin().x, shot_.origin().y, shot_.size.x, shot_.size.y};
  header.displayWindow = shot_.displayWindow();
  header.pixelAspect = shot_.pixelAspect();
  header.format = FragmentFormat::Indexed;
  header.tidy = true;
  for (const char* name : {"A", "B", "G", "R", "Z"})
    header.channels.push_back({name, ChannelType::Float, {}});
  if (shot_.input.deep) header.attributes = shot_.input.deep->attributes;
  if (shot_.input.flat) header.attributes = shot_.input.flat->attributes;
  return header;
}

/// Colors, then alpha by itself: a variant knows three channels.
void DofEngine::runVariant(const TileLists& lists, const shared::Optics& optics) {
  gpu::Context& gpu = device_->gpu;
  usedVariant_ = kSpace.id(variant());
  const auto run = [&](const gpu::Texture& picture) {
    device_->runner.run(variant(), *lists.tileBegin, *lists.nodes, lists.params, optics, picture,
                        shot_.layered(), lists.longest);
    gpu::barrier(gpu::Access::Texture | gpu::Access::Storage | gpu::Access::Transfer);  // display
  };
  run(device_->blurred);
  gpu::ensure(gpu, device_->alpha, "dof alpha", gpu::TextureFormat::Rgba32f,
              device_->blurred.size());
  device_->pipeline.emitAlpha();
  run(device_->alpha);
  if (band_ + 1 < device_->pipeline.bands().size()) return;
  gpu::Pass& join = gpu.pass({"join alpha", "shaders/dof/join_alpha.comp", {}});
  join.texture(DOF_TEXTURE_ALPHA, device_->alpha).image(DOF_IMAGE_RESULT, device_->blurred);
  dispatchTiles(join, device_->blurred.size(), 0, optics, {20});
}

// ---- The picture

void DofEngine::show() {
  const bool lensPicture = shot_.settings.op == Operator::Lens;
  const gpu::Texture& blurred = lensPicture ? device_->sampler.mean() : blurredPicture();
  // A file has no truth: its difference is that of the picture with itself.
  const bool compared = shot_.input.scene && shot_.settings.show == Show::Difference;
  const gpu::Texture& truth = compared ? device_->sampler.mean() : blurred;
  const gpu::Texture* mask = device_->capture.mask();
  gpu::Pass& pass = device_->gpu.pass({"show",
                                       "shaders/dof/show.comp",
                                       {{"SHOW", int(shot_.settings.show)},
                                        {"MASKED", mask ? 1 : 0},
                                        {"SAMPLES", shot_.samples()}}});
  if (mask) pass.texture(DOF_TEXTURE_MASK, *mask);
  pass.texture(DOF_TEXTURE_PICTURE, *sharp())
      .texture(DOF_TEXTURE_TRUTH, truth)
      .texture(DOF_TEXTURE_BLURRED, blurred)
      .image(DOF_IMAGE_RESULT, device_->shown);
  dispatchTiles(pass, shot_.size, margin(),
                opticsOf(lens(), shot_.aperture(), shot_.settings, shot_.frame()), {100});
}

const gpu::Texture& DofEngine::result() const {
  static const gpu::Texture none;
  if (!device_) return none;
  if (shot_.settings.show != Show::Picture && complete_) return device_->shown;
  const gpu::Texture& mean = device_->sampler.mean();
  return shot_.settings.op == Operator::Lens && mean ? mean : blurredPicture();
}

const gpu::Texture& DofEngine::blurredPicture() const {
  return shot_.samples() > 1 && device_->averaged ? device_->averaged : device_->blurred;
}

float DofEngine::depthAt(int x, int y) const {
  const int n = shot_.samples();
  return device_->capture.depthAt(x * n + n / 2, y * n + n / 2);
}

double DofEngine::radiusAt(int x, int y) const {
  const Lens l = lens();
  const int n = shot_.samples();
  const double mask = device_->capture.maskAt(x * n + n / 2, y * n + n / 2);
  const double masked = l.unclampedRadius(depthAt(x, y)) * mask;
  return std::clamp(masked, -l.maxRadius, l.maxRadius);
}

float DofEngine::focusAt(int x, int y) const {
  const int n = shot_.samples();
  return device_->capture.focusAt(x * n + n / 2, y * n + n / 2, shot_.mmPerUnit());
}

std::pair<std::size_t, std::size_t> DofEngine::lensProgress() const {
  if (!device_ || shot_.settings.op != Operator::Lens) return {0, 0};
  return {device_->sampler.pointsDone(), device_->sampler.pointCount()};
}

// ---- The same from the CPU

Image DofEngine::reference() const {
  FATHOM_CHECK(sharp() && !shot_.input.held);
  const Operator op = shot_.settings.op;
  const Shot fine = grid();
  const int n = fine.samples();
  if (op == Operator::Gather)
    return gpu::runAsync([image = sharp()->downloadImage(), lens = gridLens(), margin = margin(),
                          mask = downloadMask(device_->capture.mask()), n] {
      return reference::average(reference::gather(image, lens, margin, mask ? &*mask : nullptr), n);
    });
  if (op == Operator::Lens)
    return meanOfViews(device_->gpu, device_->capture.renderer(), shot_, lens());
  const Aperture aperture = fine.aperture();
  return gpu::runAsync(
      [splats = capturedSplats(), op, aperture, smooth = shot_.smooth(), frame = fine.frame(), n] {
        const std::optional<ApertureMap> map =
            aperture.plain() ? std::nullopt : std::optional(ApertureMap(aperture));
        return reference::average(
            reference::blur(splats, op, {smooth, map ? &*map : nullptr, frame}), n);
      });
}

/// What the device captured, band by band, without the tiles that bands share; what lies in the
/// margin belongs to the band beside it.
SplatList DofEngine::capturedSplats() const {
  SplatList splats;
  splats.size = grid().size;
  splats.weighted = shot_.smooth() && shot_.aperture().varies();
  Pipeline& pipeline = device_->pipeline;
  pipeline.begin(source(), listRequest());
  for (std::size_t band = 0; band < pipeline.bands().size(); ++band) {
    const TileArea area = pipeline.build(band).area;
    for (const Splat& s : ListReader(pipeline).splats().splats) {
      const glm::ivec2 inside = glm::clamp(s.pixel, glm::ivec2(0), splats.size - 1);
      if (area.contains(inside / DOF_TILE)) splats.splats.push_back(s);
    }
  }
  return splats;
}

}  // namespace fathom::dof
