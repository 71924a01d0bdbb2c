// SPDX-License-Identifier: BSD-3-Clause
// The map is made of 16 points per texel; sums are in double, so that shares of neighboring pixels,
// which are differences of them, keep their digits.
#include "app/engine/dof/lens/aperture_map.h"

#include "app/engine/core/jobs.h"
#include "app/engine/gpu/buffer.h"

namespace fathom::dof {
namespace {

constexpr int kSide = DOF_MAP_SIZE, kRow = DOF_MAP_SIZE + 1;
constexpr double kReachRounding = 0.99999;  // d^2 of 1 is not reached by what is sharp
constexpr int kPoints = 4;                  // along a side of a texel

struct Ramp {
  double a, b;
};
/// clamp(a - b d^2). What is sharper than a pixel stays in it; up to a pixel, the splat's own pixel
/// has the share that the disc has in it; from there on the rim is a ramp of a pixel.
Ramp rampOf(double r) {
  r = std::max(r, 0.5);
  const Ramp wide{0.5 + r / 2, 1 / (2 * r)};
  if (r >= 1.1) return wide;
  const double area = std::numbers::pi * r * r;
  double b = area < 3 ? (5 - area) / 4 : (9 - area) / 12;
  if (2 * r * r < 1) {  // the corners of the pixel lie outside
    const double beside = r * r * std::acos(0.5 / r) - 0.5 * std::sqrt(r * r - 0.25);
    b = 1 - beside / (area - 4 * beside);
  }
  const double t = std::clamp((r - 1) / 0.1, 0.0, 1.0);
  return {1 + t * (wide.a - 1), (1 - t) * b + t * wide.b};
}

/// What is sharp is not stretched: its light lies in the pixels that it falls on.
double swirled(double size) { return std::clamp(2 * size - 1, 0.0, 1.0); }

/// Light in each texel, of a sum of 1; row by row.
std::vector<double> densitiesOf(const Aperture& aperture, bool near) {
  std::vector<double> light(std::size_t(kSide) * kSide);
  double sum = 0;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      double& texel = light[std::size_t(y) * kSide + std::size_t(x)];
      for (int i = 0; i < kPoints * kPoints; ++i) {
        const glm::dvec2 at(x + (i % kPoints + 0.5) / kPoints, y + (i / kPoints + 0.5) / kPoints);
        texel += aperture.passes((at / double(kSide) * 2.0 - 1.0) * aperture.mapExtent(), near);
      }
      sum += texel;
    }
  for (double& texel : light) texel /= sum > 0 ? sum : 1;
  return light;
}

}  // namespace

double discShare(double r, double d2) {
  const Ramp ramp = rampOf(r);
  return std::clamp(ramp.a - ramp.b * d2, 0.0, 1.0);
}

double discReach2(double r) {
  const Ramp ramp = rampOf(r);
  return ramp.a / ramp.b * kReachRounding;
}

double discSum(double r) {
  double sum = 0;
  const int reach = int(std::sqrt(discReach2(r)));
  for (int y = 0; y <= reach; ++y) {
    // Between the axis and the ramp a row is full.
    const double inside = r * r - 1.5 * r - 1 - y * y;
    const int full = inside > 0 ? int(std::sqrt(inside)) : -1;
    double row = full >= 0 ? 2 * full + 1 : 0;
    for (int x = full + 1; x <= reach; ++x)
      row += (x > 0 ? 2 : 1) * discShare(r, double(x) * x + double(y) * y);
    sum += y > 0 ? 2 * row : row;
  }
  return sum;
}

ApertureMap::ApertureMap(const Aperture& aperture)
    : aperture_(aperture), texels_(std::size_t(kRow) * kRow) {
  for (const bool near : {false, true}) {
    const std::vector<double> light = densitiesOf(aperture, near);
    const auto lit = double(std::ranges::count_if(light, [](double v) { return v > 0; }));
    std::vector<double>& sums = sums_[near];
    sums.assign(std::size_t(kRow) * kRow, 0);
    for (int y = 0; y < kSide; ++y) {
      double row = 0;
      for (int x = 0; x < kSide; ++x) {
        const double texel = light[std::size_t(y) * kSide + std::size_t(x)];
        row += texel;
        const std::size_t at = std::size_t(y + 1) * kRow + std::size_t(x) + 1;
        sums[at] = sums[at - kRow] + row;
        texels_[std::size_t(y) * kRow + std::size_t(x)][2 + int(near)] = float(texel * lit);
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) texels_[i][int(near)] = float(sums[i]);
  }
}

double ApertureMap::sumAt(glm::dvec2 u, bool near) const {
  const glm::dvec2 at = glm::clamp(u / aperture_.mapExtent() * 0.5 + 0.5, 0.0, 1.0) * double(kSide);
  const int x = std::min(int(at.x), kSide - 1), y = std::min(int(at.y), kSide - 1);
  const double* s = &sums_[near][std::size_t(y) * kRow + std::size_t(x)];
  const double px = at.x - x, py = at.y - y;
  return (s[0] * (1 - px) + s[1] * px) * (1 - py) + (s[kRow] * (1 - px) + s[kRow + 1] * px) * py;
}

double ApertureMap::lightIn(glm::dvec2 u, glm::dvec2 half, bool near) const {
  const glm::dvec2 low = u - half, high = u + half;
  return sumAt(high, near) - sumAt({low.x, high.y}, near) - sumAt({high.x, low.y}, near) +
         sumAt(low, near);
}

/// A ramp as wide as a pixel is across the rim; what is smaller than a pixel is not cut.
double ApertureMap::uncut(glm::dvec2 u, double size, glm::dvec2 field) const {
  const glm::dvec2 from = u + aperture_.catsEye * field;
  const double away = glm::length(from);
  const glm::dvec2 across = away > 0 ? from / away : glm::dvec2(1, 0);
  const double width =
      std::hypot(glm::dot(across, aperture_.fromImage({1, 0}, field, swirled(size))),
                 glm::dot(across, aperture_.fromImage({0, 1}, field, swirled(size))));
  const double rim = std::max(aperture_.cutRadius() * size, width);
  return std::clamp(0.5 - (away * size - rim) / width, 0.0, 1.0);
}

ApertureMap::LensPoint ApertureMap::lensPoint(glm::dvec2 d, double r, glm::dvec2 field) const {
  const double size = std::max(std::abs(r), 0.01), root = std::sqrt(aperture_.squeeze);
  return {aperture_.fromImage(d / (r < 0 ? -size : size), field, swirled(size)),
          0.5 / size * glm::dvec2(root, 1 / root)};
}

glm::dvec2 ApertureMap::cell(int k) const {
  return (2.0 * glm::dvec2(k % DOF_CELLS, k / DOF_CELLS) + 1.0) * cellHalf() -
         aperture_.mapExtent();
}

std::vector<double> ApertureMap::cellLight(bool near) const {
  std::vector<double> light;
  for (int k = 0; k < kCells; ++k) light.push_back(lightIn(cell(k), glm::dvec2(cellHalf()), near));
  return light;
}

double ApertureMap::cellOverlap(int k, const LensPoint& through) const {
  const glm::dvec2 away = cell(k) - through.at,
                   reach = glm::min(through.half, aperture_.mapExtent());
  const auto along = [&](int axis, int i) {
    const double low = i == 0 ? -1e9 : away[axis] - cellHalf(), r = reach[axis];
    const double high = i + 1 == DOF_CELLS ? 1e9 : away[axis] + cellHalf();
    return std::max(0.0, std::min(r, high) - std::max(-r, low)) / (2 * r);
  };
  return along(0, k % DOF_CELLS) * along(1, k / DOF_CELLS);
}

const std::vector<float>& ApertureMap::askTable() const {
  if (!asks_.empty()) return asks_;
  asks_.resize(2 * DOF_CELL_RADII * kCells);
  parallelForEach(2 * DOF_CELL_RADII, 16, [&](std::size_t i) { fillAsks(int(i)); });
  return asks_;
}

void ApertureMap::fillAsks(int row) const {
  const double size = double(row % DOF_CELL_RADII) / DOF_CELL_STEPS;
  const double r = row < DOF_CELL_RADII ? size : -size;
  const int reach = int(size * aperture_.extent() * aperture_.stretch()) + 2;
  double all = 0, fallen[kCells]{};
  for (int p = 0, side = 2 * reach + 1; p < side * side; ++p) {
    const glm::dvec2 d(p % side - reach, p / side - reach);
    const double light = aperture_.plain() ? discShare(size, glm::dot(d, d)) : rawShare(d, r, {});
    const LensPoint through = lensPoint(d, r, {});
    all += light;
    for (int k = 0; light > 0 && k < kCells; ++k) fallen[k] += light * cellOverlap(k, through);
  }
  for (int k = 0; k < kCells; ++k)
    asks_[std::size_t(row * kCells + k)] = float(all / std::max(fallen[k], 1e-4 * all));
}

std::array<double, kCells> ApertureMap::cellAsks(double r) const {
  const double at = std::min(std::abs(r) * DOF_CELL_STEPS, DOF_CELL_RADII - 1.001);
  const float* asks = &askTable()[std::size_t(kCells * (int(at) + (r < 0 ? DOF_CELL_RADII : 0)))];
  std::array<double, kCells> mixed;
  for (int k = 0; k < kCells; ++k)
    mixed[std::size_t(k)] = glm::mix(double(asks[k]), double(asks[k + kCells]), at - int(at));
  return mixed;
}

double ApertureMap::uncutCell(int k, glm::dvec2 field) const {
  return aperture_.catsEye == 0 ? 1 : uncut(cell(k), 0.5 / cellHalf(), field);
}

double ApertureMap::rawShare(glm::dvec2 d, double r, glm::dvec2 field) const {
  const double size = std::max(std::abs(r), 0.01);
  const bool near = r < 0;
  const double scale = near ? -1 / size : 1 / size;
  const auto [u, half] = lensPoint(d, r, field);
  double share = 0;
  const double apartBy = std::clamp(size - (DOF_TWO_BOXES - 1), 0.0, 1.0);
  if (aperture_.swirl != 0 && apartBy > 0) {  // see shaders/dof/aperture.glsl
    const glm::dvec2 apart = aperture_.fromImage(glm::dvec2(0.25 * scale * apartBy), field);
    share = 0.5 * (lightIn(u - apart, half, near) + lightIn(u + apart, half, near));
  } else {
    share = lightIn(u, half, near);
  }
  if (aperture_.catsEye != 0) share *= uncut(u, size, field);
  return std::max(share, 0.0);
}

double ApertureMap::sumOfShares(double r, glm::dvec2 shift, glm::dvec2 field) const {
  double sum = 0;
  const int reach =
      int(std::ceil(std::abs(r) * aperture_.extent() * aperture_.stretch() + glm::length(shift))) +
      2;
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x) sum += rawShare(glm::dvec2(x, y) - shift, r, field);
  return std::max(sum, 1e-6);
}

glm::dvec3 ApertureMap::lightOf(double r, glm::dvec2 pixel, const ImageFrame& frame) const {
  if (!aperture_.varies()) return glm::dvec3(1);
  const glm::dvec2 away = pixel - frame.middle, field = frame.fieldAt(pixel);
  glm::dvec3 light(sumOfShares(r, {0, 0}, field));
  if (!aperture_.colored()) return light;
  light.r = sumOfShares(r + aperture_.axialRed, away * aperture_.lateralRed, field);
  light.b = sumOfShares(r + aperture_.axialBlue, away * aperture_.lateralBlue, field);
  return light;
}

glm::dvec3 ApertureMap::shares(glm::ivec2 offset, double r, glm::dvec2 pixel,
                               const ImageFrame& frame) const {
  const glm::dvec2 away = pixel - frame.middle, field = frame.fieldAt(pixel);
  const glm::dvec2 d(offset);
  const double green = rawShare(d, r, field);
  if (!aperture_.colored()) return glm::dvec3(green);
  return {rawShare(d - away * aperture_.lateralRed, r + aperture_.axialRed, field), green,
          rawShare(d - away * aperture_.lateralBlue, r + aperture_.axialBlue, field)};
}

const std::vector<float>& ApertureMap::discSums() {
  static const std::vector<float> sums = [] {
    std::vector<float> made;
    for (int i = 0; i < DOF_DISC_ROOM; ++i)
      made.push_back(float(discSum(double(i) / DOF_DISC_STEPS)));
    return made;
  }();
  return sums;
}

const shared::Cells& ApertureTables::cells() const {
  if (!cells_) {
    cells_.emplace();
    const ApertureMap map(*madeFor_);
    std::ranges::copy(map.cellLight(false), cells_->farLight);
    std::ranges::copy(map.cellLight(true), cells_->nearLight);
    gpu::ensure(gpu_, cellAsks_, "dof cells", gpu::TextureFormat::Rgba32f,
                {DOF_CELLS, 2 * DOF_CELL_RADII});
    cellAsks_.write(map.askTable().data(), std::int64_t(map.askTable().size() * sizeof(float)));
  }
  return *cells_;
}

void ApertureTables::update(const Aperture& aperture) {
  if (madeFor_ && *madeFor_ == aperture) return;
  cells_.reset();
  if (!discSums_)
    discSums_ =
        gpu::Buffer<float>(gpu_, "dof disc sums", std::span<const float>(ApertureMap::discSums()));
  if (aperture.plain()) {
    gpu::ensure(gpu_, map_, "dof aperture", gpu::TextureFormat::Rgba32f, {1, 1});
  } else {
    const ApertureMap map(aperture);
    const int side = DOF_MAP_SIZE + 1;
    gpu::ensure(gpu_, map_, "dof aperture", gpu::TextureFormat::Rgba32f, {side, side});
    map_.write(map.texels().data(), std::int64_t(map.texels().size() * sizeof(glm::vec4)));
  }
  madeFor_ = aperture;
}

}  // namespace fathom::dof
