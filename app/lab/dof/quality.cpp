// SPDX-License-Identifier: BSD-3-Clause
// Focus and f-number are chosen from quantiles of the depths, so that all scenes are blurred alike.
#include "app/lab/dof/quality.h"

namespace fathom::dof {

const char* nameOf(Focus focus) {
  return focus == Focus::Far ? "far" : focus == Focus::Mid ? "mid" : "near";
}

const std::vector<QualityMethod>& qualityMethods() {
  static const std::vector<QualityMethod> methods{
      {"over, 1 layer", Operator::Over, Layers::First},
      {"gather, 64 taps", Operator::Gather, Layers::First},
      {"coverage, 1 layer", Operator::Coverage, Layers::First},
      {"over, all fragments", Operator::Over, Layers::All},
      {"coverage, all fragments", Operator::Coverage, Layers::All},
      {"slabs, all fragments", Operator::Slabs, Layers::All},
      {"lens cells, all fragments", Operator::LensCells, Layers::All},
  };
  return methods;
}

const std::vector<LensFault>& lensFaults() {
  static const std::vector<LensFault> faults{
      {"none", [](Settings&) {}},
      {"five blades", [](Settings& s) { s.blades = Blades::Five, s.bladeRotation = 11; }},
      {"cat's eye", [](Settings& s) { s.catsEye = 0.6f; }},
      {"swirl", [](Settings& s) { s.swirl = 0.4f; }},
      {"squeeze", [](Settings& s) { s.squeeze = 1.6f; }},
      {"spherical aberration", [](Settings& s) { s.sphericalAberration = 0.7f; }},
      {"axial color", [](Settings& s) { s.axialColor = 0.3f; }},
      {"lateral color", [](Settings& s) { s.lateralColor = 5; }},
      {"all",
       [](Settings& s) {
         for (std::size_t i = 1; i + 1 < lensFaults().size(); ++i) lensFaults()[i].apply(s);
       }},
  };
  return faults;
}

QualityScene::QualityScene(gpu::Context& gpu, const std::string& scene, glm::ivec2 size,
                           Progress& progress)
    : gpu_(gpu), progress_(progress) {
  technique_.setSize(size.x, size.y);
  technique_.adopt(read({scene}, progress));
  // Only the sharp picture is wanted here, and gathering costs least.
  const Operator before = std::exchange(technique_.settingsStruct().op, Operator::Gather);
  update();
  technique_.settingsStruct().op = before;
}

void QualityScene::update() {
  makeWholePicture(gpu_, technique_, [this] { progress_.throwIfCancelled(); });
}

void QualityScene::focus(Focus focus) {
  Settings& s = technique_.settingsStruct();
  // By the picture of one sample per pixel, whatever is measured then.
  const Supersample samples = std::exchange(s.supersample, Supersample::S1);
  const Operator op = std::exchange(s.op, Operator::Gather);
  update();
  findFocus(focus);
  s.supersample = samples, s.op = op;
}

void QualityScene::findFocus(Focus focus) {
  Settings& s = technique_.settingsStruct();
  std::vector<float> depths;
  for (const glm::vec4& p : sharp().pixels)
    if (!isBackground(p.a)) depths.push_back(p.a);
  if (depths.empty()) return;
  const auto quantile = [](auto& values, double share) {
    const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return double(*at);
  };
  const double nearest = quantile(depths, 0.05), farthest = quantile(depths, 0.95);
  s.focusDistance = float(focus == Focus::Near  ? nearest
                          : focus == Focus::Far ? farthest
                                                : 2 / (1 / nearest + 1 / farthest));

  s.fNumber = 1;  // radii are proportional to 1 / N
  const Lens wide = technique_.lens();
  radii_.clear();
  for (const float z : depths) radii_.push_back(std::abs(wide.unclampedRadius(z)));
  std::sort(radii_.begin(), radii_.end());
  s.fNumber = float(std::max(quantile(radii_, 0.95), 1e-6) / (0.75 * s.radius()));
  for (double& radius : radii_) radius /= s.fNumber;
  border_ = s.radius();
}

void QualityScene::uncut() {
  Settings& s = technique_.settingsStruct();
  if (radii_.empty()) return;
  const double largest = radii_[std::size_t(0.999 * double(radii_.size() - 1))];
  while (s.radius() < largest && s.maxRadius != MaxRadius::R32)
    s.maxRadius = MaxRadius(int(s.maxRadius) + 1);
  s.fNumber *= float(std::max(1.0, largest / s.radius()));
}

void QualityScene::choose(const QualityMethod& method) {
  technique_.settingsStruct().op = method.op;
  technique_.settingsStruct().layers = method.layers;
}

Image QualityScene::picture() {
  update();
  return technique_.frame().picture->downloadImage();
}

Image QualityScene::truth(LensPoints points) {
  Settings& s = technique_.settingsStruct();
  const Operator before = s.op;
  s.op = Operator::Lens, s.lensPoints = points;
  const Image image = picture();
  s.op = before;
  return image;
}

Image QualityScene::sharp() {
  const Image wide = technique_.sharp()->downloadImage();
  const int margin = technique_.margin();
  Image image(wide.width - 2 * margin, wide.height - 2 * margin);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) image.at(x, y) = wide.at(x + margin, y + margin);
  return image;
}

double QualityScene::psnr(const Image& a, const Image& b) {
  const int border = std::min({border_, a.width / 4, a.height / 4});
  double sum = 0;
  std::size_t count = 0;
  for (int y = border; y < a.height - border; ++y)
    for (int x = border; x < a.width - border; ++x)
      for (int c = 0; c < 3; ++c, ++count) {
        const double d = std::clamp(double(a.at(x, y)[c]), 0.0, 1.0) -
                         std::clamp(double(b.at(x, y)[c]), 0.0, 1.0);
        sum += d * d;
      }
  return -10 * std::log10(sum / double(std::max<std::size_t>(count, 1)));
}

}  // namespace fathom::dof
