// SPDX-License-Identifier: BSD-3-Clause
// Row by row: each kernel is a product of one down the columns and one along the row. Names and
// numbers are the paper's.
#include "app/engine/core/flip.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"

namespace fathom {
namespace {

constexpr float kPpd = 67.0206f;  // pixels per degree of visual angle
constexpr float kQc = 0.7f, kPc = 0.4f, kPt = 0.95f, kQf = 0.5f, kW = 0.082f;
constexpr int kRadius = 10;  // three deviations of the widest kernel

using Kernel = std::array<float, 2 * kRadius + 1>;

/// Positive weights sum to 1, negative ones to -1.
Kernel kernelOf(const std::function<double(double)>& weight) {
  Kernel kernel{};
  double positive = 0, negative = 0;
  for (int i = -kRadius; i <= kRadius; ++i) (weight(i) > 0 ? positive : negative) += weight(i);
  for (int i = -kRadius; i <= kRadius; ++i)
    kernel[std::size_t(i + kRadius)] = float(weight(i) > 0   ? weight(i) / positive
                                             : weight(i) < 0 ? -weight(i) / negative
                                                             : 0);
  return kernel;
}

double gaussian(double x, double b) {
  return std::exp(-std::numbers::pi * std::numbers::pi * x * x / (b * kPpd * kPpd));
}

/// Contrast sensitivity of the three opponent channels, where the third is a sum of two; and the
/// kernels that find edges and points.
struct Kernels {
  Kernel achromatic = kernelOf([](double x) { return gaussian(x, 0.0047); });
  Kernel redGreen = kernelOf([](double x) { return gaussian(x, 0.0053); });
  Kernel wide = kernelOf([](double x) { return gaussian(x, 0.04); });
  Kernel narrow = kernelOf([](double x) { return gaussian(x, 0.025); });
  float wideShare = 0;
  Kernel smooth, edge, point;

  Kernels() {
    const auto volume = [](double a, double b) {
      double sum = 0;
      for (int i = -kRadius; i <= kRadius; ++i) sum += gaussian(i, b);
      return a * std::sqrt(std::numbers::pi / b) * sum * sum;
    };
    wideShare = float(volume(34.1, 0.04) / (volume(34.1, 0.04) + volume(13.5, 0.025)));
    const double sd = 0.5 * kW * kPpd;
    const auto bell = [=](double x) {
      return std::abs(x) > std::ceil(3 * sd) ? 0 : std::exp(-x * x / (2 * sd * sd));
    };
    smooth = kernelOf(bell);
    edge = kernelOf([=](double x) { return -x * bell(x); });
    point = kernelOf([=](double x) { return (x * x / (sd * sd) - 1) * bell(x); });
  }
};

/// Linear RGB to XYZ, each relative to its white.
glm::mat3 relativeXyz() {
  return glm::transpose(glm::mat3(glm::vec3(10135552, 8788810, 4435075) / 23359437.0f,
                                  glm::vec3(2613072, 8788810, 887015) / 12288897.0f,
                                  glm::vec3(1425312, 8788810, 70074185) / 80288307.0f));
}

/// Y, Cx and Cz; `f` of Lab is left out, since they are linear.
glm::vec3 opponent(glm::vec3 xyz) {
  return {116 * xyz.y - 16, 500 * (xyz.x - xyz.y), 200 * (xyz.y - xyz.z)};
}

glm::vec3 xyzOf(glm::vec3 ycc) {
  const float y = (ycc.x + 16) / 116;
  return {ycc.y / 500 + y, y, y - ycc.z / 200};
}

/// L*a*b* with the adjustment of Hunt: colors count less where it is dark.
glm::vec3 huntLab(glm::vec3 xyz) {
  constexpr float kDelta = 6.0f / 29;
  for (int i = 0; i < 3; ++i)
    xyz[i] = xyz[i] > kDelta * kDelta * kDelta ? std::cbrt(xyz[i])
                                               : xyz[i] / (3 * kDelta * kDelta) + 4.0f / 29;
  const glm::vec3 lab = opponent(xyz);
  return {lab.x, 0.01f * lab.x * lab.y, 0.01f * lab.x * lab.z};
}

float colorDistance(glm::vec3 a, glm::vec3 b) {
  return std::pow(std::abs(a.x - b.x) + glm::length(glm::vec2(a.y - b.y, a.z - b.z)), kQc);
}

struct Pixel {
  glm::vec3 lab{0};           // as it is seen
  float edge = 0, point = 0;  // how much of either is there
};

class Seen {
 public:
  explicit Seen(const Image& image) : width_(image.width), height_(image.height) {
    ycc_.reserve(image.pixels.size());
    for (const glm::vec4& pixel : image.pixels) {
      glm::vec3 rgb(0);
      for (int c = 0; c < 3; ++c) rgb[c] = pixel[c] > 0 ? std::min(pixel[c], 1.0f) : 0;
      ycc_.push_back(opponent(toXyz_ * rgb));
    }
  }

  std::vector<Pixel> row(int y, const Kernels& k) const {
    struct Column {
      glm::vec4 color{0};     // Y, Cx, and Cz twice
      glm::vec3 features{0};  // of Y: smooth, edge, point
    };
    // Beyond the borders their pixels go on.
    std::vector<Column> columns(std::size_t(width_ + 2 * kRadius));
    for (int i = 0; i <= 2 * kRadius; ++i) {
      const std::size_t s = std::size_t(i);
      const glm::vec4 color(k.achromatic[s], k.redGreen[s], k.wide[s], k.narrow[s]);
      const glm::vec3 features(k.smooth[s], k.edge[s], k.point[s]);
      const glm::vec3* const line =
          ycc_.data() + std::ptrdiff_t(std::clamp(y + i - kRadius, 0, height_ - 1)) * width_;
      for (int x = 0; x < width_; ++x) {
        Column& column = columns[std::size_t(x + kRadius)];
        column.color += color * glm::vec4(line[x], line[x].z);
        column.features += features * ((line[x].x + 16) / 116);
      }
    }
    std::fill_n(columns.begin(), kRadius, columns[kRadius]);
    std::fill_n(columns.end() - kRadius, kRadius, columns[std::size_t(width_ + kRadius - 1)]);
    std::vector<Pixel> pixels(std::size_t(width_), Pixel{});
    for (std::size_t x = 0; x < pixels.size(); ++x) {
      glm::vec4 color(0);
      glm::vec2 edge(0), point(0);
      for (std::size_t i = 0; i < std::tuple_size_v<Kernel>; ++i) {
        const Column& column = columns[x + i];
        color += column.color * glm::vec4(k.achromatic[i], k.redGreen[i], k.wide[i], k.narrow[i]);
        edge += glm::vec2(k.edge[i] * column.features.x, k.smooth[i] * column.features.y);
        point += glm::vec2(k.point[i] * column.features.x, k.smooth[i] * column.features.z);
      }
      const glm::vec3 ycc(color.x, color.y, glm::mix(color.w, color.z, k.wideShare));
      const glm::vec3 rgb = glm::clamp(fromXyz_ * xyzOf(ycc), 0.0f, 1.0f);
      pixels[x] = {huntLab(toXyz_ * rgb), glm::length(edge), glm::length(point)};
    }
    return pixels;
  }

 private:
  const glm::mat3 toXyz_ = relativeXyz(), fromXyz_ = glm::inverse(toXyz_);
  int width_, height_;
  std::vector<glm::vec3> ycc_;
};

}  // namespace

double flipError(const Image& a, const Image& b) {
  FATHOM_CHECK_OP(a.width, ==, b.width);
  FATHOM_CHECK_OP(a.height, ==, b.height);
  const Kernels kernels;
  const Seen first(a), second(b);
  const glm::mat3 xyz = relativeXyz();
  const float most = colorDistance(huntLab(xyz[1]), huntLab(xyz[2]));  // of green and blue
  const float knee = kPc * most;  // most of the range is of smaller distances
  std::vector<double> rowSums(std::size_t(a.height), 0.0);
  parallelFor(rowSums.size(), 8, [&](std::size_t from, std::size_t to) {
    for (std::size_t y = from; y < to; ++y) {
      const std::vector<Pixel> rowA = first.row(int(y), kernels),
                               rowB = second.row(int(y), kernels);
      for (std::size_t x = 0; x < rowA.size(); ++x) {
        const Pixel &p = rowA[x], &q = rowB[x];
        const float distance = colorDistance(p.lab, q.lab);
        const float color = distance < knee ? distance * kPt / knee
                                            : kPt + (distance - knee) / (most - knee) * (1 - kPt);
        const float feature = std::pow(
            std::max(std::abs(p.edge - q.edge), std::abs(p.point - q.point)) / std::sqrt(2.0f),
            kQf);
        rowSums[y] += double(std::pow(color, 1 - feature));
      }
    }
  });
  return std::accumulate(rowSums.begin(), rowSums.end(), 0.0) / (double(a.width) * a.height);
}

}  // namespace fathom
