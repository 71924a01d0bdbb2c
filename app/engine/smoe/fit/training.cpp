// SPDX-License-Identifier: BSD-3-Clause
// Reading pictures and folders, encoding them for a fit, holding some out, and drawing views of
// scenes.
#include "app/engine/smoe/fit/training.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "app/engine/io/view_folder.h"
#include "app/engine/smoe/model/reference.h"
#include "app/system/process.h"

namespace fathom::smoe {
namespace {

glm::vec3 encodedColor(glm::vec3 linear, const Coding& coding) {
  const ColorSpace space = coding.space;
  if (space == ColorSpace::Linear || space == ColorSpace::Gray)
    return glm::clamp(linear, 0.0f, 1.0f);
  if (isAsinh(space))
    return glm::clamp(
        glm::asinh(glm::dvec3(linear) * kAsinhSlope) / std::asinh(coding.peak * kAsinhSlope), 0.0,
        1.0);
  glm::vec3 rgb;
  for (int c = 0; c < 3; ++c) rgb[c] = srgbFromLinear(linear[c]);
  if (space != ColorSpace::Ycbcr709) return rgb;
  // Y' Cb Cr of BT.709, full range.
  const float y = 0.2126f * rgb.r + 0.7152f * rgb.g + 0.0722f * rgb.b;
  return {y, (rgb.b - y) / 1.8556f + 0.5f, (rgb.r - y) / 1.5748f + 0.5f};
}

glm::ivec2 sizeOf(const Image& image) { return {image.width, image.height}; }

Image readLinear(const fs::path& file) {
  Image image = readPicture(file).image;
  // Not a number would spread through every sum.
  for (const glm::vec4& p : image.pixels)
    if (!(std::isfinite(p.r) && std::isfinite(p.g) && std::isfinite(p.b) && std::isfinite(p.a)))
      fail("{}: expected finite colors, found a pixel that is not", file.string());
  return image;
}

bool hasAlpha(const Image& image) {
  return std::ranges::any_of(image.pixels, [](const glm::vec4& p) { return p.a < 1; });
}

/// Alpha in all three channels.
SharedTraining alphaOf(const Image& picture, const std::string& name) {
  auto alpha = std::make_shared<TrainingSet>();
  alpha->size = sizeOf(picture);
  alpha->colorSpace = ColorSpace::Gray;
  alpha->name = name;
  Image& gray = alpha->pictures.emplace_back(picture.width, picture.height);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i)
    gray.pixels[i] = glm::vec4(glm::vec3(glm::clamp(picture.pixels[i].a, 0.0f, 1.0f)), 1);
  return alpha;
}

void addNote(TrainingSet& training, const std::string& note) {
  training.note += (training.note.empty() ? "" : "; ") + note;
}

/// What light there is.
struct Light {
  float lowest = 0, peak = 1;
  bool gray = true;
};

Light lightOf(std::span<const Image> pictures) {
  Light light;
  for (const Image& picture : pictures)
    for (const glm::vec4& p : picture.pixels) {
      light.lowest = std::min({light.lowest, p.r, p.g, p.b});
      light.peak = std::max({light.peak, p.r, p.g, p.b});
      light.gray = light.gray && p.r == p.g && p.g == p.b;
    }
  return light;
}

/// Of gray, one picture only has a form of its own.
Coding codingFor(const Light& light, bool one) {
  const bool gray = light.gray && one;
  if (light.peak > 1)
    return {gray ? ColorSpace::GrayAsinh : ColorSpace::Asinh,
            std::min(double(light.peak), kMaxPeak)};
  return gray ? ColorSpace::GraySrgb : ColorSpace::Srgb;
}

/// The pictures, which are light, become values of a model, and what these cannot hold is said.
void encode(TrainingSet& training, const std::optional<Coding>& as) {
  const Light light = lightOf(training.pictures);
  const Coding coding = as.value_or(codingFor(light, training.dims == 2));
  if (isGray(coding.space) && !light.gray)
    fail("{}: expected a gray image as the model is, found colors", training.name);
  training.colorSpace = coding.space, training.peak = coding.peak;
  if (isAsinh(coding.space))
    addNote(training, fmt::format("{}: light up to {:g} is kept as asinh, which decibels are of",
                                  training.name, coding.peak));
  if (double(light.peak) > coding.peak)
    addNote(training, fmt::format("{}: light up to {:g} is cut at {:g}", training.name, light.peak,
                                  coding.peak));
  if (light.lowest < 0)
    addNote(training,
            fmt::format("{}: light below 0 (down to {:g}) becomes 0", training.name, light.lowest));
  parallelForEach(training.pictures.size(), 1, [&](std::size_t i) {
    training.pictures[i] = encoded(training.pictures[i], coding);
  });
}

TrainingSet readFolder(const fs::path& folder, const std::optional<Coding>& as,
                       Progress& progress) {
  const ViewFolder found = readViewFolder(folder);
  TrainingSet training;
  training.dims = found.views ? 4 : 3;
  training.views = found.views ? found.grid : glm::ivec2(1);
  training.viewOrigin = found.origin;
  training.frames = found.views ? 1 : int(found.files.size());
  training.name = folder.string();
  if (!found.naming.empty())
    training.note = fmt::format("{} views of {} x {}, by the names of a {}", found.files.size(),
                                found.grid.x, found.grid.y, found.naming);

  training.pictures.push_back(readLinear(found.files[0]));
  training.size = sizeOf(training.pictures[0]);
  checkSamples(training.name, training.size, found.files.size());
  training.pictures.resize(found.files.size());
  std::atomic<bool> alpha = hasAlpha(training.pictures[0]);
  progress.begin("reading images", double(found.files.size()));
  parallelForEach(found.files.size() - 1, 1, [&](std::size_t before) {
    const fs::path& file = found.files[before + 1];
    Image picture = readLinear(file);
    if (sizeOf(picture) != training.size)
      fail("{}: expected {} x {} pixels as in {}, found {} x {}", file.string(), training.size.x,
           training.size.y, found.files[0].filename().string(), picture.width, picture.height);
    if (hasAlpha(picture)) alpha = true;
    training.pictures[before + 1] = std::move(picture);
    progress.advance(1);
  });
  if (alpha)
    addNote(training, fmt::format("{}: alpha of views and frames is left out, they are composited "
                                  "over black",
                                  folder.string()));
  encode(training, as);
  return training;
}

}  // namespace

ViewCoordinates TrainingSet::coordinatesOf(std::size_t i) const {
  FATHOM_CHECK_OP(i, <, pictures.size());
  if (dims == 2) return ViewCoordinates(0);
  if (dims == 3) return {double(i), 0};
  const auto rows = std::size_t(views.y);
  return glm::dvec2(double(i / rows), double(i % rows)) - viewOrigin;
}

std::size_t TrainingSet::middle() const {
  if (dims != 4) return 0;
  const glm::ivec2 at = glm::clamp(glm::ivec2(viewOrigin + 0.5), glm::ivec2(0), views - 1);
  return std::size_t(at.x) * std::size_t(views.y) + std::size_t(at.y);
}

std::size_t TrainingSet::nearest(ViewCoordinates at) const {
  std::size_t best = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const ViewCoordinates d = coordinatesOf(i) - at;
    const double distance = d.x * d.x + d.y * d.y;
    if (distance < smallest) smallest = distance, best = i;
  }
  return best;
}

bool TrainingSet::isHeldOut(std::size_t i) const {
  return std::binary_search(heldOut.begin(), heldOut.end(), i);
}

std::vector<std::size_t> TrainingSet::fitted() const {
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    if (!isHeldOut(i)) rest.push_back(i);
  return rest;
}

TrainingSet readTraining(const fs::path& input, const std::optional<Coding>& as,
                         Progress& progress) {
  std::error_code error;
  if (fs::is_directory(input, error)) return readFolder(input, as, progress);
  return trainingFrom(readLinear(input), as, input.string());
}

TrainingSet trainingFrom(const Image& picture, const std::optional<Coding>& as,
                         const std::string& name) {
  TrainingSet training;
  training.size = sizeOf(picture);
  training.name = name;
  checkSamples(name, training.size, 1);
  training.pictures.push_back(picture);
  encode(training, as);
  if (hasAlpha(picture)) training.alpha = alphaOf(picture, name);
  return training;
}

std::optional<Coding> sourceCoding(const Model& model) {
  if (model.colorSpace == ColorSpace::Gray) return std::nullopt;
  return model.coding();
}

void checkSamples(const std::string& name, glm::ivec2 size, std::size_t pictures) {
  const std::int64_t each = std::int64_t(size.x) * size.y;
  if (each <= 0 || pictures == 0) fail("{}: expected at least one pixel, found none", name);
  if (std::int64_t(pictures) > kMaxSamples / each)
    fail("{}: expected at most {} pixels in all images, found {} images of {} x {}", name,
         kMaxSamples, pictures, size.x, size.y);
}

Image encoded(const Image& linear, const Coding& coding) {
  Image result(linear.width, linear.height);
  for (std::size_t i = 0; i < linear.pixels.size(); ++i)
    result.pixels[i] = glm::vec4(encodedColor(glm::vec3(linear.pixels[i]), coding), 1);
  return result;
}

Model emptyModel(const TrainingSet& training) {
  Model model;
  model.dims = training.dims;
  model.width = training.size.x, model.height = training.size.y;
  model.frames = training.frames;
  model.views = training.views;
  model.viewOrigin = training.viewOrigin;
  model.colorSpace = training.colorSpace, model.peak = training.peak;
  model.centerFractionBits = fractionBitsFor(model.width, model.height);
  model.source = training.name;
  return model;
}

void holdOut(TrainingSet& training, int every) {
  training.heldOut.clear();
  if (every < 2) return;
  // Along a grid's columns a step that is no divisor of their length goes diagonally through it.
  auto step = std::size_t(every);
  if (training.dims == 4 && training.views.y > 1 && training.views.y % every == 0) ++step;
  for (std::size_t i = step / 2; i < training.pictures.size(); i += step)
    if (i != training.middle()) training.heldOut.push_back(i);
}

// ---- Light fields from scenes

namespace {

std::shared_ptr<const Scene> lambertian(const std::shared_ptr<const Scene>& scene) {
  const auto glossy = [](const scene::shared::Material& m) { return m.surface.y > 0; };
  if (std::none_of(scene->materials.begin(), scene->materials.end(), glossy)) return scene;
  auto copy = std::make_shared<Scene>(*scene);
  for (scene::shared::Material& material : copy->materials) material.surface.y = 0;
  return copy;
}

void check(const CaptureRequest& request, const gpu::Context& gpu, const std::string& name) {
  FATHOM_CHECK(request.grid.x > 0 && request.grid.y > 0 && request.samples > 0);
  checkSamples(name, request.size, std::size_t(request.grid.x) * std::size_t(request.grid.y));
  const std::int64_t largest = gpu.limits().textureSize / request.samples;
  if (std::max(request.size.x, request.size.y) > largest)
    fail(
        "{}: expected views of at most {} pixels a side with {} x {} samples on this GPU, found "
        "{} x {}",
        name, largest, request.samples, request.samples, request.size.x, request.size.y);
}

/// A folder that appears complete or not at all.
class FolderInTheMaking {
 public:
  explicit FolderInTheMaking(const fs::path& target) : target_(fs::path(target)) {
    if (target_.filename().empty()) target_ = target_.parent_path();  // "views/"
    std::error_code error;
    temporary_ = target_.parent_path() /
                 fmt::format(".{}.{}.part", target_.filename().string(), system::processId());
    if (!fs::create_directory(temporary_, error) || error)
      fail("{}: expected a place for a folder, found: {}", target_.string(),
           error ? error.message() : "one is there already");
  }
  ~FolderInTheMaking() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  }
  FolderInTheMaking(const FolderInTheMaking&) = delete;
  FolderInTheMaking& operator=(const FolderInTheMaking&) = delete;

  const fs::path& path() const { return temporary_; }
  void commit() {
    std::error_code error;
    if (fs::is_directory(fs::symlink_status(target_, error)))
      fs::remove(target_, error);  // an empty folder, which Windows does not replace
    fs::rename(temporary_, target_, error);
    if (error)
      fail("{}: expected a place for a folder, found: {}", target_.string(), error.message());
    temporary_.clear();
  }

 private:
  fs::path target_, temporary_;
};

}  // namespace

ViewCapture::ViewCapture(gpu::Context& gpu, std::shared_ptr<const Scene> scene,
                         const CaptureRequest& request, Progress& progress)
    : gpu_(gpu), request_(request), renderer_(gpu, lambertian(scene)), capture_(gpu) {
  check(request, gpu, scene->name);
  camera_ = scene->camera;
  camera_.fitDepth(scene->bounds);
  pixelsPerTangent_ =
      request.size.y / (2 * std::tan(glm::radians(double(camera_.verticalFovDeg)) / 2));
  facts_.nearZ = 1e30;
  chooseBaseline(progress);
}

void ViewCapture::chooseBaseline(Progress& progress) {
  progress.begin("looking at depths", 5);
  const glm::dvec2 reach = origin();
  const glm::dvec2 corners[] = {{0, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
  facts_.focus = 1;  // of no consequence while the baseline is 0
  for (const glm::dvec2 corner : corners) {
    // What comes into sight at a corner counts as well; it moves toward the middle afterwards.
    addDepths(drawn(cameraAt(corner * reach)));
    if (facts_.farZ <= 0)
      fail("{}: expected a scene in the camera's sight, found nothing", renderer_.scene().name);
    const double nearest = 1 / facts_.nearZ, farthest = 1 / facts_.farZ;
    facts_.focus = request_.focus > 0 ? request_.focus : 2 / (nearest + farthest);
    const double largest =
        std::max(std::abs(nearest - 1 / facts_.focus), std::abs(farthest - 1 / facts_.focus));
    // A scene of one depth, in focus: any baseline will do.
    facts_.baseline = request_.disparity / (pixelsPerTangent_ * std::max(largest, 0.01 * nearest));
    const auto disparityOf = [&](double inverseZ) {
      return -pixelsPerTangent_ * facts_.baseline * (inverseZ - 1 / facts_.focus);
    };
    facts_.disparityLow = disparityOf(nearest), facts_.disparityHigh = disparityOf(farthest);
    progress.advance(1);
  }
}

Camera ViewCapture::cameraAt(ViewCoordinates a) const {
  return camera_.throughLensPoint(glm::dvec2(a.x, -a.y) * facts_.baseline, facts_.focus,
                                  double(request_.size.x) / request_.size.y);
}

Image ViewCapture::drawn(const Camera& camera) {
  return capture_.draw(renderer_, camera, request_.size * request_.samples, 1, request_.samples)
      .downloadImage();
}

void ViewCapture::addDepths(const Image& colorAndDepth) {
  for (const glm::vec4& p : colorAndDepth.pixels) {
    if (!(p.w > 0)) continue;
    facts_.nearZ = std::min(facts_.nearZ, double(p.w));
    facts_.farZ = std::max(facts_.farZ, double(p.w));
  }
}

Image ViewCapture::view(ViewCoordinates a) {
  return reference::averaged(drawn(cameraAt(a)), request_.samples);
}

TrainingSet ViewCapture::beginTraining(ColorSpace space, Progress& progress) {
  TrainingSet set;
  set.dims = 4;
  set.size = request_.size;
  set.views = request_.grid;
  set.viewOrigin = origin();
  set.colorSpace = space;
  set.name = renderer_.scene().name;
  progress.begin("drawing views", double(set.views.x) * set.views.y);
  return set;
}

bool ViewCapture::drawNext(TrainingSet& set, Progress& progress) {
  const int index = int(set.pictures.size()), rows = set.views.y;
  const glm::dvec2 at = glm::dvec2(index / rows, index % rows) - set.viewOrigin;
  set.pictures.push_back(encoded(view(at), set.colorSpace));
  progress.advance(1);
  return index + 1 < set.views.x * rows;
}

TrainingSet ViewCapture::training(ColorSpace space, Progress& progress) {
  TrainingSet set = beginTraining(space, progress);
  while (drawNext(set, progress)) {
  }
  return set;
}

void writeViews(ViewCapture& capture, const std::string& folder, Progress& progress) {
  FolderInTheMaking making{fs::path(folder)};
  const glm::ivec2 grid = capture.request().grid;
  progress.begin("drawing views", double(grid.x) * grid.y);
  for (int column = 0; column < grid.x; ++column)
    for (int row = 0; row < grid.y; ++row) {
      const Image view = capture.view(glm::dvec2(column, row) - capture.origin());
      writePng(making.path() / viewFileName(column, row), view);
      progress.advance(1);
    }
  const CaptureFacts& facts = capture.facts();
  writeViewIndex(making.path(), grid, capture.origin(), capture.source(),
                 {{"focus", facts.focus},
                  {"baseline", facts.baseline},
                  {"near", facts.nearZ},
                  {"far", facts.farZ},
                  {"disparityLow", facts.disparityLow},
                  {"disparityHigh", facts.disparityHigh}});
  making.commit();
}

}  // namespace fathom::smoe
