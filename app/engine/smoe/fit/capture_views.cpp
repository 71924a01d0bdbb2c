// SPDX-License-Identifier: BSD-3-Clause
// Cameras on a plane with parallel axes and shifted frusta; focus and baseline follow from the
// depths that are in sight.
#include "app/engine/smoe/fit/capture_views.h"

#include "app/engine/core/error.h"
#include "app/engine/io/png.h"
#include "app/engine/io/view_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include <glm/trigonometric.hpp>

namespace fathom::smoe {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Scene> lambertian(const std::shared_ptr<const Scene>& scene) {
  const auto glossy = [](const scene::shared::Material& m) { return m.surface.y > 0; };
  if (std::none_of(scene->materials.begin(), scene->materials.end(), glossy)) return scene;
  auto copy = std::make_shared<Scene>(*scene);
  for (scene::shared::Material& material : copy->materials) material.surface.y = 0;
  return copy;
}

/// Means of n x n pixels; w becomes 1.
Image averaged(const Image& fine, int n) {
  Image mean(fine.width / n, fine.height / n);
  for (int y = 0; y < mean.height; ++y)
    for (int x = 0; x < mean.width; ++x) {
      glm::vec4 sum(0);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) sum += fine.at(x * n + i, y * n + j);
      mean.at(x, y) = glm::vec4(glm::vec3(sum) / float(n * n), 1);
    }
  return mean;
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
    temporary_ =
        target_.parent_path() / fmt::format(".{}.{}.part", target_.filename().string(), ::getpid());
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
  return averaged(drawn(cameraAt(a)), request_.samples);
}

TrainingSet ViewCapture::training(ColorSpace space, Progress& progress) {
  TrainingSet set;
  set.dims = 4;
  set.size = request_.size;
  set.views = request_.grid;
  set.viewOrigin = origin();
  set.colorSpace = space;
  set.name = renderer_.scene().name;
  const int count = set.views.x * set.views.y;
  progress.begin("drawing views", count);
  for (int i = 0; i < count; ++i) {
    const glm::dvec2 at(i / set.views.y, i % set.views.y);
    set.pictures.push_back(encoded(view(at - set.viewOrigin), space));
    progress.advance(1);
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
