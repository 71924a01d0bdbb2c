// SPDX-License-Identifier: BSD-3-Clause
// The lens of a shot: its full frame is the display window of a file, or the picture of a scene.
#include "app/engine/dof/shot.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"

namespace fathom::dof {
namespace {

constexpr int kMaxMargin = 256;              // px; the light of larger discs is extended from there
constexpr glm::ivec2 kSceneSize{1280, 720};  // until the window or --size says otherwise

/// In rad; 0 where no camera says.
double horizontalFov(const Shot& shot) {
  if (!shot.input.scene || shot.size.y <= 0) return 0;
  const double tangent = std::tan(glm::radians(double(shot.camera.verticalFovDeg)) / 2);
  return 2 * std::atan(tangent * shot.size.x / shot.size.y);
}

/// The full frame, in pixels of the picture: what the sensor stands for.
Rect frameOf(const Shot& shot) {
  Rect frame = shot.displayWindow();
  if (frame.empty()) return {0, 0, shot.size.x, shot.size.y};
  frame.x -= shot.origin().x, frame.y -= shot.origin().y;
  return frame;
}

/// Depths that stand for all, ascending; may be empty.
std::vector<double> sampledDepths(const Shot& shot) {
  constexpr std::size_t kSamples = 4096;
  std::vector<double> depths;
  const auto add = [&](double z) {
    if (isBackground(float(z))) return;
    depths.push_back(z);
  };
  const Input& input = shot.input;
  if (input.flat) {
    const std::vector<float>& all = input.flat->depth;
    for (std::size_t i = 0; i < all.size(); i += all.size() / kSamples + 1) add(all[i]);
  } else if (input.deep) {
    const std::size_t count = input.deep->fragmentCount();
    for (std::size_t i = 0; i < count; i += count / kSamples + 1)
      add(decodeFragment(*input.deep, i).z);
  } else {
    // From the eye to the middle of the scene, and its ends.
    const Box& box = input.scene->bounds;
    const double middle = glm::length(box.center() - shot.camera.position);
    const double reach = glm::length(box.size()) / 2;
    for (const double z : {middle - reach, middle, middle + reach}) add(z);
  }
  std::sort(depths.begin(), depths.end());
  return depths;
}

/// A meter, unless nothing would be blurred by a pixel and a half of a picture as wide as this
/// then: the size at hand has no say, since a scene has one scale.
double scaleOf(const Shot& shot) {
  constexpr double kMeter = 1000, kNearMm = 3000, kVisible = 1.5;
  constexpr int kJudgedWidth = 1920;
  const bool values = shot.input.flat && shot.input.flat->depthIsPicture;  // not depths yet
  const std::vector<double> depths = values ? std::vector<double>() : sampledDepths(shot);
  if (depths.empty()) return kMeter;
  const Settings asMeters{.mmPerUnit = float(kMeter)};
  const double focus = depths[depths.size() / 2];
  const Lens lens = lensOf(asMeters, 0, kJudgedWidth, focus);
  const double nearest = std::abs(lens.unclampedRadius(depths[depths.size() / 20]));
  const double farthest =
      std::abs(lens.unclampedRadius(depths[depths.size() - 1 - depths.size() / 20]));
  return std::max(nearest, farthest) >= kVisible ? kMeter : kNearMm / focus;
}

}  // namespace

void Shot::open(Input next) {
  // Keys that come to a scene do not move its camera.
  const bool keepsCamera =
      next.pull && next.scene && input.scene && next.names[0] == input.names[0];
  input = std::move(next);
  ++inputCount;
  if (input.scene) {
    if (!keepsCamera) camera = input.scene->camera;
    if (size.x <= 0) size = kSceneSize;
  } else if (input.deep) {
    size = {input.deep->dataWindow.width, input.deep->dataWindow.height};
  } else {
    size = {input.flat->image.width, input.flat->image.height};
  }
  autoScale = scaleOf(*this);
}

Camera Shot::sceneCamera() const {
  Camera fitted = camera;
  fitted.fitDepth(input.scene->bounds);
  return fitted;
}

Lens Shot::lens(double autoFocus) const {
  Settings scaled = settings;
  scaled.mmPerUnit = float(mmPerUnit());
  return lensOf(scaled, horizontalFov(*this), frameOf(*this).width, autoFocus);
}

double Shot::tangentPerPixel() const {
  const Lens l = lens(1);  // the focus does not matter
  return l.sensorWidth / (l.focalLength * l.pictureWidth);
}

Aperture Shot::aperture() const {
  const Aperture shape = apertureOf(settings, bokeh);
  return settings.axialColor != 0 || settings.lateralColor != 0
             ? coloredBy(shape, settings, lens(1))
             : shape;
}

ImageFrame Shot::frame() const {
  const Rect f = frameOf(*this);
  return {{f.x + (f.width - 1) / 2.0, f.y + (f.height - 1) / 2.0},
          std::hypot(f.width, f.height) / 2};
}

int Shot::margin() const {
  if (settings.edges == Edges::Renormalize || settings.op == Operator::Lens) return 0;
  const int reach = reachOf(lens(1), aperture(), frame());
  return (std::min(reach, kMaxMargin) + DOF_TILE - 1) / DOF_TILE * DOF_TILE;
}

Shot Shot::finer() const {
  Shot fine = *this;
  const int n = samples();
  if (n == 1) return fine;
  const int raised = int(settings.maxRadius) + int(settings.supersample);
  if (raised > int(MaxRadius::R512))
    fail("--supersample {}: expected --max-radius of at most {}, found {}", n, 512 / n,
         settings.radius());
  fine.settings.maxRadius = MaxRadius(raised);
  fine.size *= n;
  return fine;
}

Slicing Shot::slicing(const Lens& lens) const {
  return {lens.farRadius(), lens.farRadius() * lens.focus, lens.maxRadius};
}

glm::ivec2 Shot::origin() const {
  if (input.deep) return {input.deep->dataWindow.x, input.deep->dataWindow.y};
  if (input.flat) return {input.flat->dataWindow.x, input.flat->dataWindow.y};
  return glm::ivec2(0);
}

Rect Shot::displayWindow() const {
  if (input.deep) return input.deep->displayWindow;
  if (input.flat) return input.flat->displayWindow;
  return {};
}

float Shot::pixelAspect() const {
  if (input.deep) return input.deep->pixelAspect;
  return input.flat ? input.flat->pixelAspect : 1.0f;
}

void Shot::readFiles() {
  if (settings.lens != lensFile) {
    lensFile = settings.lens;
    if (!lensFile.empty()) applyLens(lensFile, settings);
  }
  readBokeh();
  readMask();
}

void Shot::readBokeh() {
  if (settings.bokeh == bokehFile) return;
  bokehFile = settings.bokeh;  // said once, when it cannot be read
  bokeh.reset();
  std::shared_ptr<Image> read;
  if (!settings.bokeh.empty()) {
    read = std::make_shared<Image>(readPicture(settings.bokeh).image);
    if (std::none_of(read->pixels.begin(), read->pixels.end(),
                     [](const glm::vec4& p) { return p.r > 0 || p.g > 0 || p.b > 0; }))
      fail("{}: expected a bokeh image that lets light through, found a black one", settings.bokeh);
  }
  if (read && std::any_of(read->pixels.begin(), read->pixels.end(), [](const glm::vec4& p) {
        return std::abs(p.r - p.g) > 0.01f || std::abs(p.g - p.b) > 0.01f;
      }))
    log::warn("{}: the bokeh image is colored, and gray is used: the mean of its channels",
              settings.bokeh);
  bokeh = std::move(read);
}

std::string Shot::maskOfFrame() const {
  const auto numbered = FramePattern::of(settings.mask);
  return numbered && frameNumber ? numbered->at(*frameNumber) : settings.mask;
}

bool Shot::filesChanged() const {
  return settings.lens != lensFile || settings.bokeh != bokehFile ||
         (!empty() && maskOfFrame() != maskFile);
}

void Shot::readMask() {
  const std::string file = maskOfFrame();
  if (empty() || (file == maskFile && (file.empty() || maskInput == inputCount))) return;
  maskFile = file, maskInput = inputCount;  // said once, when it cannot be read
  mask.reset();
  ++masksRead;
  if (file.empty()) return;
  if (FramePattern::of(file) && !frameNumber)
    fail("{}: expected a sequence with frame numbers, found one image", file);
  auto read = std::make_shared<const FocusMask>(readFocusMask(file));
  if (!input.scene && glm::ivec2(read->width, read->height) != size)
    fail("{}: expected a focus mask of {}x{} pixels as {}, found {}x{}", file, size.x, size.y,
         input.names.empty() ? "the image" : input.names[0], read->width, read->height);
  mask = std::move(read);
}

}  // namespace fathom::dof
